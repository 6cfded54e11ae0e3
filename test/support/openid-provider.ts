/** A real OpenID provider, whose users sign in without a form. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { createSigningKey } from './identity-provider.ts';

export interface OpenIdProvider {
  readonly issuer: string;
  /** The roles of users in the claim `roles`. */
  readonly roles: Map<string, readonly string[]>;
  /** Signs a user in as a browser does, and returns the code of the redirect with its verifier. */
  authorize(user: string, redirectUri: string): Promise<{ readonly code: string; readonly codeVerifier: string }>;
  /** Ends an access token, as the client can. */
  revoke(token: string): Promise<void>;
  close(): Promise<void>;
}

export const client = { id: 'console', secret: 'secret of the console' } as const;
const RESOURCE = 'https://maps.example/';

/** `format` is that of access tokens, which are for the audience `maps`. */
export async function startOpenIdProvider(
  redirectUri: string,
  format: 'jwt' | 'opaque' = 'jwt',
): Promise<OpenIdProvider> {
  const roles = new Map<string, readonly string[]>();
  let handle: (request: never, response: never) => void = () => undefined;
  const server = createServer((request, response) => handle(request as never, response as never));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(
    issuer,
    createConfiguration(redirectUri, format, roles, () => provider),
  );
  const serve = provider.callback();
  handle = (request: Parameters<typeof serve>[0], response: Parameters<typeof serve>[1]) => {
    // The user is in the address instead of a form.
    const user = /^\/sign-in\/([^?]*)/.exec(request.url ?? '')?.[1];
    if (user === undefined) serve(request, response);
    else void provider.interactionFinished(request, response, { login: { accountId: user } });
  };
  return {
    issuer,
    roles,
    authorize: (user, address) => authorize(issuer, user, address),
    revoke: (token) => revoke(issuer, token),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function createConfiguration(
  redirectUri: string,
  format: 'jwt' | 'opaque',
  roles: ReadonlyMap<string, readonly string[]>,
  getProvider: () => Provider,
): object {
  const key = createSigningKey('k1');
  const token = { scope: 'maps', audience: 'maps', accessTokenFormat: format, accessTokenTTL: 300 };
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'client_credentials'],
        response_types: ['code'],
        id_token_signed_response_alg: key.alg,
      },
    ],
    jwks: { keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: key.kid, alg: key.alg, use: 'sig' }] },
    cookies: { keys: ['not a secret'] },
    // The redirect of the code must be that of its request.
    allowOmittingSingleRegisteredRedirectUri: false,
    scopes: ['openid', 'maps'],
    interactions: {
      url: (_context: unknown, { params }: { params: { login_hint: string } }) => `/sign-in/${params.login_hint}`,
    },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    extraTokenClaims: (_context: unknown, { accountId, clientId }: { accountId?: string; clientId: string }) => ({
      roles: roles.get(accountId ?? clientId) ?? [],
    }),
    async loadExistingGrant({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) {
      const grant = new (getProvider().Grant)({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid maps');
      grant.addResourceScope(RESOURCE, 'maps');
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      introspection: { enabled: true },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => (format === 'jwt' ? { ...token, jwt: { sign: { alg: key.alg } } } : token),
      },
    },
  };
}

async function revoke(issuer: string, token: string): Promise<void> {
  const credentials = `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`;
  const reply = await fetch(`${issuer}/token/revocation`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ token }),
  });
  if (!reply.ok) throw new Error(await reply.text());
}

async function authorize(issuer: string, user: string, redirectUri: string) {
  const codeVerifier = randomBytes(32).toString('base64url');
  const parameters = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid maps',
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'any',
    login_hint: user,
  });
  const cookies = new Map<string, string>();
  let address = `${issuer}/auth?${parameters}`;
  for (let hops = 0; hops < 10 && !address.startsWith(new URL(redirectUri).href); hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const each of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = each.split(';')[0]?.split('=') ?? [];
      cookies.set(name, value);
    }
    const target = reply.headers.get('location');
    if (target === null) throw new Error(`No redirect: ${await reply.text()}`);
    address = new URL(target, address).href;
  }
  const refusal = new URL(address).searchParams.get('error_description');
  if (refusal !== null) throw new Error(refusal);
  return { code: new URL(address).searchParams.get('code') ?? '', codeVerifier };
}
