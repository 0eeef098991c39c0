/**
 * Fails the build where a file of `src/` breaks the order of the rooms. Run by `deno task ok`, or
 * alone: `deno run --allow-read --allow-env tools/lint_rooms.ts`. The rules are in `rooms.ts`.
 *
 * @module
 */
import config from "../deno.json" with { type: "json" };
import { findCycles } from "./find_cycles.ts";
import { type Mention, readSource } from "./read_source.ts";
import {
  EMPTY_NAMES,
  FEATURE_RANKS,
  FETCH_ROOMS,
  PACKAGES,
  REVISION_ROOMS,
  ROOM_RANKS,
} from "./rooms.ts";

/** One broken rule. */
export interface Finding {
  /** Path of the file, from the root of the repository. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** Name of the rule. */
  readonly rule: string;
  /** What is wrong and how to mend it. */
  readonly message: string;
}

/**
 * Checks the files of `src/` and `mod.ts` against the order of the rooms.
 *
 * @param files Source text by path, as in `src/kernel/seed.ts`.
 * @param exported Paths that `deno.json` exports: only these may be called `mod.ts`.
 * @returns What is wrong, by file and line; empty when nothing is.
 */
export function lintRooms(
  files: ReadonlyMap<string, string>,
  exported: readonly string[],
): readonly Finding[] {
  const findings: Finding[] = [];
  const graph = new Map<string, Set<string>>();
  for (const [file, text] of files) {
    const source = readSource(file, text);
    const report = (line: number, rule: string, message: string) =>
      findings.push({ file, line, rule, message });
    checkName(file, exported, report);
    for (const { text, line } of source.imports) {
      const target = resolve(file, text);
      checkImport(file, text, target, (rule, message) => report(line, rule, message));
      if (target !== undefined) getOrAdd(graph, file).add(target);
    }
    for (const string of source.strings) checkRevision(file, string, report);
    for (const name of source.names) checkFetchName(file, name, report);
  }
  for (const cycle of findCycles(graph)) {
    const way = [...cycle, cycle[0]].join(" > ");
    findings.push({
      file: cycle[0] ?? "",
      line: 1,
      rule: "cycle",
      message: `Import cycle ${way}: move what both need into a file of its own`,
    });
  }
  return findings.sort((a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line);
}

type Report = (line: number, rule: string, message: string) => void;

function checkName(file: string, exported: readonly string[], report: Report): void {
  const parts = file.replace(/\.ts$/, "").split("/").slice(1);
  const empty = parts.find((part) => EMPTY_NAMES.includes(part));
  if (empty !== undefined) {
    report(1, "file-name", `"${empty}" says nothing: name the file for the symbol it exports`);
  } else if (!/^[a-z0-9_]+\.ts$/.test(file.split("/").at(-1) ?? "")) {
    report(1, "file-name", "File name is not snake_case: name the file for the symbol it exports");
  }
  if (/\bmod\.ts$/.test(file) && !exported.includes(file)) {
    report(1, "file-name", "mod.ts is not exported: import its files directly, or export it");
  }
  if (rankOf(file) === undefined) {
    report(1, "room", "Not in a room: move the file, or give its room a rank in tools/rooms.ts");
  }
}

function checkImport(
  file: string,
  specifier: string,
  target: string | undefined,
  report: (rule: string, message: string) => void,
): void {
  if (target === undefined) {
    const allowed = PACKAGES.some((row) => row.name.test(specifier) && row.files.test(file));
    if (allowed) return;
    report(
      "package",
      `"${specifier}" may not be imported here: take it through a port, or allow it in tools/rooms.ts`,
    );
  } else if (target !== "mod.ts" && !target.startsWith("src/")) {
    report("outside", `"${target}" is outside src/: move what is needed into src/`);
  } else if (!mayImport(file, target)) {
    report(
      "rank",
      `${placeOf(file)} may not import from ${
        placeOf(target)
      }: move the noun into the lower room, ` +
        "or hand the value down as an argument",
    );
  }
}

function checkRevision(file: string, { text, line }: Mention, report: Report): void {
  if (!/^20\d\d-\d\d-\d\d$/.test(text) || REVISION_ROOMS.includes(roomOf(file))) return;
  report(
    line,
    "revision",
    `"${text}" looks like a revision: let era/ decide, with a row in its table or codec`,
  );
}

function checkFetchName(file: string, { text, line }: Mention, report: Report): void {
  if (text !== "Request" && text !== "Response" || FETCH_ROOMS.includes(roomOf(file))) return;
  report(line, "fetch", `${text} is named outside the edge: take an Inbound, answer an Outcome`);
}

/** `src/kernel/seed.ts` is in `kernel`, `src/server.ts` in `server`, `src/node_http.ts` in `node`. */
function roomOf(file: string): string {
  const [first = "", second] = file.replace(/^src\//, "").split("/");
  return second === undefined ? first.replace(/(_\w+)?\.ts$/, "") : first;
}

/** The folder below `features/`; empty for a file that all features share. */
function featureOf(file: string): string {
  const parts = file.split("/");
  return parts.length > 3 ? parts[2] ?? "" : "";
}

function placeOf(file: string): string {
  const room = roomOf(file);
  const feature = room === "features" ? featureOf(file) : "";
  return feature === "" ? room : `${room}/${feature}`;
}

function rankOf(file: string): number | undefined {
  const room = roomOf(file);
  if (!Object.hasOwn(ROOM_RANKS, room)) return undefined;
  if (room === "features" && featureRankOf(file) === undefined) return undefined;
  return ROOM_RANKS[room];
}

function featureRankOf(file: string): number | undefined {
  const feature = featureOf(file);
  if (feature === "") return -1;
  return Object.hasOwn(FEATURE_RANKS, feature) ? FEATURE_RANKS[feature] : undefined;
}

function mayImport(file: string, target: string): boolean {
  if (placeOf(file) === placeOf(target)) return true;
  const [from, to] = roomOf(file) === "features" && roomOf(target) === "features"
    ? [featureRankOf(file), featureRankOf(target)]
    : [rankOf(file), rankOf(target)];
  // A place without a rank is a finding of its own.
  return from === undefined || to === undefined || to < from;
}

/** The path that a relative specifier means; `undefined` for a bare one. */
function resolve(file: string, specifier: string): string | undefined {
  if (!/^\.{0,2}\//.test(specifier)) return undefined;
  return new URL(specifier, `file:///${file}`).pathname.slice(1);
}

function getOrAdd(graph: Map<string, Set<string>>, file: string): Set<string> {
  const found = graph.get(file) ?? new Set();
  graph.set(file, found);
  return found;
}

async function readFiles(path: string, files: Map<string, string>): Promise<Map<string, string>> {
  for await (const entry of Deno.readDir(path)) {
    const child = `${path}/${entry.name}`;
    if (entry.isDirectory) await readFiles(child, files);
    else if (child.endsWith(".ts")) files.set(child, await Deno.readTextFile(child));
  }
  return files;
}

if (import.meta.main) {
  const files = await readFiles("src", new Map());
  const mod = await Deno.readTextFile("mod.ts").catch(() => undefined);
  if (mod !== undefined) files.set("mod.ts", mod);
  const exported = Object.values(config.exports).map((path) => path.replace("./", ""));
  const findings = lintRooms(files, exported);
  for (const { file, line, rule, message } of findings) {
    console.error(`${file}:${line} [${rule}] ${message}`);
  }
  console.log(`Checked the rooms of ${files.size} files: ${findings.length} findings`);
  if (findings.length > 0) Deno.exit(1);
}
