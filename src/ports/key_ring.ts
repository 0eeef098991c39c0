import { decodeBase64Url, encodeBase64Url } from "./base64url.ts";
import { ConfigurationError } from "./configuration_error.ts";
import type { HostContext } from "./host_context.ts";
import type { Sealer } from "./sealer.ts";

/** One secret, or several: the first signs, all verify. Each has at least 32 bytes. */
export type Secret = string | readonly string[];

/** Where secrets come from: given, or read from what the platform passes with a request. */
export type SecretSource = Secret | ((host: HostContext) => Secret);

/** What a key is for, and whose it is: another purpose or server has another key. */
export interface KeyOptions {
  /** Such as `"session"`. */
  readonly purpose: string;
  /** The server's name. */
  readonly server: string;
  /** The server's public URL. */
  readonly publicUrl: string | undefined;
}

const MAC_BYTES = 32;
const MIN_SECRET_BYTES = 32;

/**
 * Makes sealers from the server's secrets: one key per purpose, derived by HKDF (B5). Keys are made at
 * first use.
 *
 * @throws {ConfigurationError} when a secret that is given has under 32 bytes.
 */
export function createKeyRing(
  source: SecretSource,
  options: KeyOptions,
): (host: HostContext) => Sealer {
  if (typeof source !== "function") {
    const sealer = createSealer(readSecrets(source), options);
    return () => sealer;
  }
  const sealers = new Map<string, Sealer>();
  return (host) => {
    const secrets = readSecrets(source(host));
    const key = JSON.stringify(secrets);
    let sealer = sealers.get(key);
    if (sealer === undefined) {
      sealers.clear(); // a platform has one set of secrets at a time
      sealers.set(key, sealer = createSealer(secrets, options));
    }
    return sealer;
  };
}

function readSecrets(secret: Secret): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (secrets.length === 0) {
    throw new ConfigurationError("Cannot create server: secret is an empty list");
  }
  if (secrets.some((one) => new TextEncoder().encode(one).length < MIN_SECRET_BYTES)) {
    throw new ConfigurationError(
      `Cannot create server: secret must have at least ${MIN_SECRET_BYTES} bytes`,
    );
  }
  return secrets;
}

function createSealer(secrets: readonly string[], options: KeyOptions): Sealer {
  let keys: Promise<readonly CryptoKey[]> | undefined;
  const load = (): Promise<readonly CryptoKey[]> =>
    keys ??= Promise.all(secrets.map((secret) => deriveKey(secret, options)));
  return {
    seal: async (payload) => {
      const sealed = new Uint8Array(payload.length + MAC_BYTES);
      sealed.set(payload);
      sealed.set(await sign((await load())[0]!, payload), payload.length);
      return encodeBase64Url(sealed);
    },
    open: async (text) => {
      const sealed = decodeBase64Url(text);
      if (sealed === undefined || sealed.length <= MAC_BYTES) return undefined;
      const payload = sealed.slice(0, -MAC_BYTES);
      const mac = sealed.slice(-MAC_BYTES);
      for (const key of await load()) {
        if (await crypto.subtle.verify("HMAC", key, mac, payload)) {
          return { payload, digest: (text) => digest(key, text) };
        }
      }
      return undefined;
    },
    digest: async (text) => await digest((await load())[0]!, text),
  };
}

async function sign(
  key: CryptoKey,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes));
}

async function digest(key: CryptoKey, text: string): Promise<Uint8Array<ArrayBuffer>> {
  return (await sign(key, new TextEncoder().encode(`digest:${text}`))).slice(0, 16);
}

async function deriveKey(secret: string, options: KeyOptions): Promise<CryptoKey> {
  const encoder = new TextEncoder();
  const base = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveKey",
  ]);
  const info = encoder.encode(
    JSON.stringify(["limen", options.purpose, options.server, options.publicUrl ?? ""]),
  );
  return await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info },
    base,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
}
