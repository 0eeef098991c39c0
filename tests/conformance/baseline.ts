/** What a conformance scenario can wait for. */
export type Capability =
  | "elicitation"
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
 * What a scenario skips needs no entry. Without entries a leg must pass every check, those included
 * that are skipped today: subscriptions in `server-stateless`, resumption in `server-sse-polling`.
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
  "2026-07-28": {
    elicitation: [
      "input-required-result-basic-elicitation",
      "input-required-result-basic-list-roots",
      "input-required-result-basic-sampling",
      "input-required-result-capability-check",
      "input-required-result-ignore-extra-params",
      "input-required-result-missing-input-response",
      "input-required-result-multi-round",
      "input-required-result-multiple-input-requests",
      "input-required-result-non-tool-request",
      "input-required-result-request-state",
      "input-required-result-result-type",
      "input-required-result-tampered-state",
    ],
  },
  extensions: {
    elicitation: [
      "tasks-dispatch-and-envelope",
      "tasks-mrtr-composition",
      "tasks-mrtr-input",
    ],
  },
};
