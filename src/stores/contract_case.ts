/** One case of a contract: what must hold, and a function that rejects when it does not. */
export interface ContractCase {
  /** The claim, as the title of a test. */
  readonly title: string;
  /** Tries it; rejects with what was seen instead. */
  readonly run: () => Promise<void>;
}
