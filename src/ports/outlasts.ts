/** How many microtasks work may take before it counts as work that waits for something. */
export const PATIENCE = 24;

/** Waiting for it takes a microtask, and makes no promise of its own. */
export const TURN: Promise<void> = Promise.resolve();

/**
 * Watches work for a few microtasks, in which most of it is over: a timer is worth setting only for
 * what outlasts them.
 *
 * @param isOver Whether the work is over.
 * @returns Whether it still runs.
 */
export async function outlasts(isOver: () => boolean): Promise<boolean> {
  for (let i = 0; i < PATIENCE; i++) {
    await TURN;
    if (isOver()) return false;
  }
  return true;
}
