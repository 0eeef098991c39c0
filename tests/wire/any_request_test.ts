/** Whatever is sent, there is one sound answer, and the server serves on. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createFixture } from "../_support/fixture_server.ts";
import { type McpInput, mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer } from "../_support/read_answer.ts";
import { assertSound, assertStillServes, testLanes } from "../_support/wire_sheet.ts";

const METHODS = ["tools/list", "tools/call", "server/discover", "ping", "initialize"];
const TOOLS = ["echo", "structured", "hdr", "noargs", "fail", "refuse", "progress", "nope"];

const json = fc.jsonValue({ maxDepth: 3 });
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 9 });
const headerValue = fc.string({ unit: "binary-ascii" }).map((text) =>
  text.replace(/[^\x20-\x7E]/g, "")
);

/** A request in which everything may be wrong, but not everything at once. */
const input: fc.Arbitrary<McpInput> = fc.record({
  method: fc.constantFrom(...METHODS),
  id: fc.oneof({ weight: 4, arbitrary: fc.nat() }, json),
  params: fc.record({
    name: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...TOOLS) }, json),
    arguments: fc.oneof(
      fc.record({ text: json, v: json, n: json, values: json }, { requiredKeys: [] }),
      json,
    ),
    cursor: json,
  }, { requiredKeys: [] }),
  meta: fc.record({ progressToken: json }, { requiredKeys: [] }),
  message: fc.oneof(
    { weight: 8, arbitrary: fc.constant({}) },
    fc.record({ jsonrpc: json, method: json, params: json }, { requiredKeys: [] }),
  ),
  headers: fc.record({
    "mcp-name": rarely(headerValue),
    "mcp-param-n": rarely(headerValue),
    accept: rarely(headerValue),
  }).map((headers) =>
    Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
  ) as fc.Arbitrary<Record<string, string>>,
});

for (const era of ["modern", "legacy"] as const) {
  testLanes(`McpServer.fetch() gives any ${era} request one sound answer`, async (reach) => {
    const { server, hooks } = createFixture();
    const lane = await reach(server);
    const assertAnswers = async (one: McpInput): Promise<void> => {
      hooks.ran.length = hooks.events.length = 0;
      const answer = await readAnswer(await lane.fetch(mcpRequest(era, one)));
      assert([200, 202, 400, 404, 406, 500].includes(answer.status), `${answer.status}`);
      if (answer.status === 202) assertEquals([answer.text, hooks.ran], ["", []]);
      else assertSound(answer, answer.message?.result === undefined ? "" : one.method!, era);
      assertEquals(hooks.inFlight, 0);
      const faults = hooks.events.filter(({ level }) => level === "error").length;
      assertEquals(faults > 0, answer.message?.error?.code === -32603, answer.text);
      assertEquals(faults > 0, hooks.ran.includes("fail"), answer.text);
    };
    await fc.assert(fc.asyncProperty(input, assertAnswers), { numRuns: 200 });
    await assertStillServes(lane, era);
  });
}

testLanes("McpServer.fetch() gives any body one sound answer", async (reach) => {
  const lane = await reach(createFixture().server);
  const body = fc.oneof(
    fc.string({ unit: "binary" }),
    json.map((value) => JSON.stringify(value)),
    fc.uint8Array().map((bytes) => new Uint8Array(bytes)),
  );
  const assertRefuses = async (one: BodyInit): Promise<void> => {
    const answer = await readAnswer(await lane.fetch(mcpRequest("modern", { body: one })));
    assert(answer.status === 400 || answer.status === 202, `${answer.status}`);
    if (answer.status === 400) assertSound(answer, "");
  };
  await fc.assert(fc.asyncProperty(body, assertRefuses), { numRuns: 300 });
  await assertStillServes(lane, "modern");
});
