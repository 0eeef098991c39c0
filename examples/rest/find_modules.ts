const ROOT = new URL("../../", import.meta.url).href;

/** The files of this repository that are loaded with a module, as Deno sees them. */
export async function findModules(entry: URL): Promise<readonly string[]> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry.href],
  }).output();
  if (!success) throw new Error(`Cannot read the modules of ${entry}`);
  const { modules } = JSON.parse(new TextDecoder().decode(stdout));
  return modules
    .map(({ specifier }: { readonly specifier: string }) => specifier)
    .filter((specifier: string) => specifier.startsWith(ROOT))
    .map((specifier: string) => specifier.slice(ROOT.length));
}
