import { redisStore } from "@limen/mcp/stores/redis";
import { serviceSpec, unrestricted } from "@limen/mcp";
import { assert, assertEquals } from "@std/assert";
import * as z from "zod";
import { ada, Device, eve, readOn, serveWithSlot } from "../_support/lean_fixture.ts";
import { redisLanes } from "./redis_lanes.ts";
import type { RedisServer } from "./redis_server.ts";

const REFUSAL =
  '{"error":{"type":"continuation_invalid","message":"The continuation token is not ' +
  'valid, or no longer: read what you need anew, and never repeat a write for its answer"}}';

/** Registers what a token means in another process than the one that gave it. */
export function continuationSuite(server: () => RedisServer): void {
  for (const { name, open } of redisLanes) {
    Deno.test(
      `Continuations on Redis through ${name}: a token of one process is read in another, by its ` +
        "owner and as long as it may be, and else refused in one text (HV-24, HV-26, HV-28)",
      async () => {
        await server().send("FLUSHALL");
        const { stdout, success } = await new Deno.Command(Deno.execPath(), {
          args: [
            ...["run", "-A", new URL("continuation_worker.ts", import.meta.url).pathname],
            ...[server().path, name],
          ],
          stdin: "null",
          stderr: "inherit",
        }).output();
        assertEquals(success, true);
        const { accepted, continuation_token } = JSON.parse(new TextDecoder().decode(stdout));
        assertEquals(accepted, 25);
        assert(!(await server().send("KEYS *")).includes(continuation_token));

        const { connection, close } = await open(server().path);
        try {
          let isAdmitted = true;
          const stores = redisStore(connection, { prefix: "a", commandTimeoutMs: 10_000 });
          const spec = serviceSpec({
            action: "create",
            many: true,
            input: z.object({ name: z.string() }),
            output: Device,
            permissions: [unrestricted, { hasPermission: () => isAdmitted }],
            run: (): never => {
              throw new Error("Ran again");
            },
          });
          const { server: other } = serveWithSlot(spec, "shared", { server: { stores } });
          const ask = async (args: object, caller = ada): Promise<unknown> => {
            const answer = await readOn(other, "shared", { continuation_token, ...args }, caller);
            assert("content" in answer);
            if (answer.isError !== true) return answer.structuredContent;
            return (answer.content[0] as { readonly text: string }).text;
          };
          const { items, has_more } = await ask({ page: 2 }) as Record<string, unknown[]>;
          assertEquals([items!.length, has_more], [5, false] as never);
          const [first] = await ask({ mode: "full" }) as readonly unknown[];
          assertEquals(first, { id: "d0", name: "é0", note: "-" });

          assertEquals(await ask({}, eve), REFUSAL);
          assertEquals(await ask({ continuation_token: "garbage" }), REFUSAL);
          isAdmitted = false;
          assertEquals(await ask({}), REFUSAL);
          isAdmitted = true;
          assert(typeof await ask({}) === "object"); // used once more
          const key = /a:continuation:\S+/.exec(await server().send("KEYS a:continuation:*"))![0];
          const [ttl] = /\d+/.exec(await server().send(`PTTL ${key}`))!;
          assert(Number(ttl) > 200_000 && Number(ttl) <= 300_000, ttl);
          await server().send(`PEXPIRE ${key} 0`);
          assertEquals(await ask({}), REFUSAL);
        } finally {
          await close();
          await server().send("FLUSHALL");
        }
      },
    );
  }
}
