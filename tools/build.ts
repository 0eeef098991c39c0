/**
 * Builds what is published: `deno task build [folder]`, by default into `dist/package/`. A program pays
 * about 0.2 ms for every module that it loads, and the sources are 270: all that the main entry point
 * loads is one file of JavaScript, and each of the others brings what it has beside that. Types and
 * documentation come from the sources, which are published as well. Nothing in the files is there for
 * people, since Deno reads all of it before a program starts: source maps, comments, indentation.
 *
 * @module
 */
import { rollup } from "npm:@rollup/wasm-node@4.52.0";
import ts from "npm:typescript@5.9.3";
import { resolve } from "node:path";
import config from "../deno.json" with { type: "json" };

/** The dependencies that stay what they are: not every program loads them. */
const EXTERNAL = ["@opentelemetry/api", "@panva/jose"] as const;

/** Those that are built in. The sources, from which the types come, import them as well. */
const BUILT_IN = ["@cfworker/json-schema"] as const;

/** Published beside what is built. */
const COPIED = ["mod.ts", "src", "README.md", "LICENSE", "THIRD_PARTY.md", "CHANGELOG.md"] as const;

/** Where the file of an entry point is built, seen from the package. */
function builtFile(source: string): string {
  return source.replace(/^\.\//, "./js/").replace(/\.ts$/, ".js");
}

async function bundle(sources: readonly string[], folder: string): Promise<void> {
  const external = EXTERNAL.map((name) => `--external=${name}`);
  const options = ["--quiet", "--code-splitting", "--platform=deno", ...external];
  const args = ["bundle", ...options, `--outdir=${folder}`, ...sources];
  const { success } = await new Deno.Command(Deno.execPath(), { args, stdin: "null" }).spawn()
    .status;
  if (!success) throw new Error("Cannot build: deno bundle failed");
}

/** Makes one file of all that the main entry point loads, which may be used by the others. */
async function gather(sources: readonly string[], from: string, to: string): Promise<void> {
  const entry = (source: string) => source.slice(2, -".ts".length);
  const input = Object.fromEntries(sources.map((source) => {
    return [entry(source), resolve(from, `${entry(source)}.js`)];
  }));
  const main = input[entry(config.exports["."])]!;
  const bundled = await rollup({ input, external: [...EXTERNAL, /^node:/], treeshake: false });
  const loaded = new Set<string>();
  await bundled.write({
    dir: to,
    chunkFileNames: "[name].js",
    minifyInternalExports: false,
    manualChunks: (id, { getModuleInfo }) => {
      if (loaded.size === 0) {
        loaded.add(main); // and what is added while it is walked
        for (const one of loaded) getModuleInfo(one)!.importedIds.forEach((id) => loaded.add(id));
      }
      return loaded.has(id) ? "core" : undefined;
    },
  });
  await bundled.close();
}

/** The same code without comments and indentation; its lines stay, for whoever reads a stack. */
function shorten(text: string): string {
  const file = ts.createSourceFile("built.js", text, ts.ScriptTarget.Latest);
  let short = "";
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(file).filter(({ kind }) =>
      kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode
    );
    if (children.length > 0) return children.forEach(visit);
    const between = text.slice(node.getFullStart(), node.getStart(file));
    if (between !== "" && short !== "") short += between.includes("\n") ? "\n" : " ";
    short += node.getText(file);
  };
  visit(file);
  return short;
}

async function shortenAll(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) await shortenAll(path);
    else await Deno.writeTextFile(path, shorten(await Deno.readTextFile(path)));
  }
}

/** Leads from a built file to the types of its source. */
async function nameTypes(source: string, folder: string): Promise<void> {
  const built = builtFile(source);
  const up = "../".repeat(built.split("/").length - 2);
  const text = await Deno.readTextFile(`${folder}/${built}`);
  const types = `/* @ts-self-types="${up}${source.slice(2)}" */\n`;
  await Deno.writeTextFile(`${folder}/${built}`, types + text);
}

async function copy(path: string, folder: string): Promise<void> {
  const { isDirectory } = await Deno.stat(path);
  if (!isDirectory) return await Deno.copyFile(path, `${folder}/${path}`);
  await Deno.mkdir(`${folder}/${path}`, { recursive: true });
  for await (const { name } of Deno.readDir(path)) await copy(`${path}/${name}`, folder);
}

/** The configuration of the package, whose entry points are what was built. */
function describePackage(): string {
  const { name, version, license, exports, imports, compilerOptions } = config;
  const entries = Object.entries(exports).map(([entry, source]) => [entry, builtFile(source)]);
  const used = [...EXTERNAL, ...BUILT_IN].map((key) => [key, imports[key]]);
  const described = {
    name,
    version,
    license,
    exports: Object.fromEntries(entries),
    imports: Object.fromEntries(used),
    compilerOptions,
  };
  return `${JSON.stringify(described, null, 2)}\n`;
}

/**
 * Builds the package.
 *
 * @param folder Where; what is there is replaced.
 */
export async function build(folder: string): Promise<void> {
  const sources = Object.values(config.exports);
  await Deno.remove(folder, { recursive: true }).catch(() => {}); // there is none yet
  await Deno.mkdir(folder, { recursive: true });
  await bundle(sources, `${folder}/parts`);
  await gather(sources, `${folder}/parts`, `${folder}/js`);
  await Deno.remove(`${folder}/parts`, { recursive: true });
  await shortenAll(`${folder}/js`);
  for (const source of sources) await nameTypes(source, folder);
  for (const path of COPIED) await copy(path, folder);
  await Deno.writeTextFile(`${folder}/deno.json`, describePackage());
}

if (import.meta.main) await build(Deno.args[0] ?? "dist/package");
