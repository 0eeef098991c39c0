/**
 * Waits until something holds.
 *
 * @throws {Error} naming it, when it does not within the time.
 */
export async function until(
  claim: string,
  holds: () => boolean | Promise<boolean>,
  ms: number = 15_000,
): Promise<void> {
  const end = Date.now() + ms;
  while (!await holds()) {
    if (Date.now() > end) {
      throw new Error(`Within ${ms / 1000} s it did not come to hold: ${claim}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
