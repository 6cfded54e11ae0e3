import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSigningKey, signToken, signWithHmac } from '../../../../test/support/identity-provider.ts';
import { parseKeySet } from './json-web-keys.ts';
import { parseJwt } from './parse-jwt.ts';
import { validateToken } from './validate-token.ts';

const nowMs = Date.parse('2026-11-18T08:00:00Z');
const now = nowMs / 1_000;
const settings = { issuer: 'https://id.example', audience: ['maps'] };
const claims = { iss: 'https://id.example', aud: 'maps', sub: 'ann', exp: now + 300 };
const key = createSigningKey('one');
const rsa = createSigningKey('two', 'RS256');

function validate(token: string, more: object = {}, keys: readonly object[] = [key.jwk, rsa.jwk]): unknown {
  const jwt = parseJwt(token);
  if (jwt === undefined) return 'malformed';
  const result = validateToken(jwt, { ...settings, ...more }, parseKeySet({ keys } as never) ?? [], nowMs);
  return 'error' in result ? result.error : result.user;
}

function replaceSignature(token: string, signature: Buffer): string {
  return [...token.split('.').slice(0, 2), signature.toString('base64url')].join('.');
}

/** The other encoding of a signature by ES256. */
function toDer(token: string): Buffer {
  const raw = Buffer.from(token.split('.')[2] ?? '', 'base64url');
  const parts = [raw.subarray(0, 32), raw.subarray(32)].map((part) => Buffer.concat([Buffer.from([2, 33, 0]), part]));
  return Buffer.concat([Buffer.from([0x30, 70]), ...parts]);
}

