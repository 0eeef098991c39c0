import type { HostContext } from "../ports/host_context.ts";
import type { Caller } from "../ports/principal.ts";
import type { Logger } from "../ports/logger.ts";
import type { Given } from "./ask.ts";
import type { Question } from "./question.ts";

/** The transport's request as a callable may see it; credentials are left out. */
export interface CallRequest {
  /** HTTP method. */
  readonly method: string;
  /** Absolute URL as received; its host is whatever the client wrote. */
  readonly url: string;
  /** Reads one header; `null` where it is absent or holds credentials. */
  header(name: string): string | null;
}

/** Details of one progress report. */
export interface ProgressOptions {
  /** How much there is to do, in the unit of the value. */
  readonly total?: number;
  /** What is being done, for people. */
  readonly message?: string;
  /** Metadata of the notification. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Reports progress; does nothing when nobody listens, and never throws. */
export type Progress = (value: number, options?: ProgressOptions) => void;

/** What a transport knows of one call; `signal` and `progress` are made when first read. */
export interface CallContext {
  /** Who calls. */
  readonly caller: Caller;
  /** The transport's request; absent in process. */
  readonly request: CallRequest | undefined;
  /** What the platform passed. */
  readonly host: HostContext;
  /** Aborted when the caller leaves or cancels. */
  readonly signal: AbortSignal;
  /** Reports progress to the caller. */
  readonly progress: Progress;
  /** Where events go. */
  readonly log: Logger;
  /** Whether whoever calls can be asked something; absent where nobody can be asked anything. */
  readonly canAsk?: ((question: Question) => boolean) | undefined;
  /** What was answered in earlier rounds; absent in the first. */
  readonly input?: Given | undefined;
}
