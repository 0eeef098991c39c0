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

/** A body that is being read. */
export class BodyReading {
  /** The text, or the refusal; absent until it is known. */
  text: string | Refusal | undefined;
  readonly #reading: Promise<unknown>;
  readonly #limits: BodyLimits;
  readonly #cancel: (() => void) | undefined;

  /**
   * @param reading Brings the text, or why there is none.
   * @param limits Its bounds.
   * @param cancel Gives up what takes too long.
   */
  constructor(reading: Promise<string | Refusal>, limits: BodyLimits, cancel?: () => void) {
    const { maxBodyBytes } = limits;
    this.#limits = limits;
    this.#cancel = cancel;
    // Servers hold a body to its declared length; where one does not, a longer text is refused all the same.
    this.#reading = reading.then(
      (text) => {
        const isLonger = typeof text === "string" && text.length > maxBodyBytes;
        this.text = isLonger ? tooLarge(maxBodyBytes) : text;
      },
      () => this.text = unreadable(),
    );
  }

  /** Waits for what is not there yet, and no longer than it may take. */
  settle(): Promise<string | Refusal> {
    return withDeadline(this.#reading.then(() => this.text!), this.#limits.bodyTimeoutMs, () => {
      this.#cancel?.();
      return tooSlow();
    });
  }
}

/**
 * Reads a body as text, and stops as soon as it is over a limit.
 *
 * A declared length within the limit is trusted, since the transport enforces it; everything else is
 * counted while it arrives. A body that is there already needs no timer: whoever asks looks for its
 * text a few times before waiting for it.
 *
 * @param request The request.
 * @param limits Its bounds.
 * @returns What comes to the text, or the refusal: 413 for a larger body, 408 for one that takes too
 * long, 400 for one that breaks off.
 */
export function readBody(request: Request, limits: BodyLimits): BodyReading {
  const { maxBodyBytes } = limits;
  const declared = request.headers.get("content-length");
  if (declared !== null && /^[0-9]{1,15}$/.test(declared)) {
    const isLarger = Number(declared) > maxBodyBytes;
    return new BodyReading(
      isLarger ? Promise.resolve(tooLarge(maxBodyBytes)) : request.text(),
      limits,
    );
  }
  if (request.body === null) return new BodyReading(Promise.resolve(""), limits);
  if (request.bodyUsed) return new BodyReading(Promise.resolve(unreadable()), limits);
  const reader = request.body.getReader();
  return new BodyReading(
    readCounted(reader, maxBodyBytes),
    limits,
    () => void reader.cancel().catch(() => {}),
  );
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
