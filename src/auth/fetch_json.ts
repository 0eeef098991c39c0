/** How a JSON document is fetched. */
export interface FetchJsonOptions {
  /** Fetches. */
  readonly fetch: typeof fetch;
  /** The request, beside what every one of them has. Default: a plain GET. */
  readonly init?: RequestInit;
}

const TIMEOUT_MS = 5000;

/**
 * Fetches a JSON document within five seconds, without following a redirect: who is redirected is
 * not who was trusted.
 *
 * @returns The HTTP status, and the parsed body; `undefined` where it is no JSON.
 * @throws where there is no answer in time.
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
  const text = await response.text();
  return { status: response.status, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
