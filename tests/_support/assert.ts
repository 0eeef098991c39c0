/**
 * The assertions of `@std/assert` that this repository uses, in the same shapes, over `node:assert`,
 * so that one test file runs under Deno, Node and Bun and an example can be pasted anywhere.
 *
 * @module
 */
import nodeAssert, { AssertionError } from "node:assert";

type Class<T> = abstract new (...args: never[]) => T;

/** Asserts that a value is truthy, and narrows it. */
export function assert(condition: unknown, message = "Expected a truthy value"): asserts condition {
  if (!condition) fail(message);
}

/** Fails the test. */
export function fail(message = "Reached a place that must not be reached"): never {
  throw new AssertionError({ message });
}

/**
 * Asserts deep equality. Only own content counts, not whether a record has a prototype: an object
 * with a null prototype equals a plain one. Instances of different classes still differ.
 */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  nodeAssert.deepStrictEqual(plain(actual), plain(expected), message);
}

/** Asserts that two values are not deeply equal, in the sense of {@link assertEquals}. */
export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  nodeAssert.notDeepStrictEqual(plain(actual), plain(expected), message);
}

/** Asserts that two values are the same by `Object.is`. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  message?: string,
): asserts actual is T {
  nodeAssert.strictEqual(actual, expected, message);
}

/** Asserts that a value is neither `null` nor `undefined`, and narrows it. */
export function assertExists<T>(
  actual: T,
  message = `Expected a value: got ${actual}`,
): asserts actual is NonNullable<T> {
  if (actual === null || actual === undefined) fail(message);
}

/** Asserts that a value is an instance of a class, and narrows it. */
export function assertInstanceOf<T>(
  actual: unknown,
  expected: Class<T>,
  message?: string,
): asserts actual is T {
  if (!(actual instanceof expected)) {
    fail(message ?? `Expected an instance of ${expected.name}: got ${describe(actual)}`);
  }
}

/** Asserts that a string matches a pattern. */
export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  nodeAssert.match(actual, expected, message);
}

/** Asserts that a string holds another. */
export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  if (!actual.includes(expected)) {
    fail(
      message ?? `Expected a string that includes ${describe(expected)}: got ${describe(actual)}`,
    );
  }
}

/**
 * Asserts that an object holds at least what `expected` names, at every depth. Arrays must have the
 * same length; their elements are matched one by one.
 */
export function assertObjectMatch(actual: object, expected: object, message?: string): void {
  nodeAssert.deepStrictEqual(plain(restrict(actual, expected)), plain(expected), message);
}

/**
 * Asserts that a function throws, and returns what it threw.
 *
 * @param fn The function, called once.
 * @param expected The class that the error must be an instance of; anything by default.
 * @param messageIncludes What the error's message must include.
 */
export function assertThrows<E = unknown>(
  fn: () => unknown,
  expected?: Class<E>,
  messageIncludes?: string,
): E {
  try {
    fn();
  } catch (error) {
    return checkError(error, expected, messageIncludes);
  }
  fail("Expected the function to throw");
}

/**
 * Asserts that the promise of a function rejects, and returns its reason. A function that throws
 * before it returns a promise fails the assertion.
 *
 * @param fn The function, called once.
 * @param expected The class that the error must be an instance of; anything by default.
 * @param messageIncludes What the error's message must include.
 */
export async function assertRejects<E = unknown>(
  fn: () => PromiseLike<unknown>,
  expected?: Class<E>,
  messageIncludes?: string,
): Promise<E> {
  let promise: PromiseLike<unknown>;
  try {
    promise = fn();
  } catch (error) {
    fail(`Expected the function to reject: it threw ${describe(error)}`);
  }
  try {
    await promise;
  } catch (error) {
    return checkError(error, expected, messageIncludes);
  }
  fail("Expected the function to reject");
}

function checkError<E>(error: unknown, expected?: Class<E>, messageIncludes?: string): E {
  if (expected !== undefined && !(error instanceof expected)) {
    fail(`Expected an error of class ${expected.name}: got ${describe(error)}`);
  }
  if (messageIncludes !== undefined) {
    assertStringIncludes(error instanceof Error ? error.message : String(error), messageIncludes);
  }
  return error as E;
}

function describe(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function isRecord(value: unknown): value is Record<PropertyKey, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Copies records and arrays so that every record has the plain prototype. */
function plain(value: unknown, seen: Map<unknown, unknown> = new Map()): unknown {
  if (seen.has(value)) return seen.get(value);
  if (value instanceof Map && Object.getPrototypeOf(value) === Map.prototype) {
    return new Map(Array.from(value, ([key, item]) => [plain(key, seen), plain(item, seen)]));
  }
  if (value instanceof Set && Object.getPrototypeOf(value) === Set.prototype) {
    return new Set(Array.from(value, (item) => plain(item, seen)));
  }
  if (!isRecord(value) && !Array.isArray(value)) return value;
  const copy: object = Array.isArray(value) ? new Array(value.length) : {};
  seen.set(value, copy);
  for (const key of Reflect.ownKeys(value)) {
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (!property?.enumerable) continue;
    // defineProperty, because an assignment to `__proto__` would not make a property.
    Object.defineProperty(copy, key, {
      value: plain(Reflect.get(value, key), seen),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

/** Keeps of `actual` what `expected` names. */
function restrict(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length) {
    return actual.map((item, index) => restrict(item, expected[index]));
  }
  if (typeof actual !== "object" || actual === null || !isRecord(expected)) return actual;
  const kept: Record<PropertyKey, unknown> = {};
  for (const key of Reflect.ownKeys(expected)) {
    if (key in actual) kept[key] = restrict(Reflect.get(actual, key), expected[key]);
  }
  return kept;
}
