import type { JsonObject } from "../protocol/json.ts";
import type { TestAnswer } from "./test_answer.ts";

/** A message's headers and parameters, in the form of one era. */
export interface Address {
  /** HTTP headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parameters, with the era's own. */
  readonly params: JsonObject;
}

/** How a client of one era talks to a server. */
export interface Conversation {
  /** Whether clients mirror annotated arguments into headers. */
  readonly mirrorsArguments: boolean;
  /**
   * Opens it, where that is needed and was not done.
   *
   * @returns The answer that refused it, or `undefined`.
   */
  open(): Promise<TestAnswer | undefined>;
  /** Addresses a request or a notification. */
  address(method: string, params: JsonObject): Address;
  /** Tells the server that nobody waits for a request any more; absent where leaving says so. */
  cancel?(requestId: number): Promise<unknown>;
  /**
   * Ends it, where there is something to end.
   *
   * @returns What the server said to that, or `undefined`.
   */
  close(): Promise<TestAnswer | undefined>;
}

/** Who a test client says it is, and what it speaks. */
export interface ConversationOptions {
  /** What the client declares it can do. Default: nothing; where it has an `answer`, to be asked anything. */
  readonly capabilities?: JsonObject;
  /** The revision to speak. Default: the newest of the era. */
  readonly protocolVersion?: string;
}

/** The name and version of the client. */
export const CLIENT_INFO: JsonObject = Object.freeze({ name: "limen-test", version: "1.0.0" });
