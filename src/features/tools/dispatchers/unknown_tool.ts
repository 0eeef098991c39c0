import { errorResult } from "../../../present/error_result.ts";
import { complete, type Outcome } from "../../outcome.ts";
import { quoteName } from "../../quote_name.ts";
import { HELP } from "./help_name.ts";

/** The one answer about a tool that is not there and about one that the caller is not shown (B14). */
export function unknownTool(name: string): Outcome {
  const message = `Unknown tool: ${quoteName(name)}; tool "${HELP}" lists those there are`;
  return complete(errorResult({ type: "validation_error", message }));
}
