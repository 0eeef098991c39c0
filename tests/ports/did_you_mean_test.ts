import { assertEquals, assertThrows } from "@std/assert";
import {
  ConfigurationError,
  fixedWindow,
  McpServer,
  param,
  selectorSpec,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";
import { jwtAuth } from "@limen/mcp/auth/jwt";
import { didYouMean } from "../../src/ports/did_you_mean.ts";

const KNOWN = ["auth", "pageSize", "permissions", "stores", "__proto__"];

const NAMES: readonly (readonly [written: string, meant: string | undefined])[] = [
  ["pageSiz", "pageSize"],
  ["pagesize", "pageSize"],
  ["pageSzie", "pageSize"],
  ["page_size", "pageSize"],
  ["permission", "permissions"],
  ["premisions", "permissions"],
  ["store", "stores"],
  ["atuh", "auth"],
  ["auht", "auth"],
  ["aut", "auth"],
  ["a", undefined],
  ["", undefined],
  ["path", undefined],
  ["colour", undefined],
  ["constructor", undefined],
  ["pageSize".repeat(1000), undefined],
];

for (const [written, meant] of NAMES) {
  Deno.test(`didYouMean() of ${written.slice(0, 20)} is ${meant ?? "nothing"}`, () => {
    const expected = meant === undefined ? "" : `: did you mean "${meant}"?`;
    assertEquals(didYouMean(written, KNOWN), expected);
  });
}

Deno.test("didYouMean() takes the nearest, and of two the first", () => {
  assertEquals(didYouMean("maxByte", ["maxItems", "maxBytes"]), ': did you mean "maxBytes"?');
  assertEquals(didYouMean("cat", ["bat", "rat"]), ': did you mean "bat"?');
});

const open = { permissions: [unrestricted] };
const named = { name: "s", version: "1", log: () => {} };
const server = new McpServer(named);
const tool = { description: "T.", effect: "read", ...open };
const read = selectorSpec({ ...open, kind: "retrieve", select: () => 1 });
const issuer = "https://issuer.example";

const MISTAKES: readonly (readonly [build: () => unknown, message: string])[] = [
  [
    () => new McpServer({ ...named, pageSzie: 1 } as never),
    'Cannot create server: option pageSzie is not an option: did you mean "pageSize"?',
  ],
  [
    () => new McpServer({ ...named, limits: { perCalller: {} } } as never),
    'Cannot create server: option limits.perCalller is not an option: did you mean "perCaller"?',
  ],
  [
    () => new McpServer({ ...named, conventions: { handleLin: "x" } } as never),
    'Cannot create server: convention handleLin is not a convention: did you mean "handleLine"?',
  ],
  [
    () => serviceSpec({ ...open, run: () => 1, inptu: 1 } as never),
    'Cannot build a service spec: inptu is not a field of a spec: did you mean "input"?',
  ],
  [
    () => server.registerTool(read, { name: "t", descripton: "T." } as never),
    'Cannot register tool "t": descripton is not an option of a tool: did you mean "description"?',
  ],
  [
    () => server.tool("t", { ...tool, permisions: [] } as never, () => 1),
    'Cannot register tool "t": permisions is not an option of a tool: did you mean "permissions"?',
  ],
  [
    () => server.registerPrompt("p", { ...open, read: {} } as never, () => "x"),
    'Cannot register prompt "p": read is not an option of a prompt: did you mean "reads"?',
  ],
  [
    () => server.registerResource(read, { uri: "x://a", name: "r", mimetype: "a/b" } as never),
    'Cannot register resource "r": mimetype is not an option of a resource: did you mean "mimeType"?',
  ],
  [
    () => param.string({ chioces: ["a"] } as never),
    'Cannot declare param.string: chioces is not an option: did you mean "choices"?',
  ],
  [
    () => fixedWindow({ maxCalls: 1, perSecond: 1 } as never),
    'Cannot create fixedWindow(): perSecond is not an option: did you mean "perSeconds"?',
  ],
  [
    () => jwtAuth({ issuer, audiance: "x" } as never),
    'Cannot create jwtAuth(): audiance is not an option: did you mean "audience"?',
  ],
];

for (const [build, message] of MISTAKES) {
  Deno.test(`an error names what was meant: ${message}`, () => {
    const error = assertThrows(build, ConfigurationError);
    assertEquals(error.message, message);
  });
}
