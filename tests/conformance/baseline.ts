/** What a conformance scenario can wait for. */
export type Capability =
  | "legacy logging"
  | "legacy resource subscriptions"
  | "legacy server requests";

/** Entries by capability: a scenario, or one check of a scenario as `scenario:check`. */
export type Baseline = Readonly<Partial<Record<Capability, readonly string[]>>>;

/**
 * What the conformance suite may still find wrong, by leg and by the capability that an entry waits
 * for. `deno task conformance` fails when anything else fails or warns, and when an entry no longer
 * fails: whoever adds the capability takes its entries out. Entries are never added.
 *
 * What a scenario skips needs no entry. Without entries a leg must pass every check.
 */
export const BASELINE: Readonly<Record<"2025-11-25" | "2026-07-28" | "extensions", Baseline>> = {
  "2025-11-25": {
    "legacy logging": ["logging-set-level", "tools-call-with-logging"],
    "legacy resource subscriptions": ["resources-subscribe", "resources-unsubscribe"],
    "legacy server requests": [
      "elicitation-sep1034-defaults",
      "elicitation-sep1330-enums",
      "tools-call-elicitation",
      "tools-call-sampling",
    ],
  },
  "2026-07-28": {},
  extensions: {},
};
