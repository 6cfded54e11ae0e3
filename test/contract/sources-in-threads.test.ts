/** Runs the vector source and write contracts over drivers that run in worker threads. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { geopackageDriver } from '../../src/vector/geopackage/driver.ts';
import { createThreadDriver } from '../../src/vector/in-thread/driver.ts';
import type { Feature, VectorSource } from '../../src/vector/port/port.ts';
import { createWorkerPool } from '../../src/workers/pool.ts';
import { createType } from '../support/vector-writing.ts';
import { geopackageWithSquares } from './geopackage-with-squares.ts';
import { vectorSourceContract } from './vector-source.contract.ts';
import { writeSessionContract } from './write-session.contract.ts';

const pool = createWorkerPool({
  maxThreads: 2,
  maxWaiting: 10,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 512,
  idleMs: 60_000,
});
afterAll(() => pool.close());

function openInThread(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<VectorSource> {
  const context = { resolvePath: async (named: string) => named };
  return createThreadDriver(geopackageDriver, pool).open({ dbtype: 'geopkg', database: path, ...parameters }, context);
}

vectorSourceContract('a GeoPackage in a thread', () => geopackageWithSquares(openInThread));

writeSessionContract('a GeoPackage in a thread', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-writing-'));
  return {
    source: await openInThread(join(folder, 'data.gpkg')),
    destroy: () => rm(folder, { recursive: true }),
  };
});

test('a source in a thread has exactly the capabilities of its driver', async () => {
  const writable = await openInThread('data.gpkg');
  const readable = await openInThread('data.gpkg', { read_only: 'true' });

  expect(writable).toMatchObject({ startWriting: expect.any(Function) });
  expect(Object.keys(readable).sort()).toEqual([
    'bounds',
    'close',
    'computeStatistics',
    'copyTo',
    'count',
    'describe',
    'filters',
    'isAwaited',
    'listTypes',
    'read',
    'select',
  ]);
});

test('only one of several parallel sessions creates a table', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-writing-'));
  const path = join(folder, 'data.gpkg');
  const sources = await Promise.all([openInThread(path), openInThread(path)]);
  const type = { name: 'a', attributes: [{ name: 'v', nillable: true, kind: 'value', type: 'string' }] } as const;

  const attempts = await Promise.allSettled(sources.flatMap((source) => [1, 2].map(() => createType(source, type))));

  const refused = attempts.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(refused.map(({ code }) => code)).toEqual(['table-exists', 'table-exists', 'table-exists']);
  await rm(folder, { recursive: true });
});

test('sessions of one file run in turn, and waiting ones can be aborted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-writing-'));
  const source = await openInThread(join(folder, 'data.gpkg'));
  const never = new AbortController().signal;
  const given = new AbortController();
  const begun: string[] = [];
  const begin = async (name: string, signal: AbortSignal) => {
    const session = await source.startWriting?.(signal);
    begun.push(name);
    return session;
  };

  const before = source.isAwaited?.();
  const first = await begin('first', never);
  const second = begin('second', given.signal);
  const third = begin('third', never);
  given.abort(new Error('too long'));
  await expect(second).rejects.toThrow('too long');
  const meanwhile = [source.isAwaited?.(), ...begun];
  await first?.commit();
  await (await third)?.rollback();

  expect([before, meanwhile, begun, source.isAwaited?.()]).toEqual([false, [true, 'first'], ['first', 'third'], false]);
  await rm(folder, { recursive: true });
});

test('a session waits for readers of the file and for other writers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-writing-'));
  const path = join(folder, 'data.gpkg');
  const [source, other] = [await openInThread(path), await openInThread(path)];
  const never = new AbortController().signal;
  const type = { name: 'a', attributes: [{ name: 'v', nillable: true, kind: 'value', type: 'string' }] } as const;
  await createType(source, type);

  const first = await source.startWriting?.(never);
  const second = other.startWriting?.(never);
  await first?.insert('a', [{ attributes: [type.attributes[0]], values: ['x'] }]);
  await first?.commit();
  const session = await second;
  await session?.insert('a', [{ attributes: [type.attributes[0]], values: ['y'] }]);
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec('BEGIN; SELECT * FROM a');
  const rows = reader.prepare('SELECT count(*) AS count FROM a').get();
  const committed = session?.commit();
  reader.exec('COMMIT');
  reader.close();
  await committed;

  expect(rows).toEqual({ count: 1 });
  expect(await source.count?.('a', undefined, never)).toBe(2);
  await rm(folder, { recursive: true });
});

test('an aborted session leaves no changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-writing-'));
  const source = await openInThread(join(folder, 'data.gpkg'));
  const given = new AbortController();
  const session = await source.startWriting?.(given.signal);
  async function* endless(): AsyncGenerator<readonly Feature[]> {
    for (let id = 0; ; id += 1) {
      yield [{ id: String(id), values: ['x'] }];
      if (id === 3) given.abort(new Error('the client has disconnected'));
    }
  }

  const writing = session?.write(
    { name: 'a', attributes: [{ name: 'v', nillable: true, kind: 'value', type: 'string' }], batches: endless() },
    'append',
  );

  await expect(writing).rejects.toThrow('the client has disconnected');
  await session?.rollback();
  expect(await source.listTypes(new AbortController().signal)).toEqual([]);
  await rm(folder, { recursive: true });
});
