import { assertEquals } from "@std/assert";
import { type ArgumentsOf, param, type Parameters, type ValueOf } from "../../src/schema/param.ts";

// K-11: what a callable sees. The assertions are the annotations: this file must type-check.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;
function same<A, B>(_: Equal<A, B>): void {}

Deno.test("param infers plain types", () => {
  const parameters = {
    id: param.integer({ required: true }),
    status: param.string({ choices: ["open", "paid"] }),
    size: param.integer({ choices: [1, 2], default: 1 }),
    note: param.string({ nullable: true, default: null }),
    ratio: param.number(),
    dry: param.boolean({ default: false }),
    tags: param.array(param.string(), { required: true, itemsNullable: true }),
    rows: param.array({ amount: param.number({ required: true }), memo: param.string() }),
    anything: param.array(),
    place: param.object({ fields: { city: param.string({ required: true }) }, nullable: true }),
    free: param.object({ required: true }),
  };
  same<
    ArgumentsOf<typeof parameters>,
    {
      readonly id: number;
      readonly size: 1 | 2;
      readonly note: string | null;
      readonly dry: boolean;
      readonly tags: readonly (string | null)[];
      readonly free: Readonly<Record<string, unknown>>;
      readonly status?: "open" | "paid" | undefined;
      readonly ratio?: number | undefined;
      readonly rows?:
        | readonly { readonly amount: number; readonly memo?: string | undefined }[]
        | undefined;
      readonly anything?: readonly unknown[] | undefined;
      readonly place?: { readonly city: string } | null | undefined;
    }
  >(true);
  same<ValueOf<typeof parameters.status>, "open" | "paid">(true);
  const widened: Parameters = parameters;
  assertEquals(Object.keys(widened).length, 11);
});

Deno.test("param refuses wrong options at compile time", () => {
  const unused = [
    // @ts-expect-error: a default is of the declared type
    () => param.integer({ default: "5" }),
    // @ts-expect-error: a number cannot be mirrored
    () => param.number({ header: "Size" }),
    // @ts-expect-error: only strings have formats
    () => param.integer({ format: "date" }),
    // @ts-expect-error: fields are parameters
    () => param.object({ fields: { a: "string" } }),
    // @ts-expect-error: choices are of the declared type
    () => param.string({ choices: [1] }),
  ];
  assertEquals(unused.length, 5);
});

const SNIPPET = `
import { type ArgumentsOf, param } from "../../../src/schema/param.ts";
const reads = { id: param.integer({ required: true }), status: param.string({ choices: ["open", "paid"] }) };
declare const args: ArgumentsOf<typeof reads>;
export const hover: never = args;
export const parameter: never = reads.status;
export const wrong = param.integer({ default: "5" });
`;

Deno.test("param shows plain types on hover and in errors", async () => {
  const directory = await Deno.makeTempDir({ dir: import.meta.dirname ?? "." });
  try {
    await Deno.writeTextFile(`${directory}/snippet.ts`, SNIPPET);
    const check = new Deno.Command(Deno.execPath(), {
      args: ["check", `${directory}/snippet.ts`],
      env: { NO_COLOR: "1" },
      stderr: "piped",
      stdout: "piped",
    });
    const { stderr } = await check.output();
    const errors = new TextDecoder().decode(stderr).match(/TS\d+.*/g);
    assertEquals(errors, [
      `TS2322 [ERROR]: Type '{ readonly id: number; readonly status?: "open" | "paid" | undefined; }' is not assignable to type 'never'.`,
      `TS2322 [ERROR]: Type 'Parameter<"open" | "paid", false>' is not assignable to type 'never'.`,
      "TS2322 [ERROR]: Type 'string' is not assignable to type 'number'.",
    ]);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
