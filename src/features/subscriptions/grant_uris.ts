import type { Call } from "../call.ts";
import type { ResourceRegistry } from "../resources/resource_registry.ts";
import { runBinding } from "../run_binding.ts";

/** How many reads run at a time for one client. */
const AT_A_TIME = 10;

/**
 * Tells which resources a caller may watch. The reads are charged to the resources' rate limits.
 *
 * @returns The URIs that are granted, in order.
 */
export async function grantUris(
  uris: readonly string[],
  call: Call,
  resources: ResourceRegistry,
): Promise<readonly string[]> {
  const granted: string[] = [];
  for (let start = 0; start < uris.length; start += AT_A_TIME) {
    const some = uris.slice(start, start + AT_A_TIME);
    const answers = await Promise.all(some.map((uri) => isUriGranted(uri, call, resources, true)));
    granted.push(...some.filter((_, i) => answers[i]));
    if (call.isAbandoned) break;
  }
  return granted;
}

/**
 * Tells whether a caller may watch a resource: one that it could read now, the row and its permissions
 * included (B11). A read that fails is no grant, whatever the reason.
 *
 * @param isCharged Whether the read is charged to the resource's rate limits.
 */
export async function isUriGranted(
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
