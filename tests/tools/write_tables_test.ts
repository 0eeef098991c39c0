import { assertEquals, assertThrows } from "@std/assert";
import { findLogCalls } from "../../tools/find_log_calls.ts";
import { readInterface } from "../../tools/read_interface.ts";
import { insertTable, TABLES } from "../../tools/write_tables.ts";

for (const { document, source, render } of TABLES) {
  Deno.test(`${document} has the table that ${source} makes`, async () => {
    const text = await Deno.readTextFile(document);
    assertEquals(insertTable(text, render(await Deno.readTextFile(source))), text);
  });
}

Deno.test("insertTable() replaces what stood in its place, and nothing else", () => {
  const document = "# A\n\n<!-- table -->\nold\n<!-- /table -->\n\n# B\n";
  const table = "| a |\n| --- |\n| $& |";
  assertEquals(
    insertTable(document, table),
    `# A\n\n<!-- table -->\n\n<!-- deno-fmt-ignore -->\n\n${table}\n\n<!-- /table -->\n\n# B\n`,
  );
  assertThrows(() => insertTable("# A\n", table), Error, "has no place for it");
});

Deno.test("readInterface() reads names, types and comments", () => {
  const source = `interface Options {
    /**
     * How many, at
     * most. Default 1.
     */
    readonly size?: number;
    /** Parts. */
    readonly "a.b": {
      /** In it. */
      readonly c: string;
    };
  }`;
  assertEquals(readInterface(source, "Options"), [
    {
      name: "size",
      type: "number",
      isOptional: true,
      comment: "How many, at most. Default 1.",
      members: [],
    },
    {
      name: "a.b",
      type: "{ /** In it. */ readonly c: string; }",
      isOptional: false,
      comment: "Parts.",
      members: [{ name: "c", type: "string", isOptional: false, comment: "In it.", members: [] }],
    },
  ]);
  assertThrows(() => readInterface(source, "Other"), Error, "the file has none");
});

// B17: what is not in the table is not in an event.
Deno.test("src/ makes only events of LogEvents, with fields that are listed there", async () => {
  const table = new Map(
    readInterface(await Deno.readTextFile("src/ports/log_events.ts"), "LogEvents").map((
      { name, members },
    ) => [
      name,
      (members.find((one) => one.name === "fields")?.members ?? []).map((field) => field.name),
    ]),
  );
  let seen = 0;
  for await (const path of sources("src")) {
    for (const { event, fields } of findLogCalls(await Deno.readTextFile(path))) {
      seen++;
      const stray = fields.filter((field) => !table.get(event)?.includes(field));
      assertEquals(stray, [], `${path} puts more into ${event} than LogEvents says`);
    }
  }
  assertEquals(seen > 10, true);
});

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* sources(`${folder}/${name}`);
    else if (name.endsWith(".ts")) yield `${folder}/${name}`;
  }
}
