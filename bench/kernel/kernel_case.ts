/** One feature of the kernel in use. */
export interface KernelCase {
  /** What is used. */
  readonly name: string;
  /** Builds a server; the request and the rows of the answer are those of the whole group. */
  readonly build: () => Served;
}

/** A server, whatever its users and seeds. */
export interface Served {
  /** Answers one request. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Cases that are held against the first of them, which does the same work and declares nothing. */
export interface CaseGroup {
  /** What is served. */
  readonly title: string;
  /** The method that is called. */
  readonly method: "tools/call" | "tools/list";
  /** The arguments of the call. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What every answer holds as text; verified before anything is timed. */
  readonly marker: string;
  /** The cases, the plain one first. */
  readonly cases: readonly [plain: KernelCase, ...more: readonly KernelCase[]];
}
