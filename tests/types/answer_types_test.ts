/** What answers compile, beside the sheet of errors: those that the compiler says more than two lines of. */
import { selectorSpec, unrestricted } from "@limen/mcp";
import { z } from "zod";

const list = {
  kind: "list",
  permissions: [unrestricted],
  output: z.object({ v: z.string() }),
} as const;

Deno.test("rows that nothing iterates are no list", () => {
  const rows: readonly { v: string }[] = [{ v: "a" }];
  const next = () => ({ done: false, value: { v: "a" } });
  // @ts-expect-error: an iterator is read by `for…of` only where it is iterable as well
  selectorSpec({ ...list, select: () => ({ next }) });
  // @ts-expect-error: as above
  selectorSpec({ ...list, select: (): Iterator<{ v: string }> => rows.values() });
  // @ts-expect-error: as above
  selectorSpec({ ...list, select: (): AsyncIterator<{ v: string }> => listed() });
  selectorSpec({ ...list, select: () => rows.values() });
  selectorSpec({ ...list, select: () => listed() });
});

async function* listed(): AsyncGenerator<{ v: string }> {
  yield await Promise.resolve({ v: "a" });
}
