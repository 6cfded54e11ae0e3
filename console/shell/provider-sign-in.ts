/**
 * Sign-in at an identity provider by authorization code with PKCE. The server redeems the code; state and verifier are
 * kept in `sessionStorage` during the redirect only.
 */
import { callRest, consoleRoot, rest } from '../rest/client.ts';
import { RestProblem } from '../rest/problems.ts';
import { signInWithToken } from '../rest/session.ts';
import { hashSha256 } from '../rest/sha256.ts';
import { t } from '../words/words.ts';
import { navigate } from './router.ts';

export interface Provider {
  readonly name: string;
  readonly label: string;
  readonly authorizationUrl: string;
  readonly clientId: string;
  readonly scopes: string;
}

interface SignInDocument {
  readonly signin: { readonly providers: readonly Provider[] };
}

interface Pending {
  readonly provider: string;
  readonly state: string;
  readonly codeVerifier: string;
}

const PENDING = 'graticule-sign-in';

const redirectUri = new URL('signin', consoleRoot).href;

/** Without an answer, the form for passwords is enough. */
export async function readProviders(): Promise<readonly Provider[]> {
  const reply = await callRest<SignInDocument>('/security/signin').catch(() => undefined);
  return reply?.body.signin.providers ?? [];
}

export async function startProviderSignIn(provider: Provider): Promise<void> {
  const pending: Pending = { provider: provider.name, state: createRandomText(), codeVerifier: createRandomText() };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  const url = new URL(provider.authorizationUrl);
  const query = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    scope: provider.scopes,
    state: pending.state,
    code_challenge: toBase64Url(hashSha256(pending.codeVerifier)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  location.assign(url.href);
}

/** Continues after the redirect back; does nothing at other addresses. */
export async function completeProviderSignIn(): Promise<void> {
  const stored = sessionStorage.getItem(PENDING);
  const query = new URLSearchParams(location.search);
  if (stored === null || location.href.split('?')[0] !== redirectUri) return;
  sessionStorage.removeItem(PENDING);
  const { provider, state, codeVerifier } = JSON.parse(stored) as Pending;
  navigate('', { replace: true });
  const code = query.get('code');
  if (query.get('state') !== state || code === null) {
    const reason = query.get('error_description') ?? query.get('error') ?? 'state';
    throw new RestProblem({
      ...{ status: 0, code: 'sign-in-refused', title: t().errors.title },
      detail: t().signIn.providerFailed(reason),
    });
  }
  const { body } = await callRest<{ readonly accessToken: string }>(rest`/security/signin/${provider}`, {
    method: 'POST',
    body: { code, codeVerifier, redirectUri },
  });
  await signInWithToken(body.accessToken);
}

function createRandomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
