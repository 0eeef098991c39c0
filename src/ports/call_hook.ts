import { isThenable } from "./awaitable.ts";

/**
 * Calls a function of the author's that is told something and asked nothing. Nothing waits for it, and
 * it cannot fail anything: one whose type says that it answers nothing may be async all the same, and
 * its rejection would end the process.
 *
 * @param hook Calls it.
 * @param onFault Told of what it threw, at once or later. Default: nobody is.
 */
export function callHook(hook: () => unknown, onFault: (cause: unknown) => void = ignore): void {
  try {
    const pending = hook();
    if (isThenable(pending)) Promise.resolve(pending).catch(onFault);
  } catch (cause) {
    onFault(cause);
  }
}

function ignore(): void {}
