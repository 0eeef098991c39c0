/**
 * Says how long to wait, in whole seconds.
 *
 * @param seconds How long it is; anything but a finite number counts as the least.
 * @returns An integer of at least 1.
 */
export function retryAfter(seconds: number): number {
  return seconds > 1 && seconds < Infinity ? Math.ceil(seconds) : 1;
}
