import { selectorSpec } from "../../kernel/specs_for.ts";
import { unrestricted } from "../../kernel/permission_check.ts";
import { negotiationParameters } from "./negotiation_parameters.ts";
import { bindTool, type ToolBinding, type ToolDefaults } from "./tool_binding.ts";

const DESCRIPTION = "Reads the result behind a continuation_token, in full or in part. It runs " +
  "nothing and changes nothing.";

/**
 * Makes the tool that takes the tokens of all tools, so that these need no arguments for it.
 * It is open to everyone, since the tool that gave a token is what guards it.
 *
 * @throws {ConfigurationError} when the name is none.
 */
export function createContinuationTool(name: string, defaults: ToolDefaults): ToolBinding {
  const { continuation_token, ...rest } = negotiationParameters();
  const spec = selectorSpec({
    kind: "retrieve",
    reads: { continuation_token: { ...continuation_token, required: true }, ...rest },
    permissions: [unrestricted],
    select: () => null,
  });
  const options = { name, description: DESCRIPTION, heavy: false };
  const tool = bindTool(spec, options, { ...defaults, seeds: undefined });
  return Object.freeze<ToolBinding>({
    ...tool,
    negotiation: {
      write: undefined,
      verifyKey: undefined,
      isHeavy: false,
      probeAboveBytes: null,
      redeems: "all",
      slot: undefined,
      continuing: defaults.continuing,
    },
  });
}
