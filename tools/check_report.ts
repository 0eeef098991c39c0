/**
 * Counts what holds and what does not, for programs that prove something and end by themselves.
 *
 * @module
 */

/** The checks of one run. */
export class CheckReport {
  #passed = 0;
  #failed = 0;

  /** Whether nothing has failed so far. */
  get isGood(): boolean {
    return this.#failed === 0;
  }

  /** Runs one check and prints how it ended; what it answers is printed beside its title. */
  async check(title: string, run: () => Promise<string | void>): Promise<void> {
    try {
      const figures = await run();
      this.#passed++;
      console.log(`ok    ${title}${figures === undefined ? "" : `: ${figures}`}`);
    } catch (error) {
      this.#failed++;
      console.log(`FAIL  ${title}: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Prints the last line. */
  finish(): void {
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
  }
}
