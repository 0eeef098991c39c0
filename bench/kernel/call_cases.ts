import {
  jsonSchema,
  param,
  poolSeeds,
  provider,
  type SeedPool,
  selectorSpec,
  serviceSpec,
  specsFor,
  unrestricted,
} from "../../mod.ts";
import type { CaseGroup } from "./kernel_case.ts";
import { serveTool } from "./serve_tool.ts";

const text = "The quick brown fox jumps over the lazy dog";
const run = (): string => text;
const open = { permissions: [unrestricted] } as const;
const reads = { text: param.string({ required: true }) };
const input = jsonSchema<{ readonly text: string }>({
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
});
const row = { text };
const found = selectorSpec({ kind: "retrieve", reads, ...open, select: () => row });
const owned = { ...unrestricted, hasObjectPermission: () => true };
const later = { hasPermission: () => Promise.resolve(true) };
const possible = { code: "closed", reason: "The books are closed.", when: () => true };

const now = poolSeeds({ tenant: ({ user }: SeedPool) => user.authenticated });
const soon = poolSeeds({ tenant: async ({ user }: SeedPool) => await user.authenticated });

/** What a feature adds to a call that answers one text. */
export const callCases: CaseGroup = {
  title: "one text",
  method: "tools/call",
  arguments: { text },
  marker: text,
  cases: [
    { name: "nothing declared", build: () => serveTool(serviceSpec({ ...open, run })) },
    { name: "reads", build: () => serveTool(serviceSpec({ ...open, reads, run })) },
    { name: "input, JSON Schema", build: () => serveTool(serviceSpec({ ...open, input, run })) },
    {
      name: "a check that answers later",
      build: () => serveTool(serviceSpec({ permissions: [later], run })),
    },
    {
      name: "a seed",
      build: () =>
        serveTool(specsFor(now).serviceSpec({ ...open, run }), { server: { seeds: now } }),
    },
    {
      name: "a seed that answers later",
      build: () =>
        serveTool(specsFor(soon).serviceSpec({ ...open, run }), { server: { seeds: soon } }),
    },
    {
      name: "provide",
      build: () => {
        const provide = provider({ clock: "always" }, () => ({ clock: 1 }));
        return serveTool(serviceSpec({ ...open, provide, run }));
      },
    },
    {
      name: "input and inputData",
      build: () => {
        const inputData = provider({ text: "always" }, () => ({ text }));
        return serveTool(serviceSpec({ ...open, input, inputData, run }));
      },
    },
    { name: "instance", build: () => serveTool(serviceSpec({ ...open, instance: found, run })) },
    {
      name: "instance and its permission",
      build: () => serveTool(serviceSpec({ permissions: [owned], instance: found, run })),
    },
    {
      name: "a precondition",
      build: () => serveTool(serviceSpec({ ...open, preconditions: [() => {}], run })),
    },
    {
      name: "an affordance",
      build: () => serveTool(serviceSpec({ ...open, affordances: [possible], run })),
    },
    { name: "prepare", build: () => serveTool(serviceSpec({ ...open, prepare: () => {}, run })) },
    {
      name: "a transaction",
      build: () =>
        serveTool(serviceSpec({ ...open, run }), { server: { transaction: (work) => work() } }),
    },
    { name: "reread", build: () => serveTool(serviceSpec({ ...open, run, reread: run })) },
  ],
};
