import type { Awaitable } from "../ports/awaitable.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { Refusal } from "../protocol/refusal.ts";

/**
 * Reads a body as text, and stops as soon as it is over the limit.
 *
 * A declared length within the limit is trusted, since the transport enforces it; everything else is
 * counted while it arrives.
 *
 * @param request The request.
 * @param maxBytes The limit in bytes.
 * @returns The text, or the refusal: 413 for a larger body, 400 for one that does not arrive.
 */
export function readBody(request: Request, maxBytes: number): Awaitable<string | Refusal> {
  const declared = request.headers.get("content-length");
  if (declared !== null && /^[0-9]{1,15}$/.test(declared)) {
    return Number(declared) > maxBytes ? tooLarge(maxBytes) : request.text().catch(unreadable);
  }
  return request.body === null ? "" : readCounted(request.body, maxBytes).catch(unreadable);
}

async function readCounted(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<string | Refusal> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      reader.cancel().catch(() => {});
      return tooLarge(maxBytes);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function tooLarge(maxBytes: number): Refusal {
  const message = `Request body too large: the limit is ${maxBytes} bytes`;
  return {
    refused: "body-too-large",
    status: 413,
    error: { code: ErrorCode.invalidRequest, message },
  };
}

function unreadable(): Refusal {
  const message = "Parse error: the body could not be read";
  return { refused: "json", status: 400, error: { code: ErrorCode.parseError, message } };
}
