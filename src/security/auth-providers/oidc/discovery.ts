/** The endpoints that an identity provider publishes in its configuration document. */
import { FetchError, fetchJson, type ProviderGate, toClaims } from './fetch-json.ts';
import { isSecureUrl } from './secure-url.ts';

/** The members of the document that the server uses. */
export type EndpointName = 'jwks_uri' | 'authorization_endpoint' | 'token_endpoint' | 'introspection_endpoint';

export type Discovery = Readonly<Partial<Record<EndpointName, string>>>;

const endpointNames: readonly EndpointName[] = [
  'jwks_uri',
  'authorization_endpoint',
  'token_endpoint',
  'introspection_endpoint',
];

export function formatDiscoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** The issuer must call itself by the same name. */
export async function discover(gate: ProviderGate, issuer: string, endMs: number): Promise<Discovery> {
  const found = toClaims((await fetchJson(gate, formatDiscoveryUrl(issuer), endMs)).document);
  if (found['issuer'] !== issuer) {
    throw new FetchError('issuer', 'The configuration of the issuer has another issuer.');
  }
  const texts = endpointNames.flatMap((name) => {
    const address = found[name];
    return typeof address === 'string' ? [[name, address] as const] : [];
  });
  return Object.fromEntries(texts);
}

/** Returns an address of the document; throws if it is absent or open to changes on the way. */
export function getEndpoint(discovery: Discovery, name: EndpointName): string {
  const address = discovery[name];
  if (address === undefined) {
    throw new FetchError('malformed', `The configuration of the issuer has no ${name}.`);
  }
  if (!isSecureUrl(address)) {
    throw new FetchError('malformed', `The ${name} of the issuer is not an https URL.`);
  }
  return address;
}
