import type { Lane } from "./lane.ts";

/** One call with a new id, its body read to the end. */
export type Call = () => Promise<void>;

/**
 * Makes calls of a handler.
 *
 * @param handler What answers.
 * @param build Makes a request with a given id.
 * @returns A call.
 */
export function callOf(handler: Lane["fetch"], build: (id: number) => Request): Call {
  let id = 1_000_001;
  return async () => {
    const response = await handler(build(id++));
    await response.arrayBuffer(); // as bytes: text() hands a string body through for nothing
  };
}
