import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { revealSecret, toSecret } from '../../lib/identity/secret.ts';
import { createSealer, SealBroken } from './sealer.ts';

const key = (byte: number) => createSecretKey(Buffer.alloc(32, byte));
const sealer = createSealer(() => [key(1)]);

describe('sealer', () => {
  it('decrypts any text that it encrypted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (clear) => {
        expect(sealer.open(sealer.seal(clear))).toBe(clear);
      }),
    );
  });

  it('reveals nothing of the text, not even whether two texts are equal', () => {
    const first = sealer.seal('the same secret');
    const second = sealer.seal('the same secret');

    expect(first).not.toBe(second);
    expect(Buffer.from(revealSecret(first).slice('sealed:1:'.length), 'base64url').toString('latin1')).not.toContain(
      'secret',
    );
  });

  it('returns text without special characters', () => {
    expect(sealer.seal('é\u0000')).toMatch(/^sealed:1:[\w-]+$/);
  });

  it('rejects text that was encrypted with another key', () => {
    expect(() => createSealer(() => [key(2)]).open(sealer.seal('secret'))).toThrow(SealBroken);
  });

  it('rejects text that was altered at any position', () => {
    const sealed = Buffer.from(revealSecret(sealer.seal('secret')).slice('sealed:1:'.length), 'base64url');
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (place, flip) => {
        const altered = Buffer.from(sealed);
        altered[place] = (altered[place] ?? 0) ^ flip;
        expect(() => sealer.open(toSecret(`sealed:1:${altered.toString('base64url')}`))).toThrow(SealBroken);
      }),
    );
  });

  it.each(['', 'secret', 'sealed:1:', 'sealed:1:AAAA', 'sealed:2:AAAA', 'crypt1:abc'])('rejects %j', (text) => {
    expect(() => sealer.open(toSecret(text))).toThrow(SealBroken);
  });
});
