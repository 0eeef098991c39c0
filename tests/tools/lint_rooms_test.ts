import { lintRooms } from "../../tools/lint_rooms.ts";
import { assertEquals, assertMatch } from "@std/assert";

const EXPORTED = ["mod.ts", "src/kernel/mod.ts"];

/** Each row breaks one rule, or shows the nearest thing that is allowed (no findings). */
const ROWS: readonly {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly findings: readonly string[];
}[] = [
  {
    title: "lets a file import from its own and from lower rooms",
    files: {
      "src/kernel/a.ts": 'import { b } from "./b.ts";\nimport { c } from "../schema/c.ts";',
      "src/server.ts": 'export * from "./edge/a.ts";',
      "mod.ts": 'export * from "./src/server.ts";\nexport * from "./src/testing/a.ts";',
    },
    findings: [],
  },
  {
    title: "refuses an import from a higher room",
    files: { "src/kernel/a.ts": '\nimport { b } from "../gate/b.ts";' },
    findings: ["src/kernel/a.ts:2 rank"],
  },
  {
    title: "refuses a type import, a re-export, import() and an import type from a higher room",
    files: {
      "src/kernel/a.ts": 'import type { B } from "../gate/b.ts";',
      "src/kernel/b.ts": 'export type { B } from "../gate/b.ts";',
      "src/kernel/c.ts": 'export const b = () => import("../gate/b.ts");',
      "src/kernel/d.ts": 'export type B = import("../gate/b.ts").B;',
      "src/kernel/e.ts": 'export * from "../gate/b.ts";',
    },
    findings: ["a", "b", "c", "d", "e"].map((name) => `src/kernel/${name}.ts:1 rank`),
  },
  {
    title: "refuses an import between rooms of one rank",
    files: {
      "src/protocol/a.ts": 'import { b } from "../ports/b.ts";',
      "src/ports/a.ts": 'import { b } from "../protocol/b.ts";',
      "src/testing/a.ts": 'import { b } from "../otel/b.ts";',
    },
    findings: ["src/ports/a.ts:1 rank", "src/protocol/a.ts:1 rank", "src/testing/a.ts:1 rank"],
  },
  {
    title: "refuses an import of mod.ts and of server.ts from below",
    files: {
      "src/edge/a.ts": 'import { b } from "../server.ts";',
      "src/testing/a.ts": 'import { b } from "../../mod.ts";',
    },
    findings: ["src/edge/a.ts:1 rank", "src/testing/a.ts:1 rank"],
  },
  {
    title: "lets a feature import from an earlier one and from what features share",
    files: {
      "src/features/tools/a.ts":
        'import "../apps/b.ts";\nimport "../tasks/c.ts";\nimport "../outcome.ts";',
    },
    findings: [],
  },
  {
    title: "refuses an import from a later feature, and between those of one rank",
    files: {
      "src/features/tasks/a.ts": 'import "../tools/b.ts";',
      "src/features/prompts/a.ts": 'import "../resources/b.ts";',
      "src/features/outcome.ts": 'import "./tasks/b.ts";',
    },
    findings: [
      "src/features/outcome.ts:1 rank",
      "src/features/prompts/a.ts:1 rank",
      "src/features/tasks/a.ts:1 rank",
    ],
  },
  {
    title: "refuses a room or a feature without a rank",
    files: { "src/attic/a.ts": "", "src/features/attic/a.ts": "", "src/stray.ts": "" },
    findings: ["src/attic/a.ts:1 room", "src/features/attic/a.ts:1 room", "src/stray.ts:1 room"],
  },
  {
    title: "refuses an import cycle between files of one room, type imports included",
    files: {
      "src/kernel/a.ts": 'import type { B } from "./b.ts";',
      "src/kernel/b.ts": 'export * from "./c.ts";',
      "src/kernel/c.ts": 'import { a } from "./a.ts";',
      "src/kernel/d.ts": 'import { a } from "./a.ts";',
    },
    findings: ["src/kernel/a.ts:1 cycle"],
  },
  {
    title: "refuses an import from outside src/",
    files: {
      "src/kernel/a.ts": 'import "../../tests/b.ts";\nimport "/etc/c.ts";',
    },
    findings: ["src/kernel/a.ts:1 outside", "src/kernel/a.ts:2 outside"],
  },
  {
    title: "lets a package into its room only",
    files: {
      "src/schema/a.ts": 'import { Validator } from "@cfworker/json-schema";',
      "src/auth/jwt.ts": 'import { jwtVerify } from "@panva/jose";',
      "src/node.ts": 'import { createServer } from "node:http";',
      "src/kernel/a.ts": 'import { Validator } from "@cfworker/json-schema";',
      "src/auth/bearer.ts": 'import { jwtVerify } from "@panva/jose";',
      "src/edge/a.ts": 'import { createServer } from "node:http";',
      "src/stores/redis.ts": 'import { Redis } from "npm:ioredis";',
      "src/edge/b.ts": 'import { McpServer } from "@limen/mcp";',
      "mod.ts": 'export * from "@std/assert";',
    },
    findings: [
      "mod.ts:1 package",
      "src/auth/bearer.ts:1 package",
      "src/edge/a.ts:1 package",
      "src/edge/b.ts:1 package",
      "src/kernel/a.ts:1 package",
      "src/stores/redis.ts:1 package",
    ],
  },
  {
    title: "refuses a revision outside protocol/ and era/, as a value or a type",
    files: {
      "src/edge/a.ts": 'export const isNew = (it: string): boolean => it >= "2025-06-18";',
      "src/methods/a.ts": "export type Old = `2025-03-26`;",
      "src/era/legacy/a.ts": 'export const REVISION = "2025-06-18";',
      "src/protocol/a.ts": 'export const REVISION = "2025-06-18";',
      "src/schema/a.ts": '/** Since "2025-06-18". */\nexport const draft = "draft-2020-12";',
    },
    findings: ["src/edge/a.ts:1 revision", "src/methods/a.ts:1 revision"],
  },
  {
    title: "refuses the Fetch globals outside the edge, as a value or a type",
    files: {
      "src/gate/a.ts": "export const a = (it: Request): string => it.url;",
      "src/gate/b.ts": "export const b = (): unknown => new Response();",
      "src/gate/c.ts": "export const c: unknown = globalThis.Response;",
      "src/gate/d.ts":
        "export interface D { readonly Request: string }\nexport const d = a.Request;",
      "src/auth/a.ts": "export const a = (it: Request): string => it.url;",
      "src/server.ts": "export const a = (it: Request): Response => new Response(it.url);",
    },
    findings: ["src/gate/a.ts:1 fetch", "src/gate/b.ts:1 fetch", "src/gate/c.ts:1 fetch"],
  },
  {
    title: "refuses names that say nothing, names that are not snake_case, and a stray mod.ts",
    files: {
      "src/kernel/utils.ts": "",
      "src/features/tools/helpers/a.ts": "",
      "src/kernel/types.ts": "",
      "src/kernel/common.ts": "",
      "src/kernel/index.ts": "",
      "src/kernel/prepareCall.ts": "",
      "src/kernel/content_types.ts": "",
      "src/kernel/mod.ts": "",
      "src/gate/mod.ts": "",
    },
    findings: [
      "src/features/tools/helpers/a.ts:1 file-name",
      "src/gate/mod.ts:1 file-name",
      "src/kernel/common.ts:1 file-name",
      "src/kernel/index.ts:1 file-name",
      "src/kernel/prepareCall.ts:1 file-name",
      "src/kernel/types.ts:1 file-name",
      "src/kernel/utils.ts:1 file-name",
    ],
  },
];

for (const { title, files, findings } of ROWS) {
  Deno.test(`lintRooms() ${title}`, () => {
    const found = lintRooms(new Map(Object.entries(files)), EXPORTED);
    assertEquals(found.map(({ file, line, rule }) => `${file}:${line} ${rule}`), findings);
  });
}

Deno.test("lintRooms() says what is wrong and how to mend it", () => {
  const [rank] = lintRooms(new Map([["src/kernel/a.ts", 'import "../gate/b.ts";']]), EXPORTED);
  assertMatch(rank?.message ?? "", /^kernel may not import from gate: move the noun/);
  const [cycle] = lintRooms(
    new Map([
      ["src/kernel/b.ts", 'import "./a.ts";'],
      ["src/kernel/a.ts", 'import "./b.ts";'],
    ]),
    EXPORTED,
  );
  assertMatch(cycle?.message ?? "", /src\/kernel\/a\.ts > src\/kernel\/b\.ts > src\/kernel\/a\.ts/);
});
