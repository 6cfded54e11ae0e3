import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { anonymous, type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import type { MapLayer } from '../access/published-map.ts';
import { type CapabilitiesOptions, createCapabilitiesReply } from './capabilities-cache.ts';

const administrator: Principal = { name: 'admin', roles: new Set([ROLE_ADMINISTRATOR]) };
const ann: Principal = { name: 'ann', roles: new Set(['READER', 'EDITOR']) };
const ben: Principal = { name: 'ben', roles: new Set(['EDITOR', 'READER']) };

/** A server whose state is a number, and a document that tells how often it was made. */
function useServer(pieces: (made: number) => Iterable<string> = (made) => [`document ${made}`]) {
  const server = { position: 1, made: 0, data: 'as it was' };
  const encoding = {};
  const layers = [{ name: 'dated' }] as unknown as readonly MapLayer[];
  const wish = (question: readonly unknown[], usesData: boolean): CapabilitiesOptions => ({
    contentType: 'text/xml',
    question,
    async make() {
      server.made += 1;
      return { pieces: pieces(server.made), ...(usesData ? { byData: { layers, told: server.data } } : {}) };
    },
    computeFingerprint: async () => server.data,
  });
  const ask = (principal: Principal = anonymous, question: readonly unknown[] = ['WMS'], usesData = false) =>
    createCapabilitiesReply(
      { services: { catalog: { position: () => server.position }, encoding }, principal },
      wish(question, usesData),
    );
  return { server, ask };
}

describe('capabilities that are kept', () => {
  it('are made once as long as nothing changes, and have the same tag', async () => {
    const { server, ask } = useServer();

    const [first, second] = [await ask(), await ask()];

    expect(server.made).toBe(1);
    expect(second).toMatchObject({ body: 'document 1', etag: first.etag, contentType: 'text/xml' });
    expect(gunzipSync(second.packed ?? '').toString()).toBe('document 1');
  });

  it('are made anew after a change, with another tag', async () => {
    const { server, ask } = useServer();
    const before = await ask();
    server.position = 2;

    const after = await ask();

    expect(after.body).toBe('document 2');
    expect(after.etag).not.toBe(before.etag);
  });

  it('are those of one question and one sight: people with the same roles see the same', async () => {
    const { ask } = useServer();

    const bodies = [];
    for (const principal of [anonymous, administrator, ann, ben]) bodies.push((await ask(principal)).body);
    bodies.push((await ask(ben, ['WFS'])).body);

    expect(bodies).toEqual(['document 1', 'document 2', 'document 3', 'document 3', 'document 4']);
  });

  it('are made anew when the data says something else of layers with dimensions', async () => {
    const { server, ask } = useServer();

    const bodies = [(await ask(anonymous, ['WMS'], true)).body, (await ask(anonymous, ['WMS'], true)).body];
    server.data = 'another day';
    const after = await ask(anonymous, ['WMS'], true);

    expect(bodies).toEqual(['document 1', 'document 1']);
    expect(after.body).toBe('document 2');
  });

  it('are made once for all who ask meanwhile', async () => {
    const { server, ask } = useServer();

    await Promise.all([ask(), ask(), ask()]);

    expect(server.made).toBe(1);
  });

  it('are made by the next one where the first could not', async () => {
    const { ask } = useServer((made) => {
      if (made === 1) throw new Error('gone');
      return [`document ${made}`];
    });

    const [first, second] = await Promise.allSettled([ask(), ask()]);

    expect(first.status).toBe('rejected');
    expect(second).toMatchObject({ status: 'fulfilled', value: { body: 'document 2' } });
  });

  it('let others have their turn while they are made', async () => {
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

  it('are whole for those who take nothing packed, however long they are', async () => {
    const piece = 'layer\n'.repeat(10_000);
    const { ask } = useServer(() => Array.from({ length: 20 }, () => piece));

    const { body } = await ask();

    const pieces: Uint8Array[] = [];
    for await (const each of body as AsyncIterable<Uint8Array>) pieces.push(each);
    expect(Buffer.concat(pieces).toString()).toBe(piece.repeat(20));
  });
});
