/**
 * How keys begin that a full store may drop before their time, in the order in which it drops them:
 * what a call has asked costs its caller a repeated call, and so does a lost continuation; a lost limit
 * starts a window again. Callers can fill a store with the first two, so these go first and cannot push
 * out what limits callers (HV-30).
 */
export const EVICTABLE_PREFIXES = ["asked:", "continuation:", "limit:"] as const;
