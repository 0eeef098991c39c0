import type { Question } from "../../kernel/question.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../protocol/json.ts";
import { describeForm } from "./describe_form.ts";

/**
 * Writes a question as the request that a client is sent.
 *
 * @throws {ConfigurationError} for a form that clients do not take, naming the field.
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputrequests}
 */
export function toInputRequest(question: Question): JsonObject {
  switch (question.kind) {
    case "form": {
      const { message, fields } = question;
      const params = { mode: "form", message, requestedSchema: describeForm(fields) };
      return { method: "elicitation/create", params };
    }
    case "url": {
      const { message, url } = question;
      return { method: "elicitation/create", params: { mode: "url", message, url } };
    }
    case "sampling": {
      const { kind: _, ...params } = question;
      return { method: "sampling/createMessage", params };
    }
    case "roots":
      return { method: "roots/list" };
  }
}

/** The capability that a question needs, with the mode where there are several. */
const CAPABILITIES: Readonly<Record<Question["kind"], readonly [name: string, mode?: string]>> = {
  form: ["elicitation", "form"],
  url: ["elicitation", "url"],
  sampling: ["sampling"],
  roots: ["roots"],
};

/**
 * Tells whether a client declared that it takes a question. `elicitation: {}` means forms (E-19).
 *
 * @param capabilities What the client declared on this request.
 */
export function takesQuestion(capabilities: JsonObject, { kind }: Question): boolean {
  const [name, mode] = CAPABILITIES[kind];
  const declared = ownValue(capabilities, name);
  if (!isJsonObject(declared)) return false;
  if (mode === undefined || isJsonObject(ownValue(declared, mode))) return true;
  return kind === "form" && Object.keys(declared).length === 0;
}

/** The capabilities that questions need, in the shape of `ClientCapabilities`. */
export function capabilitiesFor(questions: readonly Question[]): JsonObject {
  const capabilities: Record<string, JsonObject> = {};
  for (const { kind } of questions) {
    const [name, mode] = CAPABILITIES[kind];
    capabilities[name] = { ...capabilities[name], ...(mode === undefined ? {} : { [mode]: {} }) };
  }
  return capabilities;
}
