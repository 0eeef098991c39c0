/** No leading zeros: each address has one spelling. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/**
 * The text under which the calls from an address are counted (B9). An IPv6 address counts as its
 * /64, which is what one subscriber gets; one that maps an IPv4 address counts as that.
 *
 * @param address An IP address, without port.
 * @returns Such as `"a:192.0.2.1"` or `"a:2001:db8:0:1::/64"`; `undefined` for anything else.
 */
export function addressKey(address: string | undefined): string | undefined {
  if (address === undefined || address.length > 64) return undefined;
  if (IPV4.test(address)) return `a:${address}`;
  const groups = readIpv6(address);
  if (groups === undefined) return undefined;
  const [a, b, c, d, e, f, high, low] = groups;
  if ((a | b | c | d | e) === 0 && f === 0xffff) {
    return `a:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  }
  return `a:${[a, b, c, d].map((group) => group.toString(16)).join(":")}::/64`;
}

/** The groups of an IPv6 address. */
type Eight = [number, number, number, number, number, number, number, number];

/** The eight groups of an address (RFC 4291, section 2.2), whichever way it is written. */
function readIpv6(address: string): Eight | undefined {
  const [text = ""] = address.split("%", 1); // the zone is this machine's own
  const halves = spellTail(text).split("::");
  if (halves.length > 2) return undefined;
  const [left = [], right = []] = halves.map((half) => half === "" ? [] : half.split(":"));
  const missing = 8 - left.length - right.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...left, ...Array<string>(missing).fill("0"), ...right];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.map((group) => parseInt(group, 16)) as Eight;
}

/** Writes an IPv4 address at the end as the two groups that it is. */
function spellTail(text: string): string {
  const at = text.lastIndexOf(":") + 1;
  if (!text.includes(".", at) || !IPV4.test(text.slice(at))) return text;
  const [a, b, c, d] = text.slice(at).split(".").map(Number) as [number, number, number, number];
  return `${text.slice(0, at)}${(a << 8 | b).toString(16)}:${(c << 8 | d).toString(16)}`;
}
