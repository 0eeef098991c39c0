import { jsonSchema, pageable, selectorSpec, serviceSpec, unrestricted } from "../../mod.ts";
import type { CaseGroup } from "./kernel_case.ts";
import { serveTool } from "./serve_tool.ts";

/** One row. */
interface Row {
  readonly id: number;
  readonly status: string;
  readonly note: string;
}

const rows: readonly Row[] = Array.from({ length: 20 }, (_, index) => ({
  id: index + 1,
  status: index % 2 === 0 ? "open" : "paid",
  note: `Supplies ${index + 1}`,
}));
const output = jsonSchema<Row>({
  type: "object",
  properties: { id: { type: "integer" }, status: { type: "string" }, note: { type: "string" } },
  required: ["id", "status", "note"],
});
const list = { kind: "list", permissions: [unrestricted], select: () => rows } as const;
const lazy = pageable({
  count: () => rows.length,
  slice: (offset, limit) => rows.slice(offset, offset + limit),
});
const pay = serviceSpec({
  permissions: [unrestricted],
  instance: selectorSpec({
    kind: "retrieve",
    output,
    permissions: [unrestricted],
    select: () => rows[0]!,
  }),
  affordances: [{
    code: "paid",
    reason: "It is paid.",
    whenRow: ({ status }: Row) => status !== "paid",
  }],
  run: () => null,
});

/** What a feature adds to a call that answers twenty rows. */
export const rowCases: CaseGroup = {
  title: "20 rows",
  method: "tools/call",
  arguments: {},
  marker: "Supplies 20",
  cases: [
    { name: "nothing declared", build: () => serveTool(selectorSpec(list)) },
    { name: "output, JSON Schema", build: () => serveTool(selectorSpec({ ...list, output })) },
    {
      name: "present",
      build: () => serveTool(selectorSpec({ ...list, present: (row) => row })),
    },
    {
      name: "output and audience",
      build: () => {
        const audience = {
          id: { as: "handle" },
          status: { choices: { open: "open", paid: "paid" } },
        } as const;
        return serveTool(selectorSpec({ ...list, output, audience }));
      },
    },
    {
      name: "output and affordances of rows",
      build: () => serveTool(selectorSpec({ ...list, output, affordances: { pay } })),
    },
    {
      name: "paginate",
      build: () => serveTool(selectorSpec(list), { tool: { paginate: true } }),
    },
    {
      name: "paginate, lazily",
      build: () =>
        serveTool(selectorSpec({ ...list, select: () => lazy }), { tool: { paginate: true } }),
    },
  ],
};
