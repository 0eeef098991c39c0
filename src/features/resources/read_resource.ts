import { andThen, type Awaitable } from "../../ports/awaitable.ts";
import type { Log } from "../../ports/log_event.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import { admitWithoutArguments } from "../admit_without_arguments.ts";
import type { Call, Method } from "../call.ts";
import { complete, failure, invalidParams, type Outcome } from "../outcome.ts";
import { runBinding } from "../run_binding.ts";
import { encodeContents, type Encoded } from "./encode_contents.ts";
import { isUri } from "./is_uri.ts";
import type { ResourceBinding } from "./resource_binding.ts";
import type { ResourceRegistry } from "./resource_registry.ts";

/** How resources are read. */
export interface ReadResourceOptions {
  /** The code of a resource that does not exist, in which eras differ. */
  readonly notFoundCode: number;
}

/**
 * Makes `resources/read`: URI ▸ gate ▸ variables ▸ run ▸ encode ▸ ceiling.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources}
 */
export function createReadResource(
  registry: ResourceRegistry,
  { notFoundCode }: ReadResourceOptions,
): Method {
  const notFound = (uri: string): Outcome => failure(notFoundCode, "Resource not found", { uri });
  return (call) => {
    const { uri } = call.params;
    if (typeof uri !== "string") return invalidParams("Invalid params: uri must be a string");
    const found = registry.resolve(uri);
    if (found === undefined) {
      return isUri(uri)
        ? notFound(uri)
        : invalidParams("Invalid params: uri is not a URI", { uri });
    }
    const { binding, match } = found;
    if ("malformed" in match) {
      const detail = { [match.malformed]: ["This value is not allowed in a URI."] };
      const refused = invalidParams("Invalid arguments", { uri, detail });
      return andThen(admitWithoutArguments(binding, call), (denied) => denied ?? refused);
    }
    return andThen(runBinding(binding, call, match.values), (result): Awaitable<Outcome> => {
      if (result.type === "error" || result.type === "input_required") return result;
      if (result.type === "not_found") return notFound(uri);
      return present(binding, uri, result.value, call);
    });
  };
}

function present(
  binding: ResourceBinding,
  uri: string,
  value: unknown,
  { log }: Call,
): Awaitable<Outcome> {
  return andThen(encodeContents(uri, value, binding.contents), (encoded) => {
    if ("members" in encoded) {
      const cache = { ttlMs: binding.cacheTtlMs, cacheScope: "private" } as const;
      return complete({ members: encoded.members, cache });
    }
    return failure(ErrorCode.internalError, explain(binding, encoded, log));
  });
}

/** An answer that cannot be served is never cut and never half told (R-7, M-30). */
function explain(
  { name, contents: { encoding, maxResultBytes } }: ResourceBinding,
  encoded: Exclude<Encoded, { readonly members: string }>,
  log: Log,
): string {
  if ("misfit" in encoded) {
    return `Resource "${name}" declares encoding "${encoding}": ${encoded.misfit}; ` +
      "answer what it declares, or change the encoding";
  }
  const bytes = encoded.tooLarge;
  log({
    level: "warning",
    event: "result.too_large",
    message: "A resource is over its ceiling",
    fields: { resource: name, bytes, maxResultBytes },
  });
  return `Resource "${name}" is over the ceiling of ${maxResultBytes} bytes`;
}
