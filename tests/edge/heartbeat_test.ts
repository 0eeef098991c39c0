import { assertEquals } from "@std/assert";
import { Heartbeat } from "../../src/edge/heartbeat.ts";

// The sanitizer of timers sees to the rest: a heartbeat that runs on fails its test.
Deno.test("Heartbeat tells its members, and stops with the last of them", async () => {
  const heartbeat = new Heartbeat(5);
  const told: string[] = [];
  const a = { pulse: () => void told.push("a") };
  const b = { pulse: () => void told.push("b") };
  heartbeat.delete(a); // was never added
  heartbeat.add(a);
  heartbeat.add(b);
  await sleep(20);
  assertEquals(told.slice(0, 2), ["a", "b"]);
  heartbeat.delete(a);
  told.length = 0;
  await sleep(20);
  assertEquals(new Set(told), new Set(["b"]));
  heartbeat.delete(b);
  heartbeat.delete(b);
  told.length = 0;
  await sleep(20);
  assertEquals(told, []);
  heartbeat.add(a); // starts again
  await sleep(20);
  heartbeat.delete(a);
  assertEquals(told[0], "a");
});

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
