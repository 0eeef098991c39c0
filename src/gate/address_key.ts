/**
 * The text under which the calls from an address are counted (B9). An IPv6 address counts as its
 * /64, which is what one subscriber gets; one that maps an IPv4 address counts as that.
 *
 * @param address An IP address, without port.
 * @returns Such as `"a:192.0.2.1"` or `"a:2001:db8:0:1::/64"`; `undefined` for anything else.
 */
export function addressKey(address: string | undefined): string | undefined {
  if (address === undefined || address.length > 64) return undefined;
  if (!address.includes(":")) return isIpv4(address) ? `a:${address}` : undefined;
  const groups = readIpv6(address);
  if (groups === undefined) return undefined;
  const isMapped = groups[5] === "ffff" && groups.slice(0, 5).every((group) => group === "0");
  if (!isMapped) return `a:${groups.slice(0, 4).join(":")}::/64`;
  const [high, low] = groups.slice(6).map((group) => parseInt(group, 16)) as [number, number];
  return `a:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** No leading zeros: each address has one spelling. */
function isIpv4(address: string): boolean {
  const parts = address.split(".");
  return parts.length === 4 &&
    parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && +part < 256);
}

/** The eight groups in their shortest form. The URL parser knows every way to write them. */
function readIpv6(address: string): readonly string[] | undefined {
  const text = address.replace(/%.*$/, ""); // the zone is this machine's own
  if (!/^[0-9a-f:.]+$/i.test(text)) return undefined;
  let canonical: string;
  try {
    canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
  const [left = [], right] = canonical.split("::").map((half) =>
    half === "" ? [] : half.split(":")
  );
  if (right === undefined) return left;
  return [...left, ...Array(8 - left.length - right.length).fill("0"), ...right];
}
