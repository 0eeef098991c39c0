import type { HostContext } from "../ports/host_context.ts";
import { isJsonObject } from "../protocol/json.ts";

/** What is known without the option `host`: the client's address, from the info that Deno passes. */
export function defaultHost(_request: Request, info?: unknown): HostContext {
  return info === undefined ? NOTHING : new ServeInfo(info) as object as HostContext;
}

const NOTHING: HostContext = Object.freeze({});

/** Reads the address only when somebody asks for it. */
class ServeInfo {
  readonly #info: unknown;

  constructor(info: unknown) {
    this.#info = info;
  }

  get clientAddress(): string | undefined {
    const address = isJsonObject(this.#info) ? this.#info.remoteAddr : undefined;
    const name = isJsonObject(address) ? address.hostname : undefined;
    return typeof name === "string" ? name : undefined;
  }
}
