/**
 * Starts the server, lists what it has, and uses each thing once over the wire.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { createServer } from "./server.ts";

const REVISION = "2026-07-28";

/** Arguments of the tools that need some. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  greet: { name: "Ada" },
  json_schema_2020_12_tool: { name: "Ada", contactMethod: "phone", phone: "555" },
};

/** Tools that run as tasks, and how each ends. */
const TASKS: Readonly<Record<string, string>> = {
  slow_compute: "completed",
  failing_job: "completed",
  protocol_error_job: "failed",
  confirm_delete: "completed",
  multi_input: "completed",
  test_tool_with_task: "completed",
};

const server = createServer({
  secret: "a secret of this check, 32 bytes",
  log: () => {}, // one of the tasks is there to break
});
await using listener = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen: () => {} },
  server.fetch,
);
const url = `http://127.0.0.1:${listener.addr.port}/mcp`;

async function send(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...nameHeader(params.name ?? params.uri ?? params.taskId),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": REVISION,
          "io.modelcontextprotocol/clientInfo": { name: "check", version: "1.0.0" },
          "io.modelcontextprotocol/clientCapabilities": {
            sampling: {},
            elicitation: {},
            roots: {},
            extensions: { "io.modelcontextprotocol/tasks": {} },
          },
        },
      },
    }),
  });
  return await response.json();
}

/** Answers what is asked, round for round. */
async function use(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer> {
  let answer = await send(method, params);
  while (answer.result?.resultType === "input_required") {
    const { inputRequests = {}, requestState } = answer.result;
    answer = await send(method, {
      ...params,
      inputResponses: answerAll(inputRequests),
      requestState,
    });
  }
  return answer;
}

function answerAll(requests: Readonly<Record<string, InputRequest>>): object {
  return Object.fromEntries(
    Object.entries(requests).map(([name, request]) => [name, answerTo(request)]),
  );
}

function answerTo({ method, params }: InputRequest): unknown {
  if (method === "roots/list") return { roots: [{ uri: "file:///work" }] };
  if (method === "sampling/createMessage") {
    return { role: "assistant", content: { type: "text", text: "Paris." }, model: "check" };
  }
  const fields = Object.entries(params?.requestedSchema.properties ?? {});
  const content = fields.map(([name, { type }]) => [name, type === "boolean" ? true : "Ada"]);
  return { action: "accept", content: Object.fromEntries(content) };
}

interface InputRequest {
  readonly method: string;
  readonly params?: {
    readonly requestedSchema: {
      readonly properties: Readonly<Record<string, { readonly type: string }>>;
    };
  };
}

function nameHeader(name: unknown): Readonly<Record<string, string>> {
  return typeof name === "string" ? { "mcp-name": name } : {};
}

interface Answer {
  readonly result?: {
    readonly resultType?: string;
    readonly inputRequests?: Readonly<Record<string, InputRequest>>;
    readonly requestState?: string;
    readonly tools?: readonly { readonly name: string }[];
    readonly content?: readonly unknown[];
    readonly isError?: boolean;
    readonly taskId?: string;
    readonly status?: string;
    readonly resources?: readonly { readonly uri: string }[];
    readonly contents?: readonly unknown[];
    readonly prompts?: readonly {
      readonly name: string;
      readonly arguments?: readonly { readonly name: string }[];
    }[];
    readonly messages?: readonly unknown[];
  };
}

const { result } = await send("tools/list", {});
const names = (result?.tools ?? []).map(({ name }) => name);
assertEquals(names[0], "test_simple_text");

for (const name of names.filter((name) => !Object.hasOwn(TASKS, name))) {
  const answer = await use("tools/call", { name, arguments: ARGUMENTS[name] ?? {} });
  assert(answer.result?.content?.length, `${name} must answer with content`);
  assertEquals(answer.result.isError ?? false, name === "test_error_handling", name);
}
console.log(`Called ${names.length - Object.keys(TASKS).length} tools`);

for (const [name, end] of Object.entries(TASKS)) {
  const { result: handle } = await use("tools/call", { name, arguments: {} });
  const taskId = handle?.taskId;
  let status = handle?.status;
  while (status === "working" || status === "input_required") {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { result: task } = await send("tasks/get", { taskId });
    status = task?.status;
    const { inputRequests } = task ?? {};
    if (inputRequests !== undefined) {
      await send("tasks/update", { taskId, inputResponses: answerAll(inputRequests) });
    }
  }
  assertEquals(status, end, name);
}
console.log(`Ran ${Object.keys(TASKS).length} tasks`);

const { resources = [] } = (await send("resources/list", {})).result ?? {};
const uris = [...resources.map(({ uri }) => uri), "test://template/123/data"];
for (const uri of uris) {
  const answer = await send("resources/read", { uri });
  assertEquals(answer.result?.contents?.length, 1, uri);
}
console.log(`Read ${uris.length} resources`);

const { prompts = [] } = (await send("prompts/list", {})).result ?? {};
for (const { name, arguments: declared = [] } of prompts) {
  const args = Object.fromEntries(declared.map((one) => [one.name, "test://a"]));
  const answer = await use("prompts/get", { name, arguments: args });
  assert(answer.result?.messages?.length, `${name} must answer with messages`);
}
console.log(`Got ${prompts.length} prompts`);
