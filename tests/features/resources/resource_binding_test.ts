/** What is refused about a resource at registration (R-2, C-6, M-11). */
import { assertThrows } from "@std/assert";
import {
  ConfigurationError,
  jsonSchema,
  McpServer,
  param,
  provider,
  type ResourceOptions,
  selectorSpec,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";

const permissions = [unrestricted];
const plain = selectorSpec({ kind: "retrieve", permissions, select: () => 1 });
const byId = selectorSpec({
  kind: "retrieve",
  reads: { id: param.integer({ required: true }), shape: param.string() },
  permissions,
  select: () => 1,
});
const many = selectorSpec({ kind: "list", permissions, select: () => [1] });
const write = serviceSpec({ permissions, run: () => 1 });
const withInput = selectorSpec({
  kind: "retrieve",
  input: jsonSchema<{ q: string }>({
    type: "object",
    properties: { q: { type: "string" } },
    required: ["q"],
  }),
  permissions,
  select: () => 1,
});

const maybe = selectorSpec({ kind: "retrieve", allowNone: true, permissions, select: () => null });
const provided = selectorSpec({
  kind: "retrieve",
  reads: { id: param.integer({ required: true }) },
  provide: provider({ id: "always" }, () => ({ id: 1 })),
  permissions,
  select: () => 1,
});

const ROWS: readonly (readonly [spec: unknown, options: object, message: string])[] = [
  [plain, { name: "" }, 'Cannot register resource "x://a": name must be a text'],
  [plain, { uri: 5 }, 'Cannot register resource "a": uri must be a text'],
  [plain, { uri: "a" }, "uri must begin with a scheme"],
  [plain, { uri: "x://{a" }, "uri has a brace without its pair"],
  [plain, { uri: "x://{id}" }, 'the uri names "id", which is none of the spec\'s reads'],
  [byId, {}, 'the spec needs "id", which the uri does not name'],
  [byId, { uri: "x://{shape}" }, 'the spec needs "id", which the uri does not name'],
  [withInput, {}, 'the spec needs "q", which the uri does not name'],
  [many, {}, "a resource is one row"],
  [write, {}, "a resource is one row"],
  [maybe, { encoding: "text" }, 'a spec with allowNone is served as "json" only'],
  [maybe, { encoding: "blob" }, 'a spec with allowNone is served as "json" only'],
  [provided, { uri: "x://{id}" }, 'the uri names "id", which is none of the spec\'s reads'],
  [{}, {}, "expected a spec made by serviceSpec() or selectorSpec()"],
  [plain, { permissions: [] }, "permissions is not an option of a resource"],
  [plain, { encoding: "xml" }, "encoding must be one of json, text, blob, contents"],
  [plain, { mimeType: "" }, "mimeType must be a text that is not empty"],
  [plain, { cacheTtlMs: -1 }, "cacheTtlMs must be an integer of at least 0"],
  [plain, { maxResultBytes: 0.5 }, "maxResultBytes must be an integer of at least 1"],
  [plain, { size: -1 }, "size must be an integer of at least 0"],
  [plain, { annotations: [] }, "annotations must be an object"],
  [plain, { meta: 5 }, "meta must be an object"],
  [plain, { meta: { f: () => 1 } }, "meta: Cannot write $.f as JSON"],
  [plain, { title: " " }, "title must be a text that is not blank"],
  [plain, { scopes: [] }, "scopes is empty"],
  [plain, { icons: [{ src: "http://a.example/i.png" }] }, "the src of an icon must be an https:"],
  [plain, { icons: [{ src: "javascript:1" }] }, "the src of an icon must be an https:"],
  [plain, { icons: [{}] }, "icons must be a list of objects with src"],
  [plain, { icons: [{ src: "data:,", theme: "red" }] }, "the theme of an icon must be"],
  [byId, { uri: "x://{id}", complete: { no: () => [] } }, 'complete names "no", which is no'],
  [byId, { uri: "x://{id}", complete: { shape: () => [] } }, 'complete names "shape", which is no'],
  [byId, { uri: "x://{id}", complete: { id: [] } }, "complete.id must be a function"],
];

for (const [spec, options, message] of ROWS) {
  Deno.test(`registerResource() refuses: ${message}`, () => {
    const server = new McpServer({ name: "s", version: "1" });
    const all = { uri: "x://a", name: "a", ...options } as ResourceOptions;
    assertThrows(() => server.registerResource(spec as never, all), ConfigurationError, message);
  });
}

Deno.test("registerResource() refuses a URI that is taken", () => {
  const server = new McpServer({ name: "s", version: "1" });
  server.registerResource(plain, { uri: "x://a", name: "a" });
  assertThrows(
    () => server.registerResource(plain, { uri: "x://a", name: "b" }),
    ConfigurationError,
    'Cannot register resource "x://a": the URI is taken',
  );
});
