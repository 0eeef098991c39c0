/**
 * Reads the JSON messages of an event stream as they come; comments and other fields are skipped.
 *
 * @param body The stream; it is cancelled when the signal is aborted.
 * @param signal Ends the reading. Default: nothing does.
 * @see {@link https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream}
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<unknown> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const leave = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener("abort", leave, { once: true });
  if (signal?.aborted) leave();
  try {
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
        if (data.length === 0) continue;
        yield JSON.parse(data.map((line) => line.slice("data:".length)).join("\n"));
      }
    }
  } finally {
    signal?.removeEventListener("abort", leave);
    leave();
  }
}
