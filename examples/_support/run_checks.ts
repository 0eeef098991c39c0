/** A claim, and what proves it. */
export type Check = readonly [claim: string, prove: () => void | Promise<void>];

/** Proves claims in their order, prints a line for each, and makes the process fail if one is false. */
export async function runChecks(checks: readonly Check[]): Promise<void> {
  for (const [claim, prove] of checks) {
    try {
      await prove();
      console.log(`ok    ${claim}`);
    } catch (error) {
      Deno.exitCode = 1;
      console.log(`FAIL  ${claim}`);
      console.error(error);
    }
  }
}
