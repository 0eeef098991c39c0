import { admit } from "../gate/admit.ts";
import { askOperation } from "../kernel/prepare_call.ts";
import { andThen } from "../ports/awaitable.ts";
import type { ListFilter } from "./list_registry.ts";
import type { GuardedOperation } from "./run_binding.ts";

/** Leaves out what the caller's scopes and permissions deny; asked as for no arguments (L-4). */
export const permissionFilter: ListFilter<GuardedOperation & { readonly alwaysListed: boolean }> = {
  applies: (items) => items.length > 0,
  isShown: ({ alwaysListed, gate, operation }, call) =>
    alwaysListed || andThen(
      admit({ scopes: gate.scopes }, call, () => askOperation(operation, call, {})),
      (denied) => denied === undefined,
    ),
};