describe('token of an identity provider', () => {
  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'] as const)('is accepted with a signature by %s', (alg) => {
    const signing = createSigningKey('k', alg);

    expect(validate(signToken(signing, claims), {}, [signing.jwk])).toBe('ann');
    const [head, body, signature = ''] = signToken(signing, claims).split('.');
    expect(validate([head, body, `${signature.slice(0, -4)}AAAA`].join('.'), {}, [signing.jwk])).toBe('signature');
  });

  it.each([
    ['no signature', signToken(key, claims, { alg: 'none' }), 'algorithm'],
    ['an algorithm in another case', signToken(key, claims, { alg: 'es256' }), 'algorithm'],
    [
      'HMAC with the public key as the secret',
      signWithHmac(
        createPublicKey({ key: rsa.jwk as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' }),
        claims,
        { alg: 'HS256', kid: 'two' },
      ),
      'algorithm',
    ],
    ['the algorithm of another key', signToken(key, claims, { alg: 'RS256' }), 'key'],
    ['an unknown key', signToken(createSigningKey('three'), claims), 'key'],
    ['a key id that is a path', signToken(key, claims, { kid: '../../dev/null' }), 'key'],
    ['a key id that is no text', signToken(key, claims, { kid: ['one'] }), 'malformed'],
    ['a critical extension', signToken(key, claims, { crit: ['exp'] }), 'malformed'],
    ['an unencoded payload', signToken(key, claims, { b64: false }), 'malformed'],
    ['compression', signToken(key, claims, { zip: 'DEF' }), 'malformed'],
    ['another type', signToken(key, claims, { typ: 'logout+jwt' }), 'claim'],
    ['a past end', signToken(key, { ...claims, exp: now - 61 }), 'expired'],
    ['an end as text', signToken(key, { ...claims, exp: String(now + 300) }), 'expired'],
    ['no end', signToken(key, { ...claims, exp: undefined }), 'expired'],
    ['a future beginning', signToken(key, { ...claims, nbf: now + 61 }), 'not-yet-valid'],
    ['a future creation', signToken(key, { ...claims, iat: now + 61 }), 'not-yet-valid'],
    ['another issuer', signToken(key, { ...claims, iss: 'https://id.example/' }), 'issuer'],
    ['another audience', signToken(key, { ...claims, aud: ['maps2'] }), 'audience'],
    ['no audience', signToken(key, { ...claims, aud: undefined }), 'audience'],
    ['a key of its sender', signToken(key, { ...claims, cnf: { jkt: 'x' } }), 'claim'],
    ['no user', signToken(key, { ...claims, sub: undefined }), 'user-name'],
    ['a user with control characters', signToken(key, { ...claims, sub: 'a\nb' }), 'user-name'],
    ['a duplicate member', signToken(key, `{"iss":"x",${JSON.stringify(claims).slice(1)}`), 'malformed'],
    [
      'a duplicate nested member',
      signToken(key, `${JSON.stringify(claims).slice(0, -1)},"a":{"b":1,"\\u0062":2}}`),
      'malformed',
    ],
    ['a list of claims', signToken(key, '[]'), 'malformed'],
    ['an encrypted content', signToken(key, claims, { enc: 'A256GCM' }), 'malformed'],
    ['a type that is no text', signToken(key, claims, { typ: ['JWT'] }), 'claim'],
    ['a duplicate header member', signToken(key, claims, '{"alg":"none","alg":"ES256","kid":"one"}'), 'malformed'],
    ['a signature of zeros', replaceSignature(signToken(key, claims), Buffer.alloc(64)), 'signature'],
    ['a signature in DER', replaceSignature(signToken(key, claims), toDer(signToken(key, claims))), 'signature'],
    ['an empty signature', `${signToken(key, claims).split('.').slice(0, 2).join('.')}.`, 'malformed'],
    ['deep nesting', signToken(key, `${'['.repeat(4_000)}${']'.repeat(4_000)}`), 'malformed'],
    ['two parts', signToken(key, claims).split('.').slice(0, 2).join('.'), 'malformed'],
    ['padding', `${signToken(key, claims)}=`, 'malformed'],
    ['13 KB', signToken(key, { ...claims, x: 'x'.repeat(10_000) }), 'malformed'],
  ])('is refused with %s', (_case, token, expected) => {
    expect(validate(token)).toBe(expected);
  });

  it('is checked with the keys of the provider only', () => {
    const foreign = createSigningKey('one');
    const tricks = { jwk: foreign.jwk, jku: 'https://evil.example/keys', x5u: 'https://evil.example', x5c: ['x'] };

    expect(validate(signToken(foreign, claims, tricks))).toBe('signature');
    expect(validate(signToken(key, claims, tricks))).toBe('ann');
  });

  it('ignores symmetric, short, encryption and repeated keys', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    const set = parseKeySet({
      keys: [
        { kty: 'oct', k: 'c2VjcmV0', kid: 'a' },
        { ...publicKey.export({ format: 'jwk' }), kid: 'b' },
        { ...key.jwk, use: 'enc' },
        { ...key.jwk, key_ops: ['sign'] },
        'text',
      ],
    } as never);

    expect(set).toEqual([]);
    expect(validate(signToken(key, claims, { kid: undefined }), {}, [key.jwk])).toBe('ann');
    expect(validate(signToken(key, claims), {}, [key.jwk, createSigningKey('one').jwk])).toBe('key');
  });

  it('finds claims by JSON Pointers, and requires claims and the type of access tokens on request', () => {
    const token = signToken(key, { ...claims, a: { 'b/c': 'ann-marie' } }, { typ: 'at+jwt' });

    expect(validate(token, { userNameClaim: '/a/b~1c' })).toBe('ann-marie');
    expect(validate(token, { userNameClaim: '/a/__proto__' })).toBe('user-name');
    expect(validate(token, { requiredClaims: { '/a/b~1c': 'ann-marie' } })).toBe('ann');
    expect(validate(token, { requiredClaims: { a: 'x' } })).toBe('claim');
    expect(validate(token, { requireAccessTokenType: true })).toBe('ann');
    expect(validate(signToken(key, claims), { requireAccessTokenType: true })).toBe('claim');
  });
});
