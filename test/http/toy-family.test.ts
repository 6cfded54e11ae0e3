/**
 * A family without own code for dry runs, batches, retries and history supports them through its routes and record
 * type.
 */
import { describe, expect, it } from 'vitest';
import { defineDocument } from '../../src/http/documents/document.ts';
import { createFieldBuilders } from '../../src/http/documents/fields.ts';
import { del, family, get, post, put } from '../../src/interface/common/services.ts';
import { checkPrecondition } from '../../src/lib/problems/precondition.ts';
import { problem } from '../../src/lib/problems/problem.ts';
import type { CatalogReader } from '../../src/records/catalog.ts';
import { createKindRules, type RecordBase, type RecordKind } from '../../src/records/record.ts';
import { useTestServer } from '../support/test-server.ts';

interface Buoy extends RecordBase {
  readonly kind: 'buoy';
  readonly color: string;
}

const buoyKind: RecordKind<Buoy> = { kind: 'buoy', keys: {}, secrets: {} };

const { text } = createFieldBuilders<Buoy>();
const buoyDocument = defineDocument(
  'buoy',
  { name: text(({ name }) => name, { required: true }), color: text(({ color }) => color) },
  { title: ({ name }) => name },
);

async function find(catalog: CatalogReader, name: string): Promise<Buoy> {
  const buoy = await catalog.find(buoyKind, null, name);
  if (buoy === undefined) throw problem('workspace-unknown', { name });
  return buoy;
}

const buoys = family('Buoys', { description: 'Made up.', formats: ['xml', 'json'], formatGroup: 'catalog' }, [
  post('/buoys', 'Lay a buoy', { accepts: buoyDocument }, async ({ services: { catalog }, principal, body }) => {
    const { name = '', color } = body;
    await catalog.change(principal, `lay buoy ${name}`, (transaction) =>
      transaction.insert(buoyKind, { parent: null, name: name ?? '', color: color ?? 'red' }),
    );
    return { location: ['buoys', name ?? ''], text: name ?? '' };
  }),
  get('/buoys/:buoy', 'Read a buoy', { returns: buoyDocument, problems: ['workspace-unknown'] }, async (call) => {
    const resource = await find(call.services.catalog, call.params.buoy);
    return { resource, version: resource.version };
  }),
  put('/buoys/:buoy', 'Paint a buoy', { accepts: buoyDocument, problems: ['workspace-unknown'] }, async (call) => {
    const { services, principal, params, body, precondition } = call;
    await services.catalog.change(principal, `paint buoy ${params.buoy}`, async (transaction) => {
      const buoy = await find(transaction, params.buoy);
      checkPrecondition(precondition, buoy.version);
      await transaction.update(buoyKind, { ...buoy, color: body.color ?? buoy.color });
    });
  }),
  del('/buoys/:buoy', 'Lift a buoy', { problems: ['workspace-unknown'] }, async ({ services, principal, params }) => {
    await services.catalog.change(principal, `lift buoy ${params.buoy}`, async (transaction) =>
      transaction.removeDeep((await find(transaction, params.buoy)).id),
    );
  }),
]);

describe('a resource family that exists only in this test', () => {
  const server = useTestServer({ further: { families: [buoys], kinds: [createKindRules(buoyKind)] } });
  const lay = (name: string) => JSON.stringify({ buoy: { name } });
  const isThere = async (name: string) => (await server.get(`/buoys/${name}.json`)).status === 200;

  it('supports dry runs', async () => {
    const tried = await server.post('/buoys?dryRun=true', lay('tried'));

    expect([tried.status, tried.text]).toEqual([201, 'tried']);
    expect(await isThere('tried')).toBe(false);
  });

  it('supports batches that succeed or fail as a whole', async () => {
    const operations = [
      { method: 'POST', path: '/buoys', body: { buoy: { name: 'batched' } } },
      { method: 'PUT', path: '/buoys/batched', body: { buoy: { color: 'green' } } },
      { method: 'GET', path: '/buoys/batched' },
    ];
    const send = (all: readonly object[]) => server.post('/batch', JSON.stringify({ operations: all }));

    const failed = await send([...operations, { method: 'DELETE', path: '/buoys/nowhere' }]);
    const wasThere = await isThere('batched');
    const done = await send(operations);

    expect([failed.status, wasThere]).toEqual([404, false]);
    const { change, results } = done.json() as {
      change: number;
      results: { headers: { ETag?: string }; body?: unknown }[];
    };
    const read = await server.get('/buoys/batched.json');
    expect(results[2]).toMatchObject({ body: { buoy: { name: 'batched', color: 'green' } } });
    expect(results[2]?.headers.ETag).toBe(read.headers['etag']);
    expect(read.headers['etag']).toBe(`"${change}.json"`);
  });

  it('supports safe retries', async () => {
    const how = { headers: { 'idempotency-key': 'buoy' } };

    const [first, again] = [
      await server.post('/buoys', lay('again'), how),
      await server.post('/buoys', lay('again'), how),
    ];

    expect([first.status, again.status, again.text]).toEqual([201, 201, 'again']);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('supports history and undo', async () => {
    const laid = await server.post('/buoys', lay('undone'));
    const { 'graticule-change': change } = laid.headers;

    const reported = (await server.get(`/history/${change}`)).json();
    const undone = await server.request('POST', `/history/${change}/undo`);

    expect(reported).toMatchObject({
      what: 'lay buoy undone',
      items: [{ kind: 'buoy', action: 'create', before: null }],
    });
    expect(undone.status, undone.text).toBe(200);
    expect(await isThere('undone')).toBe(false);
  });
});
