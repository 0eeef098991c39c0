import { outlasts } from "./outlasts.ts";

/**
 * Waits for work, but not longer than a deadline. The work goes on; only the waiting ends.
 *
 * Work that is over within a few microtasks sets no timer, and no timer is left behind.
 *
 * @param work What is waited for.
 * @param ms The deadline in milliseconds.
 * @param onExpiry What to answer instead.
 */
export async function withDeadline<T>(
  work: Promise<T>,
  ms: number,
  onExpiry: () => T,
): Promise<T> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  work.then(end, end);
  return await outlasts(() => isOver) ? await raceTimer(work, ms, onExpiry) : await work;
}

/** A timer that is set for longer goes off at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function raceTimer<T>(work: Promise<T>, ms: number, onExpiry: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(onExpiry()), Math.min(ms, MAX_TIMER_MS));
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
