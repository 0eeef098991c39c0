import type { Awaitable } from "../ports/awaitable.ts";
import type { Pageable } from "./pageable.ts";

/**
 * What a function lacks that answers something else than it must: an error then names what does not fit
 * in two lines, and not in five or ten how one got there.
 */
export interface AnswerMismatch<Answer, Expected> {
  /** Never present. */
  readonly "~answer": readonly [Answer, Expected];
}

/**
 * Asks nothing of a function whose answer fits, and of another what it cannot have. The answer is a
 * type parameter of its own, inferred from the branch that is never taken, so that it may be anything.
 * One that is a type parameter of the author's is left to `Expects`. Hover: `unknown`, or
 * `AnswerMismatch<{ paid: number }, { paid: boolean }>` with the fields that do not fit.
 */
export type Fits<Answer, Expected> = [[Answer] extends [Awaitable<Expected>] ? true : never] extends
  [never] ? [Answer] extends [never] ? () => Answer : Mismatch<Awaited<Answer>, Expected>
  : unknown;

/**
 * What is asked of a function beside `Fits` or `Takes`, of one that does not fit nothing more: its
 * error is told in one line. Hover: `T`, or `AnswerMismatch<…>`.
 */
export type Fitting<Fit, T> = Fit & ([unknown] extends [Fit] ? T : unknown);

/**
 * What a function must answer beside `Fits`: what is expected, or a promise of it. Of an answer that
 * does not fit, a literal is told at its field and all else in two lines. Hover:
 * `Awaitable<{ paid: boolean }>`.
 */
export type Expects<Answer, Expected> =
  [[Answer] extends [Awaitable<Expected>] ? true : never] extends [never]
    ? Mismatch<Awaited<Answer>, Expected> & AsLiteral<Answer, Expected>
    : Awaitable<Expected>;

/**
 * What a literal is compared with, field by field. Hover: what is expected, of a list an array;
 * `unknown` for an answer that is one of several, which no literal is.
 */
export type AsLiteral<Answer, Expected, One = Answer> = One extends unknown
  ? [Answer] extends [One]
    ? [RowOf<Expected>] extends [never] ? Expected : readonly RowOf<Expected>[]
  : unknown
  : never;

/** What does not fit: of lists their rows, of rows their fields. Hover: `AnswerMismatch<…>`. */
export type Mismatch<Answer, Expected> = [RowOf<Expected>] extends [never]
  ? RowMismatch<Exclude<Answer, Expected>, Expected>
  : [RowOf<Answer>] extends [RowOf<Expected>] ? RowMismatch<Exclude<Answer, Expected>, Expected>
  : RowMismatch<Exclude<RowOf<Answer>, RowOf<Expected>>, RowOf<Expected>>;

/** The rows of a list. Hover: `{ paid: boolean }`; `never` for what is no list. */
export type RowOf<List> = List extends string ? never
  : List extends Iterable<infer Row> | AsyncIterable<infer Row> | Pageable<infer Row> ? Row
  : never;

/** The fields of a row that do not fit, and no others. Hover: `AnswerMismatch<…>`. */
export type RowMismatch<Answer, Expected> = Misfits<Answer, NonNullable<Expected>> extends
  infer Names ? [Names] extends [never] ? AnswerMismatch<Answer, Expected>
  : AnswerMismatch<
    { [K in keyof Answer as Extract<K, Names>]: Answer[K] },
    { [K in keyof NonNullable<Expected> as Extract<K, Names>]: NonNullable<Expected>[K] }
  >
  : never;

/** The fields of a row that are wrong or missing. Hover: `"paid"`; `never` for what is no such row. */
export type Misfits<Answer, Row, Names extends keyof Row = keyof Row> =
  [Row, RowOf<Answer | Row>] extends [object, never]
    ? Answer extends unknown ? [keyof Answer & Names] extends [never] ? never
      : {
        [K in Names]-?: [Pick<Answer, Extract<K, keyof Answer>>] extends [Pick<Row, K>] ? never : K;
      }[Names]
    : never
    : never;
