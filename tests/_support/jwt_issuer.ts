import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from "@panva/jose";

/** An authorization server as `jwtAuth()` sees it: metadata, keys, and tokens. */
export interface JwtIssuer {
  /** Its name. */
  readonly issuer: string;
  /** Answers requests for metadata and keys, in place of the network. */
  readonly fetch: typeof fetch;
  /** The addresses that were asked, in order. */
  readonly asked: string[];
  /** Signs a token that is good for the audience, but for what a test changes; `undefined` removes. */
  sign(claims?: Claims, header?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Replaces the key by a new one. */
  rotate(): Promise<void>;
  /** Whether it answers. */
  isUp: boolean;
}

/** Claims over the usual ones. */
export type Claims = Readonly<Record<string, unknown>>;

/** Makes an issuer with one ES256 key; tokens are for the audience, and expire in five minutes. */
export async function createJwtIssuer(
  audience: string,
  now: () => number = Date.now,
): Promise<JwtIssuer> {
  const issuer = "https://login.example/tenant";
  let count = 0;
  let pair = await generateKeyPair("ES256");
  const publish = async () => [{ ...await exportJWK(pair.publicKey), kid: `key-${count}` }];
  let keys = await publish();
  const self: JwtIssuer = {
    issuer,
    asked: [],
    isUp: true,
    fetch: (input) => {
      self.asked.push(String(input));
      if (!self.isUp) return Promise.reject(new TypeError("Connection refused"));
      switch (String(input)) {
        case "https://login.example/tenant/.well-known/openid-configuration":
          return Promise.resolve(
            Response.json({ issuer, jwks_uri: "https://login.example/keys" }),
          );
        case "https://login.example/keys":
          return Promise.resolve(Response.json({ keys }));
        default:
          return Promise.resolve(new Response("Not found", { status: 404 }));
      }
    },
    sign: (claims = {}, header = {}) => {
      const seconds = Math.floor(now() / 1000);
      const usual = { iss: issuer, aud: audience, sub: "ada", iat: seconds, exp: seconds + 300 };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: "ES256", kid: `key-${count}`, ...header } as JWTHeaderParameters)
        .sign(pair.privateKey, { crit: { "x-strict": true } });
    },
    rotate: async () => {
      count++;
      pair = await generateKeyPair("ES256");
      keys = await publish();
    },
  };
  return self;
}
