/** Waits until something holds; rejects after 10 seconds. */
export async function until(claim: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000;
  while (!await claim()) {
    if (Date.now() > end) throw new Error(`It did not come to hold within 10 s: ${claim}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
