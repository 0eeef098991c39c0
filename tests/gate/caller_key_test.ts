import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { addressKey } from "../../src/gate/address_key.ts";
import { callerKey } from "../../src/gate/caller_key.ts";

// B9
const ADDRESSES: readonly (readonly [address: string | undefined, expected: string | undefined])[] =
  [
    ["192.0.2.1", "a:192.0.2.1"],
    ["0.0.0.0", "a:0.0.0.0"],
    ["2001:db8:1:2:3:4:5:6", "a:2001:db8:1:2::/64"],
    ["2001:DB8:0001:0002:ffff::", "a:2001:db8:1:2::/64"],
    ["2001:db8::1", "a:2001:db8:0:0::/64"],
    ["::1", "a:0:0:0:0::/64"],
    ["::", "a:0:0:0:0::/64"],
    ["1::", "a:1:0:0:0::/64"],
    ["fe80::1%eth0", "a:fe80:0:0:0::/64"],
    ["::ffff:192.0.2.1", "a:192.0.2.1"],
    ["::FFFF:c000:201", "a:192.0.2.1"],
    ["0:0:0:0:0:ffff:c000:0201", "a:192.0.2.1"],
    ["::ffff:0:0", "a:0.0.0.0"],
    ["::192.0.2.1", "a:0:0:0:0::/64"], // long deprecated, and no mapped address
    [undefined, undefined],
    ["", undefined],
    ["unknown", undefined],
    ["192.0.2.1:80", undefined],
    ["[::1]", undefined],
    ["::1]:80/x?[", undefined],
    ["1.2.3", undefined],
    ["1.2.3.256", undefined],
    ["01.2.3.4", undefined],
    ["1::2::3", undefined],
    ["1:2:3:4:5:6:7", undefined],
    ["::1".padStart(70, "0"), undefined],
  ];

for (const [address, expected] of ADDRESSES) {
  Deno.test(`addressKey() counts ${address} as ${expected}`, () => {
    assertEquals(addressKey(address), expected);
  });
}

Deno.test("addressKey() is the same for all spellings and hosts of an IPv6 network", () => {
  const group = fc.integer({ min: 1, max: 0xffff });
  const eight = fc.array(group, { minLength: 8, maxLength: 8 });
  fc.assert(fc.property(eight, group, (groups, other) => {
    const plain = groups.map((value) => value.toString(16));
    const expected = `a:${plain.slice(0, 4).join(":")}::/64`;
    const padded = plain.map((text) => text.padStart(4, "0").toUpperCase());
    const elided = `${plain.slice(0, 4).join(":")}::${other.toString(16)}`;
    for (const text of [plain.join(":"), padded.join(":"), elided]) {
      assertEquals(addressKey(text), expected);
    }
  }));
});

Deno.test("callerKey() takes the id of an authenticated caller, otherwise the address", () => {
  const host = { clientAddress: "192.0.2.1" };
  assertEquals(callerKey({ user: { id: "ada", authenticated: true } }, host), "p:ada");
  assertEquals(callerKey({ user: { authenticated: true } }, host), "a:192.0.2.1");
  assertEquals(callerKey({ user: { id: "", authenticated: true } }, host), "a:192.0.2.1");
  assertEquals(callerKey({ user: { id: "ada", authenticated: false } }, host), "a:192.0.2.1");
  assertEquals(callerKey({ user: { authenticated: false } }, {}), undefined);
});
