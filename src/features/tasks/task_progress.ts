import type { Progress } from "../../kernel/call_context.ts";

/** How often progress is written at most, in milliseconds. */
const WRITE_EVERY_MS = 500;

/** How much of an author's message is kept, in UTF-16 units. */
const MAX_MESSAGE = 1000;

/**
 * The progress of a task, which its client reads as `statusMessage` (J-24). Of the reports between two
 * writes the last one counts; nothing ever throws into the service.
 */
export class TaskProgress {
  /** What the service calls. */
  readonly report: Progress;
  readonly #write: (message: string) => void;
  #last = -Infinity;
  #waiting: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  /** @param write Writes the message. */
  constructor(write: (message: string) => void) {
    this.#write = write;
    this.report = (value, options) => {
      if (this.#isOver || !Number.isFinite(value) || value <= this.#last) return;
      this.#last = value;
      this.#waiting = describe(value, options);
      if (this.#timer === undefined) this.#flush();
    };
  }

  /** Writes nothing any more. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#timer = undefined;
    const message = this.#waiting;
    if (message === undefined) return;
    this.#waiting = undefined;
    this.#timer = setTimeout(() => this.#flush(), WRITE_EVERY_MS);
    this.#write(message);
  }
}

/** `Exporting (142/500)`, `3/10`, `Exporting (3)` or `3`. */
function describe(value: number, options: Parameters<Progress>[1]): string {
  try {
    const { total, message } = options ?? {};
    const count = Number.isFinite(total) ? `${value}/${total}` : String(value);
    if (message === undefined || message === "") return count;
    return `${String(message).slice(0, MAX_MESSAGE)} (${count})`;
  } catch {
    return String(value); // the author's values cannot even be read
  }
}
