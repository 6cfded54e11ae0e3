/** Public keys of identity providers, and signatures with them. */
import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import type { Claims, Json, ParsedJwt } from './parse-jwt.ts';

export const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
] as const;

export const defaultAlgorithms: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** A usable public key of a key set. */
export interface ProviderKey {
  readonly kid: string | undefined;
  readonly kty: string;
  readonly crv: string | undefined;
  readonly alg: string | undefined;
  readonly key: KeyObject;
}

/** Providers publish a few keys; each is compared with the key id of a token. */
const MAX_KEYS = 100;
/** Shorter keys are not considered secure. */
const MIN_RSA_BITS = 2_048;

/** Returns the keys that can verify signatures; undefined if the document is not a key set. Other keys are ignored. */
export function parseKeySet(document: Json): readonly ProviderKey[] | undefined {
  const keys = typeof document === 'object' && document !== null && 'keys' in document ? document.keys : undefined;
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) return undefined;
  return keys.flatMap((each: Json) => toProviderKey(each) ?? []);
}

function toProviderKey(jwk: Json): ProviderKey | undefined {
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) return undefined;
  const { kid, kty, crv, alg, use, key_ops: operations } = jwk as Claims;
  const canVerify =
    (use === undefined || use === 'sig') &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify')));
  // Symmetric keys would let everybody who can read the set sign tokens.
  if (!canVerify || typeof kty !== 'string' || !['RSA', 'EC', 'OKP'].includes(kty)) return undefined;
  let key: KeyObject;
  try {
    key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined;
  }
  if (kty === 'RSA' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS) return undefined;
  return { kid: toText(kid), kty, crv: toText(crv), alg: toText(alg), key };
}

function toText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

/** Finds the key for a signature: by `kid`, or the only one that fits. */
export function findKey(
  keys: readonly ProviderKey[],
  { kid, alg }: { readonly kid: string | undefined; readonly alg: string },
): ProviderKey | undefined {
  const fitting = keys.filter((key) => fits(key, alg) && (kid === undefined || key.kid === kid));
  return fitting.length === 1 ? fitting[0] : undefined;
}

function fits({ kty, crv, alg: only }: ProviderKey, alg: string): boolean {
  if (only !== undefined && only !== alg) return false;
  if (alg === 'EdDSA') return kty === 'OKP' && (crv === 'Ed25519' || crv === 'Ed448');
  return alg.startsWith('ES') ? kty === 'EC' && crv === curves[alg] : kty === 'RSA';
}

export function isSignedBy({ signed, signature }: ParsedJwt, { key }: ProviderKey, alg: string): boolean {
  const hash = alg === 'EdDSA' ? null : `sha${alg.slice(2)}`;
  const bytes = Buffer.from(signed);
  switch (alg.slice(0, 2)) {
    case 'ES':
      return verify(hash, bytes, { key, dsaEncoding: 'ieee-p1363' }, signature);
    case 'PS':
      // RSA_PKCS1_PSS_PADDING and RSA_PSS_SALTLEN_DIGEST.
      return verify(hash, bytes, { key, padding: 6, saltLength: -1 }, signature);
    default:
      return verify(hash, bytes, key, signature);
  }
}
