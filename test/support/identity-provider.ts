/** A small identity provider: discovery, a key set and signed tokens. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly jwk: object;
}

export function createSigningKey(kid: string, alg: 'RS256' | 'PS256' | 'ES256' | 'EdDSA' = 'ES256'): SigningKey {
  const { privateKey, publicKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : alg === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } };
}

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Signs any header and claims; texts are used as they are. */
export function signToken(key: SigningKey, claims: object | string, header: object | string = {}): string {
  const head = typeof header === 'string' ? header : { alg: key.alg, kid: key.kid, typ: 'JWT', ...header };
  const signed = `${encode(head)}.${encode(claims)}`;
  const options = {
    key: key.privateKey,
    ...(key.alg === 'ES256' ? { dsaEncoding: 'ieee-p1363' as const } : {}),
    ...(key.alg === 'PS256' ? { padding: 6, saltLength: 32 } : {}),
  };
  const signature = sign(key.alg === 'EdDSA' ? null : 'sha256', Buffer.from(signed), options);
  return `${signed}.${signature.toString('base64url')}`;
}

/** Signs with a public key as the secret of HMAC: the classic confusion of algorithms. */
export function signWithHmac(secret: string | Buffer, claims: object, header: object): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

export interface IdentityProvider {
  readonly issuer: string;
  /** The keys of the key set, which tests change. */
  keys: readonly object[];
  /** The address of the key set in the discovery document; undefined for that of this provider. */
  keySetAddress: string | undefined;
  /** What the provider states about active opaque tokens, to the client `maps` with the secret `s:cret`. */
  readonly activeTokens: Map<string, object>;
  /** Whether requests fail. */
  isDown: boolean;
  /** The paths of the requests so far. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** An opaque token about which the provider cannot be asked. */
export const REFUSED_TOKEN = 'refused';

async function answerIntrospection(
  { activeTokens }: IdentityProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fields = new URLSearchParams(await text(request));
  const client = Buffer.from('maps:s%3Acret').toString('base64');
  if (request.headers.authorization !== `Basic ${client}`) {
    response.writeHead(401).end();
    return;
  }
  const token = fields.get('token') ?? '';
  if (token === REFUSED_TOKEN) {
    response.writeHead(400).end();
    return;
  }
  const claims = activeTokens.get(token);
  response.end(JSON.stringify(claims === undefined ? { active: false } : { active: true, ...claims }));
}

export async function startIdentityProvider(keys: readonly object[]): Promise<IdentityProvider> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (provider.isDown) {
      response.writeHead(500).end();
      return;
    }
    response.setHeader('content-type', 'application/json');
    const { issuer } = provider;
    if (request.url === '/introspect') {
      void answerIntrospection(provider, request, response);
      return;
    }
    response.end(
      JSON.stringify(
        request.url === '/keys'
          ? { keys: provider.keys }
          : {
              issuer,
              jwks_uri: provider.keySetAddress ?? `${issuer}/keys`,
              introspection_endpoint: `${issuer}/introspect`,
            },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const provider: IdentityProvider = {
    issuer: `http://127.0.0.1:${port}`,
    keys,
    keySetAddress: undefined,
    activeTokens: new Map(),
    isDown: false,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return provider;
}
