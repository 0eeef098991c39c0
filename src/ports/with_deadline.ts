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
export function withDeadline<T>(work: Promise<T>, ms: number, onExpiry: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (): void => {
      isOver = true;
      if (timer !== undefined) clearTimeout(timer); // its first use costs 10 ms on Deno
    };
    work.then((value) => {
      end();
      resolve(value);
    }, (cause) => {
      end();
      reject(cause);
    });
    outlasts(() => isOver).then((isRunning) => {
      if (!isRunning || isOver) return;
      timer = setTimeout(() => {
        isOver = true;
        resolve(onExpiry());
      }, ms);
    });
  });
}
