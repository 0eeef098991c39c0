import type { Awaitable } from "../ports/awaitable.ts";
import { PATIENCE } from "../ports/outlasts.ts";
import { withDeadline } from "../ports/with_deadline.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { Refusal } from "../protocol/refusal.ts";

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  /** The limit in bytes. */
  readonly maxBodyBytes: number;
  /** How long it may take to arrive, in milliseconds. */
  readonly bodyTimeoutMs: number;
}

/**
 * Reads a body as text, and stops as soon as it is over a limit.
 *
 * A declared length within the limit is trusted, since the transport enforces it; everything else is
 * counted while it arrives. A body that is there already sets no timer.
 *
 * @param request The request.
 * @param limits Its bounds.
 * @returns The text, or the refusal: 413 for a larger body, 408 for one that takes too long, 400 for
 * one that breaks off.
 */
export function readBody(request: Request, limits: BodyLimits): Awaitable<string | Refusal> {
  const { maxBodyBytes, bodyTimeoutMs } = limits;
  const declared = request.headers.get("content-length");
  if (declared !== null && /^[0-9]{1,15}$/.test(declared)) {
    return Number(declared) > maxBodyBytes ? tooLarge(maxBodyBytes) : readDeclared(request, limits);
  }
  if (request.body === null) return "";
  if (request.bodyUsed) return unreadable();
  const reader = request.body.getReader();
  return withDeadline(readCounted(reader, maxBodyBytes).catch(unreadable), bodyTimeoutMs, () => {
    reader.cancel().catch(() => {});
    return tooSlow();
  });
}

/** Waiting for it takes a microtask, and makes no promise of its own. */
const TURN = Promise.resolve();

/** Servers hold a body to its length; where one does not, a longer text is refused all the same. */
async function readDeclared(request: Request, limits: BodyLimits): Promise<string | Refusal> {
  const { maxBodyBytes, bodyTimeoutMs } = limits;
  let text: string | Refusal | undefined;
  const reading = request.text().then((all) => text = all, () => text = unreadable());
  // Here rather than in a function of its own: nearly every request passes by, and none pays for a promise.
  for (let i = 0; i < PATIENCE && text === undefined; i++) await TURN;
  text ??= await withDeadline(reading, bodyTimeoutMs, tooSlow);
  return typeof text === "string" && text.length > maxBodyBytes ? tooLarge(maxBodyBytes) : text;
}

async function readCounted(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<string | Refusal> {
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

/** The rest of the body is not waited for: the connection cannot be used again. */
function tooSlow(): Refusal {
  return {
    refused: "body-timeout",
    status: 408,
    error: { code: ErrorCode.invalidRequest, message: "The body took too long to arrive" },
    headers: { connection: "close" },
  };
}

function unreadable(): Refusal {
  const message = "Parse error: the body could not be read";
  return { refused: "json", status: 400, error: { code: ErrorCode.parseError, message } };
}
