import { decodeBase64Url, encodeBase64Url } from "./base64url.ts";
import { ConfigurationError } from "./configuration_error.ts";
import type { HostContext } from "./host_context.ts";
import type { Sealer } from "./sealer.ts";

/** One secret, or several: the first signs, all verify. Each has at least 32 bytes. */
export type Secret = string | readonly string[];

/** Where secrets come from: given, or read from what the platform passes with a request. */
export type SecretSource = Secret | ((host: HostContext) => Secret);

/**
 * A secret of this process, for what no other process has to open. Drawn when it is first needed: some
 * platforms have no random numbers before the first request.
 */
export function createProcessSecret(): SecretSource {
  let secret: string | undefined;
  return () => secret ??= crypto.randomUUID() + crypto.randomUUID();
}

/** What a key is for, and whose it is: another purpose or server has another key. */
export interface KeyOptions {
  /** Such as `"session"`. */
  readonly purpose: string;
  /** The server's name. */
  readonly server: string;
  /** The server's public URL. */
  readonly publicUrl: string | undefined;
  /** Whether what is sealed is hidden as well (AES-GCM). Default `false`. */
  readonly encrypts?: boolean;
}

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

/** The keys of one secret. */
interface Keys {
  readonly mac: CryptoKey;
  /** Absent where nothing is hidden. */
  readonly cipher: CryptoKey | undefined;
}

function createSealer(secrets: readonly string[], options: KeyOptions): Sealer {
  let keys: Promise<readonly Keys[]> | undefined;
  const load = (): Promise<readonly Keys[]> =>
    keys ??= Promise.all(secrets.map((secret) => deriveKeys(secret, options)));
  return {
    seal: async (payload) => {
      const { mac, cipher } = (await load())[0]!;
      return encodeBase64Url(
        await (cipher === undefined ? addMac(mac, payload) : encrypt(cipher, payload)),
      );
    },
    open: async (text) => {
      const sealed = decodeBase64Url(text);
      if (sealed === undefined) return undefined;
      for (const { mac, cipher } of await load()) {
        const payload =
          await (cipher === undefined ? takeMac(mac, sealed) : decrypt(cipher, sealed));
        if (payload !== undefined) return { payload, digest: (text) => digest(mac, text) };
      }
      return undefined;
    },
    digest: async (text) => await digest((await load())[0]!.mac, text),
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

const MAC_BYTES = 32;

async function addMac(key: CryptoKey, payload: Bytes): Promise<Bytes> {
  return join(payload, await sign(key, payload));
}

async function takeMac(key: CryptoKey, sealed: Bytes): Promise<Bytes | undefined> {
  if (sealed.length <= MAC_BYTES) return undefined;
  const payload = sealed.slice(0, -MAC_BYTES);
  const mac = sealed.slice(-MAC_BYTES);
  return await crypto.subtle.verify("HMAC", key, mac, payload) ? payload : undefined;
}

const IV_BYTES = 12;

async function encrypt(key: CryptoKey, payload: Bytes): Promise<Bytes> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  return join(iv, new Uint8Array(await crypto.subtle.encrypt({ name: AES, iv }, key, payload)));
}

async function decrypt(key: CryptoKey, sealed: Bytes): Promise<Bytes | undefined> {
  const iv = sealed.slice(0, IV_BYTES);
  if (iv.length < IV_BYTES) return undefined;
  try {
    const hidden = sealed.slice(IV_BYTES);
    return new Uint8Array(await crypto.subtle.decrypt({ name: AES, iv }, key, hidden));
  } catch {
    return undefined; // by another key, or changed
  }
}

function join(head: Bytes, tail: Bytes): Bytes {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
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

const AES = "AES-GCM";

async function deriveKeys(secret: string, options: KeyOptions): Promise<Keys> {
  const { purpose, server, publicUrl = "", encrypts = false } = options;
  const encoder = new TextEncoder();
  const base = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveKey",
  ]);
  const derive = async (
    purpose: string,
    algorithm: HmacKeyGenParams | AesKeyGenParams,
    usages: readonly KeyUsage[],
  ): Promise<CryptoKey> => {
    const info = encoder.encode(JSON.stringify(["limen", purpose, server, publicUrl]));
    const salt = new Uint8Array(32);
    const how = { name: "HKDF", hash: "SHA-256", salt, info };
    return await crypto.subtle.deriveKey(how, base, algorithm, false, [...usages]);
  };
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 };
  return {
    mac: await derive(purpose, hmac, ["sign", "verify"]),
    cipher: encrypts
      ? await derive(`${purpose} encryption`, { name: AES, length: 256 }, ["encrypt", "decrypt"])
      : undefined,
  };
}
