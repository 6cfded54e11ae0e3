import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { anonymous, type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { createLayerRules } from '../../security/access-rules/layer-rules.ts';
import { DataRuleIndex, type IndexedRule } from '../../security/data-rules/data-rule-index.ts';
import type { MapLayer } from '../access/published-map.ts';
import { type CapabilitiesOptions, createCapabilitiesReply } from './capabilities-cache.ts';

const administrator: Principal = { name: 'admin', roles: new Set([ROLE_ADMINISTRATOR]) };
const ann: Principal = { name: 'ann', roles: new Set(['READER', 'EDITOR']) };
const ben: Principal = { name: 'ben', roles: new Set(['EDITOR', 'READER']) };

/** A server whose state is a number, and a document that contains how often it was built. */
function useServer(pieces: (made: number) => Iterable<string> = (made) => [`document ${made}`]) {
  const server = { position: 1, made: 0, data: 'as it was', dataRules: [] as IndexedRule[] };
  const encoding = {};
  const readDecidingRules = async () => ({ layers: createLayerRules([]), data: new DataRuleIndex(server.dataRules) });
  const layers = [{ name: 'dated' }] as unknown as readonly MapLayer[];
  const wish = (question: readonly unknown[], usesData: boolean): CapabilitiesOptions => ({
    contentType: 'text/xml',
    question,
    async make() {
      server.made += 1;
      return { pieces: pieces(server.made), ...(usesData ? { byData: { layers, value: server.data } } : {}) };
    },
    computeFingerprint: async () => server.data,
  });
  const ask = (principal: Principal = anonymous, question: readonly unknown[] = ['WMS'], usesData = false) =>
    createCapabilitiesReply(
      {
        services: { access: { readDecidingRules }, catalog: { position: () => server.position }, encoding },
        principal,
      },
      wish(question, usesData),
    );
  return { server, ask };
}

describe('cached capabilities', () => {
  it('are built once while nothing changes, and keep their ETag', async () => {
    const { server, ask } = useServer();

    const [first, second] = [await ask(), await ask()];

    expect(server.made).toBe(1);
    expect(second).toMatchObject({ body: 'document 1', etag: first.etag, contentType: 'text/xml' });
    expect(gunzipSync(second.packed ?? '').toString()).toBe('document 1');
  });

  it('are rebuilt after a change, with another ETag', async () => {
    const { server, ask } = useServer();
    const before = await ask();
    server.position = 2;

    const after = await ask();

    expect(after.body).toBe('document 2');
    expect(after.etag).not.toBe(before.etag);
  });

  it('are shared by users with the same values of the variables that data rules use', async () => {
    const { server, ask } = useServer();
    const rule = { name: 'r', layer: '*:*', roles: ['*'], enabled: true, writeRows: null, attributes: {}, area: null };
    const roles = new Set(['A']);
    const askAll = async () => {
      const { made } = server;
      server.position += 1;
      await ask({ name: 'ann', roles });
      await ask({ name: 'bob', roles });
      await ask({ name: 'bob', roles, claims: { dept: 'red', exp: 1 } });
      await ask({ name: 'bob', roles, claims: { dept: 'red', exp: 2 } });
      return server.made - made;
    };

    server.dataRules = [{ ...rule, rows: null }];
    expect(await askAll()).toBe(1);
    server.dataRules = [{ ...rule, rows: 'dept = ${claim.dept}' }];
    expect(await askAll()).toBe(2);
    server.dataRules = [{ ...rule, rows: 'dept = ${claim.dept}', writeRows: 'owner = ${user.name}' }];
    expect(await askAll()).toBe(3);
    server.dataRules = [{ ...rule, rows: 'dept = ${claim.dept}', enabled: false }];
    expect(await askAll()).toBe(1);
  });

  it('are cached per request and visibility, and shared by principals with the same roles', async () => {
    const { ask } = useServer();

    const bodies = [];
    for (const principal of [anonymous, administrator, ann, ben]) bodies.push((await ask(principal)).body);
    bodies.push((await ask(ben, ['WFS'])).body);

    expect(bodies).toEqual(['document 1', 'document 2', 'document 3', 'document 3', 'document 4']);
  });

  it('are rebuilt when the data of layers with dimensions changes', async () => {
    const { server, ask } = useServer();

    const bodies = [(await ask(anonymous, ['WMS'], true)).body, (await ask(anonymous, ['WMS'], true)).body];
    server.data = 'another day';
    const after = await ask(anonymous, ['WMS'], true);

    expect(bodies).toEqual(['document 1', 'document 1']);
    expect(after.body).toBe('document 2');
  });

  it('are built once for concurrent requests', async () => {
    const { server, ask } = useServer();

    await Promise.all([ask(), ask(), ask()]);

    expect(server.made).toBe(1);
  });

  it('are built by the next request if the first fails', async () => {
    const { ask } = useServer((made) => {
      if (made === 1) throw new Error('gone');
      return [`document ${made}`];
    });

    const [first, second] = await Promise.allSettled([ask(), ask()]);

    expect(first.status).toBe('rejected');
    expect(second).toMatchObject({ status: 'fulfilled', value: { body: 'document 2' } });
  });

  it('yield to other requests while they are built', async () => {
    const piece = 'layer\n'.repeat(20_000);
    const { ask } = useServer(() => Array.from({ length: 50 }, () => piece));
    let turns = 0;
    let isDone = false;
    const takeTurns = (): void => {
      turns += 1;
      if (!isDone) setImmediate(takeTurns);
    };
    setImmediate(takeTurns);

    await ask();
    isDone = true;

    expect(turns).toBeGreaterThan(25);
  });

  it('are sent uncompressed at any length to clients without gzip support', async () => {
    const piece = 'layer\n'.repeat(10_000);
    const { ask } = useServer(() => Array.from({ length: 20 }, () => piece));

    const { body } = await ask();

    const pieces: Uint8Array[] = [];
    for await (const each of body as AsyncIterable<Uint8Array>) pieces.push(each);
    expect(Buffer.concat(pieces).toString()).toBe(piece.repeat(20));
  });
});
