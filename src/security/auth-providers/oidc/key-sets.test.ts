import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createSigningKey } from '../../../../test/support/identity-provider.ts';
import type { OpenedUrl } from '../../../gates/url-gate.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { AuthProvider } from '../model/auth-provider.ts';
import { KeySets } from './key-sets.ts';

const MINUTE_MS = 60_000;
const provider = {
  id: 'p',
  name: 'kc',
  version: 1,
  settings: { issuer: 'https://id.example', jwksUri: 'https://id.example/keys' },
} as AuthProvider;

/** A set with the key `known`, whose later fetches last until the test ends them. */
async function openSets() {
  let nowMs = 1_000_000;
  const fetches: { succeed(...kids: readonly string[]): void; fail(): void }[] = [];
  const urlGate = {
    open: () =>
      new Promise<OpenedUrl>((resolve, reject) => {
        fetches.push({
          succeed(...kids) {
            const keys = kids.map((kid) => createSigningKey(kid).jwk);
            resolve({ cacheControl: undefined, body: Readable.from([JSON.stringify({ keys })]) } as OpenedUrl);
          },
          fail: () => reject(problem('url-unreachable', { url: '', reason: 'it is down' })),
        });
      }),
  };
  const sets = new KeySets({ urlGate, clock: () => nowMs });
  const find = (kid: string) => sets.find(provider, (keys) => keys.some((each) => each.kid === kid));
  const first = find('known');
  fetches[0]?.succeed('known');
  await first;
  return { find, fetches, pass: (ms: number) => (nowMs += ms) };
}

/** Whether a request gets its keys without the end of a fetch. */
const isImmediate = async (finding: Promise<unknown>) =>
  (await Promise.race([finding.then(() => true), new Promise((resolve) => setImmediate(resolve, false))])) === true;

describe('key sets', () => {
  it('let only tokens with an unknown key wait for a fetch, and fetch once in an interval', async () => {
    const { find, fetches, pass } = await openSets();
    expect(await isImmediate(find('invented'))).toBe(true);
    expect(fetches).toHaveLength(1);
    pass(10_000);
    const unknown = find('invented');

    expect(await isImmediate(unknown)).toBe(false);
    expect(await isImmediate(find('known'))).toBe(true);
    expect(await isImmediate(find('another'))).toBe(false);
    expect(fetches).toHaveLength(2);
    fetches[1]?.succeed('known', 'invented');
    expect((await unknown).map(({ kid }) => kid)).toEqual(['known', 'invented']);
    pass(9_999);
    expect(await isImmediate(find('another'))).toBe(true);
    expect(fetches).toHaveLength(2);
  });

  it('make every token wait for outdated keys, but not during an outage', async () => {
    const { find, fetches, pass } = await openSets();
    pass(10 * MINUTE_MS);
    const outdated = find('known');
    expect(await isImmediate(outdated)).toBe(false);
    fetches[1]?.fail();
    expect(await outdated).toHaveLength(1);

    pass(4_999);
    expect(await isImmediate(find('known'))).toBe(true);
    expect(fetches).toHaveLength(2);
    pass(1);
    expect(await isImmediate(find('known'))).toBe(true);
    expect(fetches).toHaveLength(3);
    fetches[2]?.fail();
    await new Promise(setImmediate);
    // The key may have been withdrawn since the last attempt.
    pass(2 * MINUTE_MS);
    const later = find('known');
    expect(await isImmediate(later)).toBe(false);
    fetches[3]?.succeed('new');
    expect((await later).map(({ kid }) => kid)).toEqual(['new']);
  });
});
