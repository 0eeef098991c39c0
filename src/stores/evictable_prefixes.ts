/**
 * How keys begin that a full store may drop before their time, in the order in which it drops them:
 * a lost continuation costs its holder a repeated call, a lost limit starts a window again. Callers
 * can fill a store with continuations, so these go first and cannot push out what limits callers
 * (HV-30).
 */
export const EVICTABLE_PREFIXES = ["continuation:", "limit:"] as const;
