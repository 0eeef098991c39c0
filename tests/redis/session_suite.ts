import type { McpServer } from "@limen/mcp";
import { redisBroker, redisStore } from "@limen/mcp/stores/redis";
import { assertEquals } from "@std/assert";
import { createFixture, type Fixture } from "../_support/fixture_server.ts";
import { legacyRequest, listen, openSession } from "../_support/legacy_session.ts";
import { redisLanes } from "./redis_lanes.ts";
import type { RedisServer } from "./redis_server.ts";
import { until } from "./until.ts";

/** Registers what legacy sessions do in two processes that share one Redis. */
export function sessionSuite(server: () => RedisServer): void {
  for (const { name, open } of redisLanes) {
    const test = (title: string, run: (first: Fixture, second: Fixture) => Promise<void>): void => {
      Deno.test(`Legacy sessions on Redis through ${name}: ${title}`, async () => {
        const connections = await Promise.all(
          Array.from({ length: 4 }, () => open(server().path)),
        );
        const [first, second] = [connections.slice(0, 2), connections.slice(2)].map(([one, two]) =>
          createFixture({
            sessions: "stored",
            stores: redisStore(one!.connection, { prefix: "a" }),
            broker: redisBroker(
              { publisher: one!.connection, subscriber: two!.connection },
              { prefix: "a" },
            ),
            replay: { maxEvents: 100 },
          })
        ) as [Fixture, Fixture];
        try {
          await run(first, second);
        } finally {
          await Promise.all([first.server.close(), second.server.close()]);
          await Promise.all(connections.map(({ close }) => close()));
          await server().send("FLUSHALL");
        }
      });
    };

    test("a stream gets every message of both processes once, and resumes", async (one, two) => {
      const id = await openSession(one.server);
      const servers = [one.server, two.server];
      const sent: Promise<boolean>[] = [];
      const got: number[] = [];
      let last = "";
      for (let round = 0; round < 4; round++) {
        const headers = last === "" ? {} : { "last-event-id": last };
        const stream = await listen(servers[round % 2]!, id, { headers });
        if (last === "") await stream.next().then(() => stream.next()); // its number: it has begun
        for (let n = 0; n < 25; n++) sent.push(send(servers[n % 2]!, id, 25 * round + n));
        while (got.length < 25 * round + 20) {
          const { id: number, json } = (await stream.nextMessage())!;
          last = number!;
          got.push(JSON.parse(json).params.n);
        }
        await stream.leave();
      }
      const stream = await listen(one.server, id, { headers: { "last-event-id": last } });
      while (got.length < 100) got.push(JSON.parse((await stream.nextMessage())!.json).params.n);
      await stream.leave();
      await Promise.all(sent);
      assertEquals(got.toSorted((a, b) => a - b), Array.from({ length: 100 }, (_, n) => n));
    });

    test("a new stream replaces the old, and DELETE ends it", async (one, two) => {
      const id = await openSession(one.server);
      const old = await listen(one.server, id);
      const fresh = await listen(two.server, id);
      assertEquals((await old.rest()).at(-1), ": stream closed");
      const response = await one.server.fetch(legacyRequest(id, { verb: "DELETE" }));
      assertEquals(response.status, 204);
      assertEquals((await fresh.rest()).at(-1), ": stream closed");
      assertEquals(await server().send("DBSIZE"), ":0\r\n");
    });

    test("a cancellation reaches the other process", async (one, two) => {
      const id = await openSession(one.server);
      await (await two.server.fetch(legacyRequest(id))).body?.cancel(); // listens from here on
      await new Promise((resolve) => setTimeout(resolve, 50));
      const params = { name: "slow", arguments: { ms: 10_000 } };
      const pending = two.server.fetch(
        legacyRequest(id, { message: { id: 7, method: "tools/call", params } }),
      );
      await until(() => two.hooks.inFlight === 1);
      const message = { method: "notifications/cancelled", params: { requestId: 7 } };
      await one.server.fetch(legacyRequest(id, { message }));
      assertEquals((await pending).status, 202);
      assertEquals(two.hooks.aborted, ["slow"]);
    });
  }
}

function send(server: McpServer, id: string, n: number): Promise<boolean> {
  return server.notify(id, { method: "notifications/message", params: { n } });
}
