import { assertEquals } from "@std/assert";
import { Problems } from "../../src/schema/problems.ts";
import { compileUnknownCheck } from "../../src/schema/unknown_arguments.ts";

// K-16
Deno.test("Problems puts a message about a node that has children under non_field_errors", () => {
  const problems = new Problems();
  problems.add(["rows", 1], "Totals differ.");
  problems.add(["rows", 1, "amount"], "Expected an integer.");
  problems.add(["rows", 1, "amount"], "Expected an integer.");
  problems.add([], "Too much.");
  assertEquals(problems.size, 3);
  assertEquals(
    JSON.stringify(problems.toTree()),
    '{"rows":{"1":{"amount":["Expected an integer."],"non_field_errors":["Totals differ."]}},' +
      '"non_field_errors":["Too much."]}',
  );
});

Deno.test("Problems is empty at first", () => {
  const problems = new Problems();
  assertEquals([problems.size, problems.missing, Object.keys(problems.toTree())], [0, [], []]);
});

// B13
Deno.test("Problems keeps 100 messages and says how many more there were", () => {
  const problems = new Problems();
  for (let index = 0; index < 250; index++) problems.add(["ids", index], "Expected an integer.");
  const tree = problems.toTree();
  assertEquals(problems.size, 250);
  assertEquals(Object.keys(tree["ids"] ?? {}).length, 100);
  assertEquals(tree["non_field_errors"], ["And 150 more."]);
});

// B13
Deno.test("Problems keeps 16 KiB of text, whatever the caller named things", () => {
  const problems = new Problems();
  problems.add(["é".repeat(9000)], "Unknown argument.");
  for (let index = 0; index < 50; index++) {
    problems.add([`${index}${"x".repeat(1000)}`], "Unknown.");
  }
  problems.add(["id"], "Expected an integer.");
  const text = JSON.stringify(problems.toTree());
  assertEquals(text.length < 17_000, true);
  assertEquals(text.includes('"id":["Expected an integer."]'), true);
  assertEquals(/"And \d+ more\."/.test(text), true);
});

// B15
Deno.test("Problems keeps __proto__ as a plain key", () => {
  const problems = new Problems();
  problems.add(["__proto__", "polluted"], "Unknown argument.");
  const tree = problems.toTree();
  assertEquals(JSON.stringify(tree), '{"__proto__":{"polluted":["Unknown argument."]}}');
  assertEquals(Object.getPrototypeOf(tree), null);
  assertEquals("polluted" in {}, false);
});

// K-21, B15
Deno.test("compileUnknownCheck() adds a problem per undeclared own name", () => {
  const problems = new Problems();
  const check = compileUnknownCheck(["id", "__proto__"]);
  check(JSON.parse('{"id":1,"toString":1,"__proto__":{}}'), problems);
  assertEquals(
    JSON.stringify(problems.toTree()),
    '{"toString":["Unknown argument."],"__proto__":["Unknown argument."]}',
  );
});
