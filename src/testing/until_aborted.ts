/**
 * Waits for a promise until a signal is aborted: a call that does not look at its signal goes on, and
 * nobody waits for it.
 *
 * @param pending What is waited for.
 * @param signal When to stop.
 * @param cancel Called then, before the returned promise rejects with the signal's reason.
 */
export async function untilAborted<T>(
  pending: Promise<T>,
  signal: AbortSignal,
  cancel: () => Promise<unknown> | undefined,
): Promise<T> {
  let leave = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => void Promise.resolve(cancel()).catch(() => {}).then(() => reject(signal.reason));
  });
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  try {
    const value = await Promise.race([pending, aborted]);
    signal.throwIfAborted(); // a request that was cancelled is answered, with nothing
    return value;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
