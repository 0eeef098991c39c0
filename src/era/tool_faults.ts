import { complete } from "../features/outcome.ts";
import type { MethodRow } from "../methods/run_method.ts";
import { errorResult } from "../present/error_result.ts";
import type { Catalogue } from "./catalogue.ts";

/** What the caller of a tool gets for a fault, where the server serves it as a result. */
export function toolFaults({ faults }: Pick<Catalogue, "faults">): Pick<MethodRow, "onFault"> {
  if (faults !== "toolError") return {};
  return {
    onFault: (reference) =>
      complete(errorResult({ type: "fault", message: "Internal error", reference })),
  };
}
