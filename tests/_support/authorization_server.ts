import { exportJWK, generateKeyPair } from "@panva/jose";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type ClientMetadata } from "oidc-provider";

/** A real authorization server on this machine, where everybody is ada and consents at once. */
export interface AuthorizationServer extends AsyncDisposable {
  /** Its issuer. */
  readonly issuer: string;
  /** The authorization requests it was sent, in order. */
  readonly requests: readonly URLSearchParams[];
}

/**
 * Starts an authorization server that knows one client, demands PKCE, and issues JWTs for one
 * resource.
 *
 * @param client The metadata of the client.
 * @param resource The resource whose indicator it accepts.
 * @param scope The scopes of that resource, separated by spaces.
 */
export async function startAuthorizationServer(
  client: ClientMetadata,
  resource: () => string,
  scope: string,
): Promise<AuthorizationServer> {
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...await exportJWK(privateKey), kid: "key", alg: "ES256", use: "sig" }] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    clients: [client],
    cookies: { keys: ["a key of the tests"] },
    ttl: { AccessToken: 300, Grant: 300, Interaction: 300, Session: 300 },
    pkce: { required: () => true },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, indicator: string) => {
          if (indicator !== resource()) throw new Error(`Unknown resource ${indicator}`);
          return {
            scope,
            audience: indicator,
            accessTokenFormat: "jwt",
            jwt: { sign: { alg: "ES256" } },
          };
        },
      },
    },
  });
  const requests: URLSearchParams[] = [];
  const answer = provider.callback();
  http.on("request", (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    if (url.pathname === "/auth") requests.push(url.searchParams);
    if (url.pathname.startsWith("/interaction/")) void consent(provider, request, response);
    else answer(request, response);
  });
  return {
    issuer,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

/** Logs ada in and grants whatever is asked for. */
async function consent(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId: "ada" } });
    return;
  }
  const grant = grantId === undefined
    ? new provider.Grant({ accountId: session!.accountId, clientId: String(params.client_id) })
    : (await provider.Grant.find(grantId))!;
  const { missingResourceScopes = {}, missingOIDCScope = [] } = prompt.details as Missing;
  if (missingOIDCScope.length > 0) grant.addOIDCScope(missingOIDCScope.join(" "));
  for (const [indicator, scopes] of Object.entries(missingResourceScopes)) {
    grant.addResourceScope(indicator, scopes.join(" "));
  }
  await provider.interactionFinished(request, response, {
    consent: { grantId: await grant.save() },
  });
}

interface Missing {
  readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
  readonly missingOIDCScope?: readonly string[];
}
