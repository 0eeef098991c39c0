import type { Awaitable } from "../ports/awaitable.ts";
import type { Principal } from "../ports/principal.ts";
import type { SeedPool, SeedValues } from "./pool.ts";
import { ServiceConflict } from "./service_error.ts";

/**
 * When an operation is possible: a fact about the world (`when`) or about the row (`whenRow`), never
 * about the caller's arguments. Asked in the order of declaration; the first that does not hold ends
 * the call with its reason.
 */
export interface Affordance<
  User extends Principal = Principal,
  Seeds extends SeedValues = SeedValues,
  Row = unknown,
> {
  /** Stable code, unique within the operation. */
  readonly code: string;
  /** One sentence for people and models alike. */
  readonly reason: string;
  /** Whether it holds at all; also asked by listings. Default: yes. */
  readonly when?: (pool: SeedPool<User> & Seeds) => Awaitable<boolean>;
  /** Whether it holds for the target row; never asked by listings. Default: yes. */
  readonly whenRow?: (row: Row, pool: SeedPool<User> & Seeds) => Awaitable<boolean>;
}

/** The operation is not possible now; the code is stable. */
export class ActionUnavailable extends ServiceConflict {
  /** Always `"ActionUnavailable"`. */
  override readonly name: string = "ActionUnavailable";
  /** The affordance's code. */
  readonly code: string;

  /**
   * Says why.
   *
   * @param reason The affordance's reason.
   * @param code The affordance's code.
   */
  constructor(reason: string, code: string) {
    super(reason);
    this.code = code;
  }
}

/**
 * Finds the first affordance whose world fact does not hold. Rows are not looked at.
 *
 * @param affordances In the order of declaration.
 * @param pool Who calls, and the seeds.
 */
export async function findUnmet(
  affordances: readonly Affordance[],
  pool: SeedPool,
): Promise<Affordance | undefined> {
  for (const affordance of affordances) {
    if (affordance.when !== undefined && !await affordance.when(pool as never)) return affordance;
  }
  return undefined;
}
