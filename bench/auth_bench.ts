/**
 * What a JWT costs an echo call once it was verified: `deno run -A bench/auth_bench.ts`. A server
 * with `jwtAuth()` answers the same request as one without auth, the baseline. The request without a
 * token stands beside them: to build a request with so long a header costs by itself, within this
 * process. Rounds are interleaved.
 *
 * @module
 */
import { exportJWK, generateKeyPair, SignJWT } from "@panva/jose";
import { McpServer, param, unrestricted } from "../mod.ts";
import { jwtAuth, type PublicJwk } from "../src/auth/jwt.ts";
import { echoCase } from "./peers/cases.ts";
import { formatTable } from "./peers/format_table.ts";
import { median } from "./peers/median.ts";
import { requestBuilder } from "./peers/request_builder.ts";

const WARM_UP = 4;
const ROUNDS = 60;
const CALLS = 500;
const ISSUER = "https://login.example";
const PUBLIC_URL = "http://127.0.0.1/mcp";

/** An RS256 token of the size that issuers hand out, with the key to check it. */
async function issue(): Promise<{ readonly token: string; readonly key: PublicJwk }> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const token = await new SignJWT({ scope: "notes:read notes:write profile", client_id: "bench" })
    .setProtectedHeader({ alg: "RS256", kid: "key", typ: "at+jwt" })
    .setIssuer(ISSUER).setAudience(PUBLIC_URL).setSubject("0123456789abcdef0123456789abcdef")
    .setIssuedAt().setJti(crypto.randomUUID()).setExpirationTime("1h")
    .sign(privateKey);
  return { token, key: { ...await exportJWK(publicKey), kid: "key" } as PublicJwk };
}

function createServer(auth?: ReturnType<typeof jwtAuth>): McpServer {
  const server = new McpServer({
    name: "bench",
    version: "1.0.0",
    publicUrl: PUBLIC_URL,
    ...(auth === undefined ? {} : { auth }),
  });
  server.tool("echo", {
    description: "Answers with the text it was sent.",
    effect: "read",
    reads: { text: param.string({ required: true }) },
    permissions: [unrestricted],
  }, ({ args }) => args.text);
  return server;
}

/** One lane: microseconds per call, over one round. */
function openLane(server: McpServer, headers: Readonly<Record<string, string>>) {
  const build = requestBuilder(echoCase(1), { fetch: server.fetch, wire: "modern", headers });
  return async (): Promise<number> => {
    const start = performance.now();
    for (let id = 1_000_000; id < 1_000_000 + CALLS; id++) {
      const response = await server.fetch(build(id));
      await response.text();
      if (response.status !== 200) throw new Error(`Answered ${response.status}`);
    }
    return (performance.now() - start) * 1000 / CALLS;
  };
}

if (import.meta.main) {
  const { token, key } = await issue();
  const headers = { authorization: `Bearer ${token}` };
  const lanes = new Map([
    ["no auth", openLane(createServer(), headers)],
    ["no auth, no token sent", openLane(createServer(), {})],
    ["cached JWT", openLane(createServer(jwtAuth({ issuer: ISSUER, keys: [key] })), headers)],
  ]);
  const times = new Map([...lanes.keys()].map((name): [string, number[]] => [name, []]));
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [name, run] of round % 2 === 0 ? lanes : [...lanes].reverse()) {
      const time = await run();
      if (round >= 0) times.get(name)!.push(time);
    }
  }
  const base = times.get("no auth")!;
  const rows = [...times].map(([name, list]) => [
    name,
    `${median(list).toFixed(1)} µs`,
    `× ${median(list.map((time, round) => time / base[round]!)).toFixed(2)}`,
  ]);
  console.log(`A token of ${token.length} characters`);
  console.log(formatTable([["echo", "median", "ratio"], ...rows]));
}
