import { assertEquals } from "@std/assert";
import { createDefaultHost } from "../../src/edge/default_host.ts";

const info = { remoteAddr: { transport: "tcp", hostname: "10.0.0.1", port: 1 } };

// B9: never from a header, unless proxies are counted; then from the right.
const CASES: readonly (readonly [
  trustedProxies: number,
  forwarded: string | undefined,
  info: unknown,
  expected: string | undefined,
])[] = [
  [0, undefined, info, "10.0.0.1"],
  [0, "192.0.2.9", info, "10.0.0.1"],
  [0, "192.0.2.9", undefined, undefined],
  [0, undefined, { remoteAddr: { transport: "unix", path: "/s" } }, undefined],
  [0, undefined, { env: {} }, undefined],
  [0, undefined, "text", undefined],
  [1, "192.0.2.9", info, "192.0.2.9"],
  [1, "198.51.100.66, 192.0.2.9", info, "192.0.2.9"],
  [1, "198.51.100.66,192.0.2.9", undefined, "192.0.2.9"],
  [1, undefined, info, "10.0.0.1"],
  [1, "", info, "10.0.0.1"],
  [1, "192.0.2.9, ", info, "10.0.0.1"],
  [1, "192.0.2.9:4711", info, "192.0.2.9"],
  [1, "[2001:db8::1]:4711", info, "2001:db8::1"],
  [1, "[2001:db8::1]", info, "2001:db8::1"],
  [1, "2001:db8::1", info, "2001:db8::1"],
  [2, "198.51.100.66, 192.0.2.9, 10.0.0.2", info, "192.0.2.9"],
  [2, "198.51.100.66", info, "10.0.0.1"],
];

for (const [trustedProxies, forwarded, passed, expected] of CASES) {
  Deno.test(`createDefaultHost(${trustedProxies}) of "${forwarded}" and ${JSON.stringify(passed)} is ${expected}`, () => {
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
    const request = new Request("http://localhost/", { headers });
    const host = createDefaultHost(trustedProxies)(request, passed);
    assertEquals(host.clientAddress, expected);
  });
}
