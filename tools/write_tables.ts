/**
 * Writes the tables of the documentation that are made from the code: `deno task tables`. With
 * `--check` it writes nothing and fails where a table is not what the code says; `deno task ok` does
 * that.
 *
 * @module
 */
import { type Property, readInterface } from "./read_interface.ts";

/** A table of a document, between `<!-- table -->` and `<!-- /table -->`. */
export interface Table {
  /** The document. */
  readonly document: string;
  /** The file that says what is in it. */
  readonly source: string;
  /** Makes its Markdown. */
  readonly render: (source: string) => string;
}

/** Every table that is made from the code. */
export const TABLES: readonly Table[] = [
  { document: "docs/settings.md", source: "src/settings/server_options.ts", render: renderOptions },
  { document: "docs/logging.md", source: "src/ports/log_events.ts", render: renderEvents },
];

/** Puts a table into its document. */
export function insertTable(document: string, table: string): string {
  const place = /(?<=<!-- table -->\n)[^]*(?=<!-- \/table -->)/;
  if (!place.test(document)) {
    throw new Error("Cannot write table: the document has no place for it");
  }
  return document.replace(place, () => `\n<!-- deno-fmt-ignore -->\n\n${table}\n\n`);
}

/** The options of a server: name, type, default and meaning. */
function renderOptions(source: string): string {
  const rows = readInterface(source, "ServerOptions").map(({ name, type, isOptional, comment }) => {
    const { meaning, standard } = splitDefault(comment);
    if (isOptional && standard === undefined) {
      throw new Error(`Cannot write table: the comment of option ${name} names no default`);
    }
    return [`\`${name}\``, `\`${type}\``, isOptional ? standard! : "required", meaning];
  });
  return renderTable(["Option", "Type", "Default", "Meaning"], rows);
}

/** A comment says its default in a sentence of its own. */
function splitDefault(comment: string): { readonly meaning: string; readonly standard?: string } {
  const match = /(?:^|(?<=[.?:] ))Default:? (.*?)(?:\.(?= |$)|$)/.exec(comment);
  if (match === null) return { meaning: comment };
  const meaning = comment.replace(match[0], "").replace(/\s+/g, " ").trim();
  return { meaning, standard: match[1]! };
}

/** The events of the log: name, level, fields and when. */
function renderEvents(source: string): string {
  const rows = readInterface(source, "LogEvents").map(({ name, comment, members }) => [
    `\`${name}\``,
    (members.find((one) => one.name === "level")?.type ?? "").replaceAll('"', "")
      .replaceAll(" | ", " or "),
    comment,
    (members.find((one) => one.name === "fields")?.members ?? []).map(renderField).join("<br>"),
  ]);
  return renderTable(["Event", "Level", "When", "Fields"], rows);
}

function renderField({ name, comment, isOptional }: Property): string {
  return `\`${name}\`${isOptional ? " (not always)" : ""}: ${comment.replace(/[.,]$/, "")}`;
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

if (import.meta.main) {
  for (const { document, source, render } of TABLES) {
    const old = await Deno.readTextFile(document);
    const current = insertTable(old, render(await Deno.readTextFile(source)));
    if (current === old) continue;
    if (Deno.args.includes("--check")) {
      console.error(`${document} is stale: run deno task tables`);
      Deno.exitCode = 1;
    } else {
      await Deno.writeTextFile(document, current);
    }
  }
}
