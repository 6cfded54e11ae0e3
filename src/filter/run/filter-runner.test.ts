import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rowSchema, testFilters, testRowAccess, testRows } from '../../../test/support/filter-rows.ts';
import { idlePool } from '../../../test/support/worker-tasks.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import type { Feature } from '../../vector/port/port.ts';
import { filterFeatures } from '../../vector/support/filter-features.ts';
import { createWorkerPool, type WorkerPool } from '../../workers/pool.ts';
import type { ResolvedFilter } from '../model/resolved-filter.ts';
import { compilePredicate, type RowAccess } from '../predicate/predicate.ts';
import { readEcqlFor, resolveFilter } from '../resolve/resolve.ts';
import { createFilterRunner } from './filter-runner.ts';
import { matchRows } from './match-rows.ts';

const never = new AbortController().signal;

function openPool(): WorkerPool {
  const pool = createWorkerPool({
    maxThreads: 1,
    maxWaiting: 10,
    deadlineMs: 60_000,
    maxMemoryMegabytes: 256,
    idleMs: 60_000,
  });
  onTestFinished(() => pool.close());
  return pool;
}

/** Adds so many conditions that a thread always evaluates the filter. */
function enlarged(filter: ResolvedFilter): ResolvedFilter {
  const more: ResolvedFilter[] = Array.from({ length: 600 }, () => ({ kind: 'constant', value: true }));
  return { kind: 'and', filters: [...more, filter] };
}

interface Located {
  readonly geom: Geometry;
}

const locatedAccess: RowAccess<Located> = { value: ({ geom }) => geom, identifier: () => undefined };

function lineOf(positions: number, top: number): Geometry {
  const ordinates = Float64Array.from({ length: positions * 2 }, (_, index) =>
    index % 2 === 0 ? index / 200 : index % 4 === 1 ? 0 : top,
  );
  return { type: 'LineString', dimension: 'XY', ordinates, ends: [positions], parts: [] };
}

/** Requires the intersection matrix of two long lines that cross each other everywhere, for each row. */
async function endlessFilter(): Promise<ResolvedFilter> {
  const { ordinates } = lineOf(1_000, 10);
  const places = Array.from({ length: 1_000 }, (_, index) => `${ordinates[index * 2]} ${ordinates[index * 2 + 1]}`);
  const outcome = await readEcqlFor(`RELATE(geom, LINESTRING(${places.join(', ')}), 'T*T******')`, rowSchema);
  if (outcome.kind !== 'read') throw new Error(outcome.complaint.message);
  return outcome.value;
}

const endlessRows: readonly Located[] = Array.from({ length: 1_000 }, () => ({ geom: lineOf(1_000, 9.5) }));

describe('filters evaluated in a thread', () => {
  test('match the same rows as on the main thread', async () => {
    const copying: WorkerPool = {
      run: async (task, input) => task.work(structuredClone(input)),
      threads: () => 1,
      waiting: () => 0,
      getUsage: () => idlePool,
      close: async () => undefined,
    };
    const runner = createFilterRunner(copying);
    let matched = 0;

    await fc.assert(
      fc.asyncProperty(testRows, testFilters, async (rows, written) => {
        const outcome = await resolveFilter(written, rowSchema);
        if (outcome.kind === 'refused') return;
        const here = await compilePredicate(outcome.filter, testRowAccess);
        const match = await runner.start(enlarged(outcome.filter), testRowAccess, never);
        const matching = match(rows);

        expect(matching).toBeInstanceOf(Promise);
        expect(await matching).toEqual(rows.filter(here));
        matched += (await matching).length;
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 100) },
    );
    expect(matched).toBeGreaterThan(30);
  });

  test('do not block the main thread', async () => {
    const match = await createFilterRunner(openPool()).start(await endlessFilter(), locatedAccess, never);
    let isDone = false;
    const matching = Promise.resolve(match(endlessRows.slice(0, 1))).finally(() => {
      isDone = true;
    });

    let turns = 0;
    for (; !isDone; turns += 1) await turn();

    expect(await matching).toHaveLength(1);
    expect(turns).toBeGreaterThan(100);
  });

  test('stop on abort, including the work in the thread', async () => {
    const pool = openPool();
    const gone = new AbortController();
    const runner = createFilterRunner(pool);
    const match = await runner.start(await endlessFilter(), locatedAccess, gone.signal);
    const matching = Promise.resolve(match(endlessRows));
    const { filter } = { filter: enlarged({ kind: 'constant', value: true }) };
    // Waits for the only thread.
    const other = Promise.resolve((await runner.start(filter, locatedAccess, never))(endlessRows.slice(0, 3)));
    for (let turns = 0; turns < 100; turns += 1) await turn();

    gone.abort(new Error('The client is gone.'));

    await expect(matching).rejects.toThrow('The client is gone.');
    expect(await other).toHaveLength(3);
  });

  test('are rejected when they exceed their CPU time', async () => {
    const pool = openPool();
    const input = Promise.withResolvers<Parameters<typeof matchRows>[0]>();
    const capturing: WorkerPool = {
      threads: () => pool.threads(),
      waiting: () => pool.waiting(),
      getUsage: () => pool.getUsage(),
      close: () => pool.close(),
      run: async (_task, given) => {
        input.resolve(given as Parameters<typeof matchRows>[0]);
        throw new Error('captured');
      },
    };
    const captured = await createFilterRunner(capturing).start(await endlessFilter(), locatedAccess, never);
    await expect(captured(endlessRows)).rejects.toThrow('captured');

    await expect(matchRows({ ...(await input.promise), cpuLeftMs: 100 })).rejects.toMatchObject({
      code: 'filter-too-slow',
      message: expect.stringContaining('fewer conditions'),
    });
  });
});

test('a small batch is matched immediately, without a thread', async () => {
  const pool = openPool();
  const outcome = await readEcqlFor("pop > 3 AND name LIKE 'a%' AND BBOX(geom, 0, 0, 5, 5)", rowSchema);
  if (outcome.kind !== 'read') throw new Error('The filter was rejected.');
  const match = await createFilterRunner(pool).start(outcome.value, testRowAccess, never);
  const [rows = []] = fc.sample(testRows, { numRuns: 1, seed: 3 });

  expect(match(rows)).toBeInstanceOf(Array);
  expect(pool.threads()).toBe(0);
});

test('features keep their order and the limit while several batches are filtered concurrently', async () => {
  const features: Feature[] = Array.from({ length: 100 }, (_, index) => ({ id: `f.${index}`, values: [index] }));
  async function* batches(): AsyncGenerator<readonly Feature[]> {
    for (let at = 0; at < features.length; at += 10) yield features.slice(at, at + 10);
  }
  const filter = enlarged({
    kind: 'comparison',
    operator: 'greater',
    left: { kind: 'attribute', type: 'number', name: 'rank' },
    right: { kind: 'constant', type: 'number', value: 14 },
  });
  const found: string[] = [];
  const runner = createFilterRunner(openPool());

  for await (const batch of filterFeatures(batches(), { names: ['rank'], filter, limit: 30, runner, signal: never }))
    found.push(...batch.map(({ id }) => id));

  expect(found).toEqual(features.slice(15, 45).map(({ id }) => id));
});
