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

function raceTimer<T>(work: Promise<T>, ms: number, onExpiry: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(onExpiry()), ms);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
