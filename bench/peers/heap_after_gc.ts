/** The bytes of the heap, garbage collected; needs `--v8-flags=--expose-gc`. */
export async function heapAfterGc(): Promise<number> {
  const { gc } = globalThis as { readonly gc?: () => void };
  if (gc === undefined) {
    throw new Error("Cannot collect garbage: --v8-flags=--expose-gc is missing");
  }
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20)); // lets finalisers run
    gc();
  }
  return Deno.memoryUsage().heapUsed;
}
