import { assertEquals, assertThrows } from "@std/assert";
import { ConfigurationError } from "@limen/mcp";
import { Registry } from "../../src/features/registry.ts";

Deno.test("Registry keeps the order, and grows its version with every change", () => {
  const registry = new Registry<number>("tool", "name");
  const heard: number[] = [];
  const stop = registry.watch(() => heard.push(registry.size));
  const a = registry.add("a", 1);
  registry.add("__proto__", 2);
  assertEquals(registry.all(), [1, 2]);
  assertEquals(registry.get("__proto__"), 2);
  assertEquals(registry.get("constructor"), undefined);
  assertEquals(registry.version, 2);
  a.remove();
  assertEquals([...registry.values()], [2]);
  assertEquals(registry.version, 3);
  stop();
  registry.add("c", 3);
  assertEquals(heard, [1, 2, 1]);
});

Deno.test("Registry refuses a key that is taken, and frees it on removal", () => {
  const registry = new Registry<number>("tool", "name");
  const first = registry.add("a", 1);
  assertThrows(
    () => registry.add("a", 2),
    ConfigurationError,
    'Cannot register tool "a": the name is taken',
  );
  first.remove();
  registry.add("a", 3);
  first.remove(); // no longer its own
  assertEquals(registry.get("a"), 3);
});
