/**
 * The stores and brokers against a real `redis-server`: `deno task test:redis`. Not part of
 * `deno task test`, which must do without Redis.
 *
 * @module
 */
import { continuationSuite } from "./continuation_suite.ts";
import { contractSuite } from "./contract_suite.ts";
import { listenSuite } from "./listen_suite.ts";
import { outageSuite } from "./outage_suite.ts";
import { processSuite } from "./process_suite.ts";
import { RedisServer } from "./redis_server.ts";
import { sessionSuite } from "./session_suite.ts";
import { taskSuite } from "./task_suite.ts";
import { sharedSuite } from "./shared_suite.ts";

let shared: RedisServer | undefined;

function server(): RedisServer {
  if (shared === undefined) throw new Error("The server has not been started");
  return shared;
}

Deno.test.beforeAll(async () => {
  shared = await RedisServer.start();
});

Deno.test.afterAll(async () => {
  await shared?.[Symbol.asyncDispose]();
});

contractSuite(server);
sharedSuite(server);
sessionSuite(server);
continuationSuite(server);
taskSuite(server);
processSuite(server);
listenSuite();
outageSuite();
