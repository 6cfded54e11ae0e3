/** Granule filters select the same granules in SQLite, in PostGIS and in memory, or are rejected. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeEcqlFilter } from '../../src/filter/ecql/ecql.ts';
import { compilePredicate } from '../../src/filter/predicate/predicate.ts';
import { openEmbeddedGranules } from '../../src/raster/granules/embedded/embedded-granules.ts';
import { createGranuleAccess, readGranuleFilter } from '../../src/raster/granules/port/filter-schema.ts';
import { createRectangle } from '../../src/raster/granules/port/footprint.ts';
import type { GranuleDraft, GranuleSchema, MosaicIndex } from '../../src/raster/granules/port/port.ts';
import { openPostgisGranules } from '../../src/raster/granules/postgis/postgis-granules.ts';
import { readPostgisSettings } from '../../src/vector/postgis/connection/parameters.ts';
import { createWorkerPool } from '../../src/workers/pool.ts';
import { testFilters } from '../support/filter-rows.ts';
import { harvest, listAllGranules, never, type RecordedMosaic } from '../support/granules.ts';
import { postgisParameters } from '../support/postgis-sources.ts';
import { createDeletion, createInsertion } from '../support/text-mutations.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

/** The number of filters tried in each database. */
const CASES = Number(process.env['GRANULE_FILTER_CASES'] ?? '400');
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const filtersARun = 20;

/** Uses the attribute names of the filters; two of them do not exist, so filters on them are rejected. */
const schema: GranuleSchema = {
  name: 'rows',
  attributes: [
    { role: 'value', name: 'code', type: 'string' },
    { role: 'value', name: 'pop', type: 'long' },
    { role: 'location', name: 'name' },
    { role: 'value', name: 'area', type: 'double' },
    { role: 'footprint', name: 'geom', crs: { code: 'EPSG:4326' } },
    { role: 'value', name: 'time', type: 'timestamp' },
    { role: 'value', name: 'until', type: 'date' },
  ],
  domains: [
    { name: 'TIME', kind: 'time', attributes: ['time', 'until'] },
    { name: 'ELEVATION', kind: 'elevation', attributes: ['area'] },
    { name: 'POP', kind: 'custom', attributes: ['pop'] },
    { name: 'CODE', kind: 'custom', attributes: ['code'] },
  ],
};

const texts = [
  '',
  'a',
  'A',
  'ab',
  'b_c',
  'b%c',
  '[ab]',
  '*?',
  'é',
  'K',
  'ı',
  '10',
  '\u{1f30d}',
  '\ue000',
  "it's",
  'a\\b',
];
const moment = fc.option(
  fc
    .constantFrom('2020-01-01', '2020-01-31T12:00:00Z', '2020-02-01T00:00:00.001Z', '2020-12-31T18:59:59Z')
    .map((text) => new Date(text)),
);
const corner = fc.integer({ min: 0, max: 5 });
const side = fc.integer({ min: 1, max: 4 });
const footprint = fc.oneof(
  fc
    .tuple(corner, corner, side, side)
    .map(([x, y, width, height]) => createRectangle({ minX: x, minY: y, maxX: x + width, maxY: y + height })),
  fc.tuple(corner, corner, side).map(([x, y, size]) => ({
    ...createRectangle({ minX: 0, minY: 0, maxX: 0, maxY: 0 }),
    ordinates: Float64Array.of(x, y, x + size, y, x, y + size, x, y),
    ends: [4],
  })),
);
const granules: fc.Arbitrary<readonly GranuleDraft[]> = fc.array(
  fc
    .record({
      code: fc.option(fc.constantFrom(...texts)),
      pop: fc.option(fc.constantFrom<number | bigint>(-1, 0, 1, 2, 9, 10, 9007199254740992n, 9007199254740993n)),
      area: fc.option(fc.constantFrom(-0.1, 0, 0.5, 1, 2, 1e300, -1e300)),
      time: moment,
      until: moment,
    })
    .chain((values) =>
      fc.record({
        location: fc.constantFrom(...texts),
        imageindex: fc.constant(0),
        footprint,
        values: fc.constant(values),
      }),
    ),
  { minLength: 10, maxLength: 25 },
);

const scribble = fc.oneof(
  createInsertion(['(', ')', "'", '"', ' AND ', ' NOT ', ' OR ', ';', '--', '1', 'pop', ' = ', 'geom', ',', '/', '%']),
  createDeletion(4),
);
const filterTexts = fc
  .tuple(testFilters, fc.option(scribble, { freq: 3 }))
  .map(([filter, mutate]) => (mutate ?? ((text: string) => text))(writeEcqlFilter(filter)));

async function compare(open: () => Promise<MosaicIndex>): Promise<void> {
  const counts = { accepted: 0, refused: 0, selected: 0 };
  await fc.assert(
    fc.asyncProperty(
      granules,
      fc.array(filterTexts, { minLength: filtersARun, maxLength: filtersARun }),
      async (drafts, filters) => {
        const recorded: RecordedMosaic = { mosaic: await open(), version: 0 };
        try {
          await harvest(recorded, drafts, schema);
          const index = recorded.mosaic.open(schema, recorded.version);
          const all = await listAllGranules(index);
          for (const text of filters) {
            const outcome = await readGranuleFilter(text, schema);
            if (outcome.kind === 'refused') {
              expect(outcome.complaint, text).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
              counts.refused += 1;
              continue;
            }
            const filter = outcome.value;
            const fits = await compilePredicate(filter, createGranuleAccess(schema));
            const expected = all.filter(fits).map(({ id }) => id);

            expect(
              (await listAllGranules(index, { filter })).map(({ id }) => id),
              text,
            ).toEqual(expected);
            expect(await index.count(filter, never), text).toBe(expected.length);
            counts.accepted += 1;
            counts.selected += expected.length;
          }
        } finally {
          await recorded.mosaic.drop(never);
          await recorded.mosaic.close();
        }
      },
    ),
    { numRuns: Math.ceil(CASES / filtersARun), endOnFailure: true, seed },
  );

  // Ensure that the comparison covered some granules.
  expect(counts.accepted).toBeGreaterThan(CASES / 4);
  expect(counts.selected).toBeGreaterThan(CASES / 2);
  expect(counts.refused).toBeGreaterThan(0);
}

describe(`granule filters with the seed ${seed}`, () => {
  test('filters select the same granules in the embedded index as in memory', { timeout: 600_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'graticule-granules-'));
    const limits = { maxThreads: 1, maxWaiting: 100, deadlineMs: 60_000, maxMemoryMegabytes: 512, idleMs: 60_000 };
    const pool = createWorkerPool(limits);
    onTestFinished(async () => {
      await pool.close();
      await rm(folder, { recursive: true });
    });
    const embedded = openEmbeddedGranules(join(folder, 'granules.sqlite'), pool, Date.now);

    await compare(async () => embedded.openMosaic('m'));
  });

  describeWithPostgis('granule filters in a database', (postgis) => {
    test('filters select the same granules in PostGIS as in memory', { timeout: 600_000 }, async () => {
      await compare(async () => openPostgisGranules(readPostgisSettings(postgisParameters(postgis.connection)), 'm'));
    });
  });
});
