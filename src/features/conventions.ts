import { ConfigurationError } from "../ports/configuration_error.ts";
import { findStray } from "../ports/find_stray.ts";

/**
 * Sentences that the server adds for agents. Each is a template: `{{` and `}}` are braces, and only
 * `missingArguments` has a placeholder, `{names}`. `null` drops a sentence.
 */
export interface AgentConventions {
  /** Description of a handle field that has none. */
  readonly handleFieldDescription?: string | null;
  /** Appended to the description of a tool whose output carries a handle. */
  readonly handleLine?: string | null;
  /** Appended to the description of each shape of a paged tool. */
  readonly queryParamOnPages?: string | null;
  /** Says which required arguments were left out; cannot be dropped. */
  readonly missingArguments?: string;
}

/** The sentences, rendered. */
export interface RenderedConventions {
  readonly handleFieldDescription: string | undefined;
  readonly handleLine: string | undefined;
  readonly queryParamOnPages: string | undefined;
  /** Says which names were left out. */
  readonly missingArguments: (names: string) => string;
}

const DEFAULTS: Required<AgentConventions> = {
  handleFieldDescription:
    "Opaque value for other tools; never read it out to the user or make one up.",
  handleLine: "Handles are opaque: pass them on to other tools as they are, never show them.",
  queryParamOnPages:
    "On a paged result it applies to each item in items, never to the page envelope " +
    "(items, page, totalPages, hasNext).",
  missingArguments: "Missing required argument(s): {names}.",
};

/**
 * Checks and renders the sentences; those that are not given keep their words (M-40…M-42).
 *
 * @throws {ConfigurationError} when a template is malformed, naming the field.
 */
export function renderConventions(given: AgentConventions = {}): RenderedConventions {
  const stray = findStray(given, Object.keys(DEFAULTS), "a convention");
  if (stray !== undefined) {
    throw new ConfigurationError(`Cannot create server: convention ${stray}`);
  }
  const fixed = (
    field: Exclude<keyof AgentConventions, "missingArguments">,
  ): string | undefined => {
    const template = given[field] === undefined ? DEFAULTS[field] : given[field];
    return template === null ? undefined : compile(field, template, [])("");
  };
  const { missingArguments: missing = DEFAULTS.missingArguments } = given;
  if (typeof missing !== "string" || missing.trim() === "") {
    throw invalid("missingArguments", "must be a sentence");
  }
  return {
    handleFieldDescription: fixed("handleFieldDescription"),
    handleLine: fixed("handleLine"),
    queryParamOnPages: fixed("queryParamOnPages"),
    missingArguments: compile("missingArguments", missing, ["names"]),
  };
}

function compile(
  field: string,
  template: unknown,
  placeholders: readonly string[],
): (names: string) => string {
  if (typeof template !== "string") throw invalid(field, "must be a text or null");
  const parts: (string | { readonly placeholder: string })[] = [];
  const pattern = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;
  let end = 0;
  for (const match of template.matchAll(pattern)) {
    parts.push(template.slice(end, match.index));
    end = match.index + match[0].length;
    if (match[0] === "{{" || match[0] === "}}") parts.push(match[0][0]!);
    else if (match[1] === undefined) throw invalid(field, "has a single brace; double it");
    else if (!placeholders.includes(match[1])) {
      throw invalid(field, `has the placeholder {${match[1]}}, which it does not take`);
    } else parts.push({ placeholder: match[1] });
  }
  parts.push(template.slice(end));
  return (names) => parts.map((part) => typeof part === "string" ? part : names).join("");
}

function invalid(field: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot create server: convention ${field} ${problem}`);
}
