import { assertEquals } from "@std/assert";
import type { LogEvent, LogLevel } from "../../src/ports/log_event.ts";
import { createLogger } from "../../src/ports/logger.ts";

const HEARD: readonly (readonly [level: LogLevel, heard: readonly LogLevel[]])[] = [
  ["debug", ["debug", "info", "warning", "error"]],
  ["info", ["info", "warning", "error"]],
  ["warning", ["warning", "error"]],
  ["error", ["error"]],
];

for (const [level, heard] of HEARD) {
  Deno.test(`createLogger() at ${level} hears ${heard.join(", ")}, and builds nothing else`, () => {
    const events: LogLevel[] = [];
    const built: LogLevel[] = [];
    const log = createLogger((event) => events.push(event.level), level);
    const make = (level: LogLevel): LogEvent => {
      built.push(level);
      return { level, event: "call.done", message: "" };
    };
    log.debug?.(make("debug"));
    log.info?.(make("info"));
    log(make("warning"));
    log(make("error"));
    assertEquals(events, heard);
    assertEquals(built.filter((one) => one === "debug" || one === "info"), [
      ...heard.filter((one) => one === "debug" || one === "info"),
    ]);
  });
}

Deno.test("createLogger() survives a log that throws", () => {
  const log = createLogger(() => {
    throw new Error("disk full");
  }, "debug");
  log({ level: "error", event: "call.fault", message: "" });
  log.debug?.({ level: "debug", event: "call.done", message: "" });
});
