import type { JsonObject } from "./json.ts";

/** Hints of a content block or a resource for the client. */
export interface ContentAnnotations {
  /** Whom the block is for. */
  readonly audience?: readonly ("user" | "assistant")[];
  /** From 0, optional, to 1, required. */
  readonly priority?: number;
  /** ISO 8601 timestamp. */
  readonly lastModified?: string;
}

/** Members that every content block may have. */
export interface ContentBlockBase {
  /** Hints for the client. */
  readonly annotations?: ContentAnnotations;
  /** Metadata of the block. */
  readonly _meta?: JsonObject;
}

/** Plain text. */
export interface TextBlock extends ContentBlockBase {
  /** Always `"text"`. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
}

/** A picture. */
export interface ImageBlock extends ContentBlockBase {
  /** Always `"image"`. */
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  /** Such as `image/png`. */
  readonly mimeType: string;
}

/** A sound. */
export interface AudioBlock extends ContentBlockBase {
  /** Always `"audio"`. */
  readonly type: "audio";
  /** Base64. */
  readonly data: string;
  /** Such as `audio/wav`. */
  readonly mimeType: string;
}

/** A pointer to a resource that the client may read. */
export interface ResourceLinkBlock extends ContentBlockBase {
  /** Always `"resource_link"`. */
  readonly type: "resource_link";
  /** Where the resource is. */
  readonly uri: string;
  /** Its name. */
  readonly name: string;
  /** Its display title. */
  readonly title?: string;
  /** What it is. */
  readonly description?: string;
  /** Its media type. */
  readonly mimeType?: string;
  /** Its size in bytes. */
  readonly size?: number;
}

/** The contents of a resource inside a result. */
export interface ResourceBlock extends ContentBlockBase {
  /** Always `"resource"`. */
  readonly type: "resource";
  /** The contents: text, or base64 under `blob`. */
  readonly resource: {
    /** Where they come from. */
    readonly uri: string;
    /** Their media type. */
    readonly mimeType?: string;
    /** Metadata of the contents. */
    readonly _meta?: JsonObject;
  } & ({ readonly text: string } | { readonly blob: string });
}

/** One block of a result's content. */
export type ContentBlock =
  | TextBlock
  | ImageBlock
  | AudioBlock
  | ResourceLinkBlock
  | ResourceBlock;
