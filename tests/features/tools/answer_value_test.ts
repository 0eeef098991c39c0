/** How much a caller is answered who comes by another way than a call. */
import { assertEquals } from "@std/assert";
import { memoryStore } from "@limen/mcp/stores/memory";
import { runTool } from "../../../src/features/tools/call_tool.ts";
import { bindTool } from "../../../src/features/tools/tool_binding.ts";
import { prepareCall } from "../../../src/kernel/prepare_call.ts";
import { Continuations } from "../../../src/present/continuation.ts";
import { readContinuationOptions } from "../../../src/present/continuation_options.ts";
import { readSettings } from "../../../src/settings.ts";
import { ada, createDevices } from "../../_support/lean_fixture.ts";

const store = memoryStore();
const settings = readSettings({ name: "s", version: "1", continuationTool: "read_on" });
const tool = bindTool(createDevices, { name: "t" }, {
  ...settings,
  limiting: { store, now: () => 0 },
  continuing: new Continuations(store, readContinuationOptions()),
});
const ARGS = { items: [{ name: "a" }] };
const context = {
  caller: ada,
  request: undefined,
  host: {},
  signal: new AbortController().signal,
  progress: () => {},
  log: () => {},
};

for (
  const [style, keys] of [
    ["lean", ["accepted", "status_code", "data_size", "continuation_token"]],
    ["tokenless", ["accepted", "status_code", "data_size", "ids"]], // as a worker answers
    ["whole", ["0"]],
  ] as const
) {
  Deno.test(`runTool() answers ${style} where it is told to (X-6, Q-28)`, async () => {
    const prepared = prepareCall(tool.operation, context, ARGS);
    const outcome = await runTool(tool, prepared, ARGS, { style });
    const value = outcome.type === "complete" ? JSON.parse(outcome.result.structured!) : outcome;
    assertEquals(Object.keys(value), [...keys]);
  });
}
