import type { Snippet } from "./snippet.ts";

const VALIBOT =
  'import * as v from "@valibot/valibot"; import { toStandardJsonSchema } from "@valibot/to-json-schema";';

/** Mistakes in the options of tools, resources and prompts, as they are registered (TS-1). */
export const BINDING_SNIPPETS: readonly Snippet[] = [
  {
    title: "reads of another library",
    code: 'server.tool("t", { ...tool, reads: { id: z.string() } }, () => 1);',
    says: "Property 'required' is missing in type 'ZodString' but required in type 'Parameter<",
  },
  {
    title: "reads that are texts",
    code: 'server.tool("t", { ...tool, reads: { id: "string" } }, () => 1);',
    says: "Type 'string' is not assignable to type 'Parameter<unknown, boolean>'",
  },
  {
    title: "parameters as input",
    code: 'server.tool("t", { ...tool, input: { id: param.string() } }, () => 1);',
    says: "'id' does not exist in type 'NoJsonSchema & StandardSchema<",
  },
  {
    title: "the fields of a schema as input",
    code: 'server.tool("t", { ...tool, input: { id: z.string() } }, () => 1);',
    says: "'id' does not exist in type 'NoJsonSchema & StandardSchema<",
  },
  {
    title: "an input of Valibot as it is",
    code:
      `${VALIBOT} server.tool("t", { ...tool, input: v.object({ a: v.string() }) }, ({ args }) => args.a);`,
    says: "Property '\"wrap it in toStandardJsonSchema()\"' is missing in type 'ObjectSchema<",
  },
  {
    title: "an output of Valibot as it is",
    code:
      `${VALIBOT} serviceSpec({ ...open, output: v.object({ a: v.string() }), run: () => ({ a: "" }) });`,
    says: "Property '\"wrap it in toStandardJsonSchema()\"' is missing in type 'ObjectSchema<",
  },
  {
    title: "schemas of Valibot that describe themselves, of nobody yet, and any",
    code: `${VALIBOT} const s = toStandardJsonSchema(v.object({ a: v.picklist(["x", "y"]) }));` +
      "serviceSpec({ ...open, input: s, output: s, run: ({ args }) => ({ a: args.a }) });" +
      'server.tool("t", { ...tool, input: s, output: s }, () => ({ a: "x" }));' +
      'function make<S extends Schema>(s: S) { server.tool("t", { ...tool, input: s }, () => 1); }' +
      'declare const any: any; server.tool("t", { ...tool, input: any, output: any }, ({ args }) => args);',
  },
  {
    title: "no effect",
    code: 'server.tool("t", { description: "T.", permissions: [unrestricted] }, () => 1);',
    says: "Property 'effect' is missing",
  },
  {
    title: "permissions that are functions",
    code: 'server.tool("t", { ...tool, permissions: [() => true] }, () => 1);',
    says: "is not assignable to type 'PermissionCheck<Principal>'",
  },
  {
    title: "permissions that are names",
    code: 'server.tool("t", { ...tool, permissions: ["admin"] }, () => 1);',
    says: "Type 'string' is not assignable to type 'PermissionCheck<Principal>'",
  },
  {
    title: "a check that may not know",
    code: 'server.tool("t", { ...tool, permissions: [' +
      "{ hasPermission: ({ token }) => token?.scopes.includes('a') }] }, () => 1);",
    says: "Type 'undefined' is not assignable to type 'Awaitable<boolean>'",
  },
  {
    title: "rate limits that are a number",
    code: 'server.tool("t", { ...tool, rateLimits: 5 }, () => 1);',
    says: "Type 'number' is not assignable to type 'RateLimiters'",
  },
  {
    title: "a hint that there is not",
    code: 'server.tool("t", { ...tool, annotations: { readOnly: true } }, () => 1);',
    says: "'readOnly' does not exist in type 'ToolAnnotations'",
  },
  {
    title: "server arguments without values",
    code: 'server.tool("t", { ...tool, serverArguments: { tenant: "a" } }, () => 1);',
    says: "'tenant' does not exist in type 'ServerArguments'",
  },
  {
    title: "a policy of tasks that there is not",
    code: 'server.tool("t", { ...tool, taskPolicy: "always" }, () => 1);',
    says: "Type '\"always\"' is not assignable to type ",
  },
  {
    title: "options before the name",
    code: 'server.registerTool("t", serviceSpec({ ...open, run: () => 1 }));',
    says: "Argument of type 'string' is not assignable to parameter of type 'Spec<",
  },
  {
    title: "a list as a resource",
    code: "server.registerResource(selectorSpec({ ...list, select: () => [] }), " +
      '{ uri: "a://b", name: "b" });',
    says: "Type '\"list\"' is not assignable to type '\"retrieve\"'",
  },
  {
    title: "a resource without a URI",
    code: 'server.registerResource(found, { name: "b" });',
    says: "Property 'uri' is missing in type '{ name: string; }'",
  },
  {
    title: "a media type that is misspelt",
    code: 'server.registerResource(found, { uri: "a://b", name: "b", mimetype: "text/plain" });',
    says: "Did you mean to write 'mimeType'?",
  },
  {
    title: "an encoding that there is not",
    code: 'server.registerResource(found, { uri: "a://b", name: "b", encoding: "utf8" });',
    says: "Type '\"utf8\"' is not assignable to type 'Encoding'",
  },
  {
    title: "permissions of a resource beside its spec",
    code: 'server.registerResource(found, { uri: "a://b", name: "b", ...open });' +
      'server.registerResource(found, { uri: "a://b", name: "b", permissions: [] });',
    says: "'permissions' does not exist in type 'ResourceOptions<Principal>'",
  },
  {
    title: "a resource for other users",
    code:
      "server.registerResource(specsFor<Staff>({}).selectorSpec({ ...one, select: () => 1 }), " +
      '{ uri: "a://b", name: "b" });',
    says: "Property 'tenant' is missing in type 'Principal' but required in type 'Staff'",
  },
  {
    title: "completions that are a list",
    code:
      'server.registerResource(found, { uri: "a://{id}", name: "b", complete: { id: ["a"] } });',
    says: "Type 'string[]' is not assignable to type 'Completer<Principal>'",
  },
  {
    title: "completions of what a completer is not told",
    code: 'server.registerResource(found, { uri: "a://{id}", name: "b", ' +
      "complete: { id: ({ typed }) => typed } });",
    says: "Property 'typed' does not exist on type 'CompletionPool<Principal>'",
  },
  {
    title: "completions that fit",
    code: 'server.registerResource(found, { uri: "a://{id}/{b}", name: "b", complete: ' +
      "{ id: ({ value }) => [value], b: async function* () { yield 1; } } });",
  },
  {
    title: "completions of an argument that a prompt does not have",
    code:
      'server.registerPrompt("p", { ...open, reads, complete: { nmae: () => ["a"] } }, () => "a");',
    says: "'nmae' does not exist in type 'Completers<Principal, ",
  },
  {
    title: "the arguments of a prompt as the wire lists them",
    code: 'server.registerPrompt("p", { ...open, arguments: [{ name: "a" }] }, () => "a");',
    says: "'arguments' does not exist in type 'PromptOptions<",
  },
  {
    title: "a file's readers who are other users",
    code: 'fileResources(server, { files, baseUri: "a:///", permissions: [isClerk] });',
    says: "Property 'tenant' is missing in type 'Principal' but required in type 'Staff'",
  },
  {
    title: "a file's readers who are the server's own users",
    code: 'fileResources(staffed, { files, baseUri: "a:///", permissions: [isClerk] });',
  },
  {
    title: "a user who calls within the process, and is another",
    code: 'staffed.invokeTool("t", {}, { user: { authenticated: true } });',
    says: "Property 'tenant' is missing in type '{ authenticated: true; }'",
  },
];
