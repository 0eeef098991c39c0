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
 * type parameter of its own, so that the compiler infers it and compares it here alone. Hover:
 * `unknown`, or `AnswerMismatch<{ paid: number }, { paid: boolean }>` with the fields that do not fit.
 */
export type Fits<Answer, Expected> = [Answer] extends [Expected] ? unknown
  : Misfits<Exclude<Answer, Expected>, NonNullable<Expected>> extends infer Names
    ? [Names] extends [never] ? AnswerMismatch<Exclude<Answer, Expected>, Expected>
    : AnswerMismatch<
      { [K in keyof Exclude<Answer, Expected> as Extract<K, Names>]: Exclude<Answer, Expected>[K] },
      { [K in keyof NonNullable<Expected> as Extract<K, Names>]: NonNullable<Expected>[K] }
    >
  : never;

/** The fields of a row that are wrong or missing. Hover: `"paid"`; `never` for what is no such row. */
export type Misfits<Answer, Row, Names extends keyof Row = keyof Row> = Answer extends
  readonly unknown[] ? never
  : [keyof Answer & Names] extends [never] ? never
  : {
    [K in Names]: [K extends keyof Answer ? Answer[K] : undefined] extends [Row[K]] ? never : K;
  }[Names];
