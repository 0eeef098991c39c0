import { assertEquals, assertThrows } from "@std/assert";
import { param } from "../../src/schema/param.ts";

// K-11
const WRONG: readonly { readonly build: () => unknown; readonly message: string }[] = [
  {
    build: () => param.string({ format: "email" as never }),
    message:
      'Cannot declare param.string: format must be "date", "date-time" or "decimal", on a string',
  },
  {
    build: () => param.integer({ format: "date" } as never),
    message:
      'Cannot declare param.integer: format must be "date", "date-time" or "decimal", on a string',
  },
  {
    build: () => param.string({ choices: [] }),
    message: "Cannot declare param.string: choices must not be empty",
  },
  {
    build: () => param.integer({ choices: ["1"] as never }),
    message:
      'Cannot declare param.integer: choices must hold values of the declared type: "1" is none',
  },
  {
    build: () => param.string({ choices: ["a", "a"] }),
    message: "Cannot declare param.string: choices must differ",
  },
  {
    build: () => param.boolean({ choices: [true] } as never),
    message: "Cannot declare param.boolean: choices needs a string, an integer or a number",
  },
  {
    build: () => param.integer({ default: 1.5 }),
    message: "Cannot declare param.integer: default must be a value that the declaration accepts",
  },
  {
    build: () => param.integer({ default: "5" as never }),
    message: "Cannot declare param.integer: default must be a value that the declaration accepts",
  },
  {
    build: () => param.string({ choices: ["a"], default: "b" }),
    message: "Cannot declare param.string: default must be a value that the declaration accepts",
  },
  {
    build: () => param.string({ default: null }),
    message: "Cannot declare param.string: default must be a value that the declaration accepts",
  },
  {
    build: () => param.array(param.integer(), { default: ["x"] }),
    message: "Cannot declare param.array: default must be a value that the declaration accepts",
  },
  {
    build: () => param.number({ header: "Size" } as never),
    message: "Cannot declare param.number: header needs a string, an integer or a boolean",
  },
  {
    build: () => param.string({ header: "a b" }),
    message: "Cannot declare param.string: header must be an HTTP token",
  },
  {
    build: () => param.string({ header: "Region", nullable: true }),
    message: "Cannot declare param.string: header cannot mirror a nullable argument",
  },
  {
    build: () => param.array(undefined, { itemsNullable: true }),
    message: "Cannot declare param.array: itemsNullable needs items",
  },
  {
    build: () => param.array(param.string({ header: "Region" })),
    message: "Cannot declare param.array: items must not have a header",
  },
  {
    build: () => param.string({ fields: {} } as never),
    message: "Cannot declare param.string: fields needs an object",
  },
  {
    build: () => param.string({ require: true } as never),
    message: 'Cannot declare param.string: require is not an option: did you mean "required"?',
  },
];

for (const { build, message } of WRONG) {
  Deno.test(`param refuses: ${message}`, () => {
    const error = assertThrows(build, Error) as Error;
    assertEquals(error.name, "ConfigurationError");
    assertEquals(error.message, message);
  });
}

Deno.test("param builds frozen plain objects, all the way down", () => {
  const fields = { ids: param.array(param.integer(), { default: [1] }) };
  const parameter = param.object({ fields });
  assertEquals(JSON.parse(JSON.stringify(parameter)), {
    required: false,
    nullable: false,
    fields: {
      ids: {
        required: false,
        nullable: false,
        default: [1],
        items: { required: false, nullable: false, type: "integer" },
        type: "array",
      },
    },
    type: "object",
  });
  assertThrows(() => (parameter.fields?.ids?.default as number[]).push(2), TypeError);
  assertThrows(() => Object.assign(parameter, { required: true }), TypeError);
});
