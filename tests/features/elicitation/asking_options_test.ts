import { assertEquals, assertThrows } from "@std/assert";
import { ConfigurationError, McpServer } from "@limen/mcp";

const WRONG: readonly (readonly [requestState: object, message: string])[] = [
  [{ ttlMs: 0 }, "requestState.ttlMs must be an integer of at least 1"],
  [{ ttlMs: "600" }, "requestState.ttlMs must be a number"],
  [{ maxRounds: 1.5 }, "requestState.maxRounds must be an integer of at least 1"],
  [{ invalidState: "trust" }, 'requestState.invalidState must be "reject" or "askAgain"'],
  [{ encrypt: 1 }, "requestState.encrypt must be a boolean"],
  [{ singleProcess: "yes" }, "requestState.singleProcess must be a boolean"],
  [{ encryption: true }, 'requestState.encryption is not an option: did you mean "encrypt"?'],
  [{ toString: true }, "requestState.toString is not an option"],
];

for (const [requestState, message] of WRONG) {
  Deno.test(`new McpServer() refuses requestState ${JSON.stringify(requestState)}`, () => {
    const options = { name: "s", version: "1", requestState } as object;
    const build = () => new McpServer(options as ConstructorParameters<typeof McpServer>[0]);
    const { message: told } = assertThrows(build, ConfigurationError);
    assertEquals(told, `Cannot create server: option ${message}`);
  });
}

Deno.test("new McpServer() takes an option of requestState that is undefined for absent", () => {
  const requestState = { ttlMs: undefined, encrypt: undefined } as object;
  new McpServer({ name: "s", version: "1", requestState });
});
