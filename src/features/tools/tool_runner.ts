import type { Awaitable } from "../../ports/awaitable.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Call } from "../call.ts";
import type { Outcome } from "../outcome.ts";
import type { ToolBinding } from "./tool_binding.ts";

/** Calls one tool with these arguments. */
export type ToolRunner = (tool: ToolBinding, args: JsonObject, call: Call) => Awaitable<Outcome>;
