/**
 * The server that every runtime serves, built at module level as an application would build it.
 *
 * @module
 */
import { jsonSchema, McpServer, param, question, unrestricted } from "@limen/mcp";
import { memoryBroker } from "@limen/mcp/stores/memory";

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let cancelled = 0;
let isReleased = false;

/**
 * The server; a call that runs for longer than 60 ms becomes a stream. A Worker learns that the
 * client left a stream when it writes the next time, so it keeps streams alive often.
 */
export const server: McpServer = new McpServer({
  name: "runtimes",
  version: "1.0.0",
  secret: "a secret of the tests, 32 bytes long",
  publicUrl: "http://127.0.0.1/mcp",
  broker: memoryBroker(),
  streamAfterMs: 60,
  keepAliveMs: 100,
  continuations: { anonymous: true },
  log: () => {},
});

const common = { effect: "read", permissions: [unrestricted] } as const;

server.tool("echo", {
  ...common,
  description: "Gives back a text.",
  reads: { text: param.string({ required: true }) },
}, ({ args }) => args.text);

server.tool("echo_later", {
  ...common,
  description: "Gives back a text after a moment.",
  reads: { text: param.string({ required: true }) },
}, async ({ args }) => {
  await sleep(5);
  return args.text;
});

server.tool("announce", {
  ...common,
  description: "Tells whoever listens that the tools have changed, and how many were told.",
}, async () => `${await server.notifyListChanged("tools")}`);

server.tool("declare", {
  ...common,
  description: "Takes parameters of every kind.",
  reads: {
    id: param.integer({ required: true }),
    status: param.string({ choices: ["open", "paid"] }),
    day: param.string({ format: "date" }),
    box: param.object({ fields: { size: param.integer() } }),
    rows: param.array({ size: param.integer() }),
    open: param.object(),
  },
}, ({ args }) => ({ ...args }));

server.tool("constrain", {
  ...common,
  description: "Takes what a JSON Schema takes.",
  input: jsonSchema<{ filter?: object }>({
    type: "object",
    properties: { filter: { type: "object", properties: { since: { type: "string" } } } },
  }),
}, ({ args }) => ({ ...args }));

server.tool("erase", {
  ...common,
  description: "Asks for a name, and erases it once the user agrees.",
}, async ({ ask, confirm }) => {
  const { who } = ask({
    who: question.form("Whom?", { name: param.string({ required: true }) }),
  }, { state: { kept: "é😀" } });
  const name = who.action === "accept" ? who.content.name : "nobody";
  await confirm(`Erase ${name}?`, { name });
  return `Erased ${name}, kept ${(ask.state as { kept: string }).kept}`;
});

server.tool("is_polluted", {
  ...common,
  description: "Says whether every object has something that nobody gave it.",
}, () => "polluted" in {} ? "polluted" : "clean");

server.tool("break", {
  ...common,
  description: "Fails in ways that only a bug does.",
  reads: { how: param.string({ required: true }) },
}, ({ args }) => {
  if (args.how === "null") return Promise.reject(null);
  if (args.how === "throw") throw new Error("The password is swordfish");
  if (args.how === "bigint") return { big: 2n ** 80n };
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  return cycle;
});

server.tool("write_rows", {
  ...common,
  effect: "create",
  description: "Writes two rows.",
  continuation: true,
}, () => [{ id: 1, note: "é😀" }, { id: 2, note: "é😀" }]);

server.tool("report", {
  ...common,
  description: "Reports progress.",
}, async ({ progress }) => {
  for (let i = 1; i <= 3; i++) {
    progress(i, { total: 3, message: "line\u2028end" });
    await sleep(5);
  }
  return "done";
});

server.tool("take", {
  ...common,
  description: "Takes some time, in milliseconds.",
  reads: { ms: param.integer({ required: true }) },
}, async ({ args }) => {
  await sleep(args.ms);
  return "done";
});

server.tool("wait", {
  ...common,
  description: "Reports once, and waits until somebody calls release or the client leaves.",
}, async ({ progress, signal }) => {
  isReleased = false;
  progress(1);
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearInterval(timer);
      resolve();
    };
    const timer = setInterval(() => isReleased && end(), 5);
    signal.addEventListener("abort", () => {
      cancelled++;
      end();
    });
  });
  return "released";
});

server.tool("release", {
  ...common,
  effect: "act",
  description: "Ends the waiting.",
}, () => {
  isReleased = true;
  return "released";
});

server.tool("count_cancelled", {
  ...common,
  description: "Counts the calls whose client left.",
}, () => String(cancelled));
