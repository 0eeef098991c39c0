/** Where the keys of an issuer come from. `Keys` is whatever finds a key in one key set. */
export interface KeySource<Keys> {
  /** The key set in use; another object means that keys may have changed. */
  readonly latest: Keys | undefined;
  /** The key set, loaded where there is none or it is old. */
  current(): Promise<Keys>;
  /** A newer key set than the given one, if there is one or it is time to ask for one. */
  renew(used: Keys): Promise<Keys | undefined>;
}

/** No key set could be loaded: nothing can be said about any token. */
export class KeysUnavailableError extends Error {
  override readonly name = "KeysUnavailableError";
}

const FRESH_MS = 10 * 60_000;
const MAX_AGE_MS = 60 * 60_000;
const RELOAD_MS = 30_000;
const FIRST_LOAD_MS = 1000;

/**
 * Makes a source of keys that are loaded on demand: after ten minutes, or when a token names an
 * unknown key, though not within 30 seconds of the last attempt, so that made-up key names cannot be
 * used to make a server flood its issuer. There is one attempt at a time. While an issuer does not
 * answer, its last keys serve on for up to an hour.
 *
 * @param load Loads the key set.
 * @param now The time in milliseconds.
 */
export function createKeySource<Keys>(
  load: () => Promise<Keys>,
  now: () => number,
): KeySource<Keys> {
  let latest: Keys | undefined;
  let loadedAt = -Infinity;
  let triedAt = -Infinity;
  let failure: unknown;
  let loading: Promise<void> | undefined;

  const attempt = async (): Promise<void> => {
    try {
      const loaded = await load();
      latest = loaded;
      loadedAt = now();
    } catch (cause) {
      failure = cause;
    } finally {
      loading = undefined;
    }
  };
  const reload = async (): Promise<void> => {
    if (loading === undefined) {
      if (now() - triedAt < (latest === undefined ? FIRST_LOAD_MS : RELOAD_MS)) return;
      triedAt = now();
      loading = attempt();
    }
    await loading;
  };
  return {
    get latest() {
      return latest;
    },
    current: async () => {
      if (now() - loadedAt > FRESH_MS) await reload();
      if (latest !== undefined && now() - loadedAt <= MAX_AGE_MS) return latest;
      throw new KeysUnavailableError("Cannot load the keys of the issuer", { cause: failure });
    },
    renew: async (used) => {
      if (latest === used) await reload();
      return latest === used ? undefined : latest;
    },
  };
}
