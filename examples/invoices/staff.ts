import type { PermissionCheck, Principal } from "@limen/mcp/kernel";

/** Whoever calls. */
export interface Staff extends Principal {
  /** A visitor reads; the owner also writes. */
  readonly role: "visitor" | "owner";
}

/** Somebody whom no credential named. */
export const visitor: Staff = { authenticated: false, role: "visitor" };

/** Whoever holds the token; without a token, everyone on this machine. */
export const owner: Staff = { id: "owner", authenticated: true, role: "owner" };

/** Admits the owner. */
export const ownerOnly: PermissionCheck<Staff> = {
  message: "Only the owner writes",
  hasPermission: ({ user }) => user.role === "owner",
};
