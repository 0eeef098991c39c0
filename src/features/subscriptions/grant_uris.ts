import type { Call } from "../call.ts";
import type { ResourceRegistry } from "../resources/resource_registry.ts";
import { runBinding } from "../run_binding.ts";

/** How many reads run at a time for one client. */
const AT_A_TIME = 10;

/**
 * Tells which resources a caller may watch: those that it could read now, the row and its permissions
 * included (B11). A read that fails is no grant, whatever the reason.
 *
 * @param options Whether the reads are charged to the resources' rate limits.
 * @returns The URIs that are granted, in order.
 */
export async function grantUris(
  uris: readonly string[],
  call: Call,
  resources: ResourceRegistry,
  { isCharged }: { readonly isCharged: boolean },
): Promise<readonly string[]> {
  const granted: string[] = [];
  for (let start = 0; start < uris.length; start += AT_A_TIME) {
    const some = uris.slice(start, start + AT_A_TIME);
    const answers = await Promise.all(some.map((uri) => canRead(uri, call, resources, isCharged)));
    granted.push(...some.filter((_, i) => answers[i]));
    if (call.isAbandoned) break;
  }
  return granted;
}

async function canRead(
  uri: string,
  call: Call,
  resources: ResourceRegistry,
  isCharged: boolean,
): Promise<boolean> {
  const found = resources.resolve(uri);
  if (found === undefined || "malformed" in found.match) return false;
  const { operation, gate } = found.binding;
  const guarded = { operation, gate: isCharged ? gate : { scopes: gate.scopes } };
  try {
    const { type } = await runBinding(guarded, call, found.match.values);
    return type === "value";
  } catch (cause) {
    call.log({
      level: "error",
      event: "subscription.grant",
      message: `${operation.where} cannot be watched: reading it failed`,
      cause,
    });
    return false;
  }
}
