import { collectBytes } from "../ports/collect_bytes.ts";

/** How a JSON document is fetched. */
export interface FetchJsonOptions {
  /** Fetches. */
  readonly fetch: typeof fetch;
  /** The request, beside what every one of them has. Default: a plain GET. */
  readonly init?: RequestInit;
}

const TIMEOUT_MS = 5000;
/** Many times what a key set takes: more is a mistake, or is meant to fill the memory. */
const MAX_BYTES = 1 << 20;

/**
 * Fetches a JSON document of up to 1 MiB within five seconds, without following a redirect: who is
 * redirected is not who was trusted.
 *
 * @returns The HTTP status, and the parsed body; `undefined` where it is no JSON.
 * @throws where there is no answer in time, or it is longer.
 */
export async function fetchJson(
  url: string,
  options: FetchJsonOptions,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { fetch, init } = options;
  const response = await fetch(url, {
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...init,
    headers: { accept: "application/json", ...init?.headers as Record<string, string> },
  });
  const bytes = response.body === null
    ? new Uint8Array()
    : await collectBytes(response.body, MAX_BYTES);
  if (bytes === undefined) throw new Error(`Cannot fetch JSON: over ${MAX_BYTES} bytes`);
  return { status: response.status, body: parse(new TextDecoder().decode(bytes)) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
