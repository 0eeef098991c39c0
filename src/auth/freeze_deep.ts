/** Freezes a JSON value and all it holds, so that what one call gets no other call has changed. */
export function freezeDeep<T>(value: T): T {
  const waiting: unknown[] = [value];
  for (const one of waiting) {
    if (typeof one !== "object" || one === null) continue;
    Object.freeze(one);
    waiting.push(...Object.values(one));
  }
  return value;
}
