/**
 * The rooms of `src/` as data: who may import whom, and what else may be imported. The linter in
 * `lint_rooms.ts` reads these tables and knows no room by name.
 *
 * @module
 */

/** Rooms with their rank. A file imports from its own room, or from one of a lower rank. */
export const ROOM_RANKS: Readonly<Record<string, number>> = {
  protocol: 0,
  ports: 0,
  schema: 1,
  kernel: 2,
  stores: 3,
  gate: 4,
  present: 5,
  features: 6,
  methods: 7,
  era: 8,
  auth: 9,
  edge: 10,
  settings: 11, // src/settings.ts, the options of a server
  server: 12, // src/server.ts
  testing: 13,
  otel: 13,
  node: 13, // src/node.ts, the adapter
  mod: 14, // mod.ts beside src/
};

/** Folders of `features/` with their rank, by the same rule. What they all share has the rank -1. */
export const FEATURE_RANKS: Readonly<Record<string, number>> = {
  elicitation: -2, // what an outcome is made of that asks
  tasks: 1,
  resources: 2,
  prompts: 2,
  apps: 2,
  tools: 3,
  completions: 4,
  subscriptions: 5,
  discovery: 6,
};

/** What is imported by a bare name, and the only files that may do so. */
export const PACKAGES: readonly { readonly name: RegExp; readonly files: RegExp }[] = [
  { name: /^@cfworker\/json-schema$/, files: /^src\/schema\// },
  { name: /^@panva\/jose$/, files: /^src\/auth\/jwt\.ts$/ },
  { name: /^@opentelemetry\/api$/, files: /^src\/otel\// },
  { name: /^node:/, files: /^src\/node\w*\.ts$/ },
];

/** The rooms that may write a revision such as `2025-06-18` as a literal. */
export const REVISION_ROOMS: readonly string[] = ["protocol", "era"];

/** The rooms that may name the Fetch globals `Request` and `Response`. */
export const FETCH_ROOMS: readonly string[] = [
  "auth",
  "edge",
  "settings",
  "server",
  "testing",
  "node",
  "mod",
];

/** Names that say nothing about what a file or folder holds. */
export const EMPTY_NAMES: readonly string[] = [
  "common",
  "helper",
  "helpers",
  "index",
  "misc",
  "type",
  "types",
  "util",
  "utils",
];
