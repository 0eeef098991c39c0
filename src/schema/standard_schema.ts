/** One complaint of a validator, with the path to the place it is about. */
export interface SchemaIssue {
  /** The validator's words. */
  readonly message: string;
  /** Keys from the root to the place; absent means the root itself. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** What a validator answers: the parsed value, or what is wrong with it. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<SchemaIssue> };

/**
 * The validating side of Standard Schema v1.
 *
 * @see {@link https://standardschema.dev}
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The Standard Schema properties. */
  readonly "~standard": {
    /** Always 1. */
    readonly version: 1;
    /** The library that made the schema, such as `"zod"`. */
    readonly vendor: string;
    /** Parses a value. */
    readonly validate: (
      value: unknown,
    ) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** Carries the static types; never present at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The describing side: a schema that can be written as JSON Schema. */
export interface JsonSchemaSide {
  /** The Standard JSON Schema properties. */
  readonly "~standard": {
    /** Converts to JSON Schema 2020-12. */
    readonly jsonSchema: {
      /** Describes what the validator takes. */
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
      /** Describes what the validator gives. */
      readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/** What Limen takes wherever a schema is asked for: it validates, and it describes itself. */
export type Schema<Input = unknown, Output = Input> =
  & StandardSchema<Input, Output>
  & JsonSchemaSide;

/** What a schema lacks that validates and cannot describe itself, such as one of Valibot. */
export interface NoJsonSchema {
  /** Never present: says what to do. */
  readonly "wrap it in toStandardJsonSchema()": never;
}

/**
 * Asks nothing of a schema that describes itself, or is a type parameter that does. Hover: `unknown`,
 * or `NoJsonSchema`.
 */
export type Describes<S> = [[S] extends [JsonSchemaSide] ? true : never] extends [never]
  ? NoJsonSchema
  : unknown;

/** The static type that travels on the wire. */
export type InputOf<S> = S extends { readonly "~standard": { readonly types?: infer T } }
  ? (NonNullable<T> extends { readonly input: infer I } ? I : never)
  : never;

/** The static type that a callable receives. */
export type OutputOf<S> = S extends { readonly "~standard": { readonly types?: infer T } }
  ? (NonNullable<T> extends { readonly output: infer O } ? O : never)
  : never;
