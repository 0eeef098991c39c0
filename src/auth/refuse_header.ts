import type { RefusedCredential } from "./authenticator.ts";

/**
 * Says why a header holds no token that could be looked at.
 *
 * @param header The value of `Authorization`.
 */
export function refuseHeader(header: string | null): RefusedCredential {
  return header === null ? NONE : UNREADABLE;
}

const NONE: RefusedCredential = { because: "No credential was sent" };
const UNREADABLE: RefusedCredential = {
  because: "The credential is no bearer token, or is over 8 KiB",
};
