/** A piece of code that an author writes, and what the compiler says of it. */
export interface Snippet {
  /** What it shows. */
  readonly title: string;
  /** What an author writes. */
  readonly code: string;
  /** What the error says, among the rest; absent for code that is right. */
  readonly says?: string;
}
