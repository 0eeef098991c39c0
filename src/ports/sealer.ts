/** Seals small payloads so that nobody else can make or change them; it hides them only where it encrypts. */
export interface Sealer {
  /**
   * Seals a payload.
   *
   * @param payload What to seal.
   * @returns Base64url of the payload and its HMAC-SHA-256, or of the payload encrypted by AES-GCM.
   */
  seal(payload: Uint8Array<ArrayBuffer>): Promise<string>;
  /**
   * Opens a sealed payload.
   *
   * @param text What a caller sent.
   * @returns What was sealed, or `undefined` for anything that was not, with none of the secrets.
   */
  open(text: string): Promise<Opened | undefined>;
  /** Digests a text under the secret that seals, for comparing without storing it: 16 bytes. */
  digest(text: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** A sealed payload that was opened. */
export interface Opened {
  /** What was sealed. */
  readonly payload: Uint8Array<ArrayBuffer>;
  /** Digests a text under the secret that sealed this payload: 16 bytes. */
  digest(text: string): Promise<Uint8Array<ArrayBuffer>>;
}
