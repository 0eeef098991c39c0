/** One optional string field of a `search` tool, the filler of a long catalogue. */
export interface SearchField {
  /** Name of the property. */
  readonly name: string;
  /** Description of the property. */
  readonly help: string;
}

/** The fields of every `search` tool; with them a listed tool has about 700 bytes. */
export const searchFields: readonly SearchField[] = [
  { name: "query", help: "Words that the title or the text must contain." },
  { name: "status", help: "Only records in this status, for example open or closed." },
  { name: "since", help: "Only records changed on or after this date (YYYY-MM-DD)." },
  { name: "owner", help: "Only records that this person is responsible for." },
  { name: "sort", help: "Field to sort by; a leading minus sorts descending." },
];
