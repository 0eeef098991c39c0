/**
 * Books a trip through the official client, which puts the questions to its user and calls again; and
 * through clients whose user says no, or who cannot ask.
 *
 * @module
 */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { connect, type ConnectOptions } from "../_support/connect.ts";
import { readFailure, readText } from "../_support/read_result.ts";
import { runChecks } from "../_support/run_checks.ts";
import server, { bookings } from "./server.ts";

const hostname = "127.0.0.1";
const http = Deno.serve({ hostname, port: 0, onListen: () => {} }, server.fetch);
const url = `http://${hostname}:${http.addr.port}/mcp`;

async function book(user: ConnectOptions["user"], isLegacy = false) {
  const client = await connect(url, { user, isLegacy });
  try {
    return await client.callTool({ name: "trips_book", arguments: { to: "Rome" } });
  } finally {
    await client.close();
  }
}

const form = { day: "2027-05-01", extras: ["seat", "bicycle"] };

await runChecks([
  ["two rounds of questions book a trip", async () => {
    const heard: string[] = [];
    const result = await book((message) => {
      heard.push(message);
      return heard.length === 1 ? { action: "accept", content: form } : { action: "accept" };
    });
    assertEquals(heard, [
      "When do you want to go to Rome?",
      "Book Rome on 2027-05-01 for 76.00 euros?",
    ]);
    assertEquals(readText(result), "Booked: Rome on 2027-05-01 for 76.00 euros.");
    assertEquals(bookings.splice(0), [
      { to: "Rome", day: "2027-05-01", class: "second", extras: form.extras, cents: 7600 },
    ]);
  }],

  ["a traveller who names no day books nothing", async () => {
    const { message } = readFailure(await book(() => ({ action: "cancel" })));
    assertEquals(message, "The traveller named no day.");
    assertEquals(bookings, []);
  }],

  ["a traveller who finds it too dear books nothing", async () => {
    const { type } = readFailure(
      await book((message) =>
        message.startsWith("Book") ? { action: "decline" } : { action: "accept", content: form }
      ),
    );
    assertEquals([type, bookings], ["input_declined", []]);
  }],

  ["a form that is not filled in is asked again, and not for ever", async () => {
    let times = 0;
    await book(() => {
      times++;
      return { action: "accept", content: {} };
    });
    assertEquals([times, bookings], [5, []]);
  }],

  ["a client that can ask nobody is told what it lacks", async () => {
    await assertRejects(() => book(undefined), Error, "capability");
    assertEquals(bookings, []);
  }],

  ["a client of the legacy era is told in words", async () => {
    const { type, message } = readFailure(await book(() => ({ action: "accept" }), true));
    assertEquals(type, "input_required");
    assertStringIncludes(message, "When do you want to go to Rome?");
    assertEquals(bookings, []);
  }],
]);

await http.shutdown();
