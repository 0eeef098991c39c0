import type { CallContext } from "../../kernel/call_context.ts";
import type { ValueResult } from "../../kernel/operation.ts";
import { createSeedPool, type SeedPool } from "../../kernel/pool.ts";
import type { Announcer } from "../announcer.ts";
import type { Invalidation } from "./invalidation.ts";

/** What announcing takes. */
export interface AnnounceWriteOptions {
  /** The tool, for the log. */
  readonly tool: string;
  /** Works out what a call changes. */
  readonly invalidation: Invalidation;
  /** Tells who watches it. */
  readonly announcer: Announcer;
  /** Whose resources the caller means. Default: one partition for all. */
  readonly partition: ((pool: SeedPool) => string) | undefined;
}

/** Tells of what a call changed, once it is committed and was answered well; fails no call. */
export type AnnounceWrite = (ended: ValueResult, context: CallContext) => void;

/**
 * Makes what announces the writes of one tool (S-20). The answer does not wait for the broker.
 */
export function createAnnounceWrite(options: AnnounceWriteOptions): AnnounceWrite {
  const { tool, invalidation, announcer, partition } = options;
  return ({ value, args }, context) => {
    try {
      const uris = invalidation(value, args);
      if (uris.length === 0) return;
      const whose = partition?.(createSeedPool(context)) ?? "";
      for (const uri of uris) announcer.resourceUpdated(uri, whose);
    } catch (cause) {
      context.log({
        level: "error",
        event: "subscription.invalidate",
        message: "What a call invalidates could not be told",
        cause,
        fields: { tool },
      });
    }
  };
}
