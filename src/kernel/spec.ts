import type { Principal } from "../ports/principal.ts";
import type { SeedValues } from "./pool.ts";

/** What an operation is: a write, a read of many rows, or a read of one. */
export type SpecKind = "service" | "list" | "retrieve";

/**
 * One declared operation: a frozen plain object that says what it takes, who may run it and how its
 * result is presented. Knows nothing of any transport.
 */
export interface Spec<
  User extends Principal = never,
  Seeds extends SeedValues = never,
  Kind extends SpecKind = SpecKind,
  Args = unknown,
  Row = unknown,
> {
  /** What the operation is. */
  readonly kind: Kind;
  /** Carries the type of the users who may call it; never present at run time. */
  readonly "~user"?: (user: User) => void;
  /** Carries the seeds that it needs; never present at run time. */
  readonly "~seeds"?: (seeds: Seeds) => void;
  /** Carries the types of its arguments and rows; never present at run time. */
  readonly "~io"?: { readonly args: Args; readonly row: Row };
}

/** A spec that writes. */
export type ServiceSpec<
  User extends Principal = never,
  Seeds extends SeedValues = never,
  Args = unknown,
  Row = unknown,
> = Spec<User, Seeds, "service", Args, Row>;

/** A spec that reads. */
export type SelectorSpec<
  User extends Principal = never,
  Seeds extends SeedValues = never,
  Kind extends "list" | "retrieve" = "list" | "retrieve",
  Args = unknown,
  Row = unknown,
> = Spec<User, Seeds, Kind, Args, Row>;
