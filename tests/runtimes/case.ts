/** How a case reaches the server: in process, or over a socket. */
export interface Target {
  /** Answers a request to the endpoint. */
  readonly fetch: (init: RequestInit) => Promise<Response>;
  /** Whether a socket lies between; `Content-Length` is then written by the client. */
  readonly hasSocket: boolean;
  /** Whether a framework parses the body first, and answers for what it cannot read. */
  readonly hasParser?: boolean;
  /** Whether requests share no streams. */
  readonly isolatesRequests?: boolean;
}

/** One claim that holds on every runtime. */
export interface Case {
  readonly title: string;
  /** Whether it is about bodies that no parser in front of the server lets through. */
  readonly needsRawBody?: boolean;
  /** Whether one request writes to the stream of another, which Workers forbid. Default `false`. */
  readonly crossesRequests?: boolean;
  /** Throws when the claim does not hold. */
  readonly run: (target: Target) => Promise<void>;
}
