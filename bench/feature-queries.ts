/** Feature queries in PostGIS, without HTTP: a page in a box and pages at high offsets, compared with plain SQL. */
import type { Client } from 'pg';
import type { VectorSource } from '../src/vector/port/port.ts';
import { postgisDriver } from '../src/vector/postgis/driver.ts';
import type { FeatureQuery, QueriedType } from '../src/vector/query/feature-query.ts';
import { type Pages, queryFeatures } from '../src/vector/query/query-features.ts';
import { TABLE, tableStore } from './feature-data.ts';
import { percentile } from './percentile.ts';
import type { BenchedDatabase } from './postgis-tables.ts';

export interface FeatureQueryCost {
  /** A page of a thousand in a box of ten degrees: medians. */
  readonly pageMs: number;
  readonly bareMs: number;
  /** A page of a thousand, the first and one at a high offset: medians. */
  readonly firstPageMs: number;
  readonly farPageMs: number;
}

const ROUNDS = 60;
const PAGE = 1_000;
const box = { minX: 20, minY: 20, maxX: 30, maxY: 30 };

/** Handwritten SQL: the box first, so that the database does not scan along the key. */
const bareSql = `
  SELECT id, name, kind, ST_AsBinary(geom) FROM (
    SELECT * FROM ${TABLE} WHERE ST_Intersects(geom, ST_MakeEnvelope(${Object.values(box).join(', ')}, 4326)) OFFSET 0
  ) AS found ORDER BY id LIMIT ${PAGE + 1}`;

export async function measureFeatureQueries(
  database: BenchedDatabase,
  client: Client,
  rows: number,
): Promise<FeatureQueryCost> {
  const source = await openSource(database);
  try {
    const description = await source.describe(TABLE, new AbortController().signal);
    if (description === undefined) throw new Error('The table is not there.');
    const type = { source, description };
    // Parallel workers would take the database longer to start than the whole query.
    await client.query('SET max_parallel_workers_per_gather = 0');

    const [pageMs, bareMs]: [number[], number[]] = [[], []];
    const [firstMs, farMs]: [number[], number[]] = [[], []];
    const before = (await read(type, { offset: Math.trunc(rows * 0.9), limit: 1 })).pages;
    // In alternation, so that other load of the machine affects both equally.
    for (let round = 0; round < ROUNDS; round += 1) {
      pageMs.push((await read(type, { box, limit: PAGE })).ms);
      bareMs.push(await timed(() => client.query({ text: bareSql, rowMode: 'array' })));
      firstMs.push((await read(type, { limit: PAGE })).ms);
      farMs.push((await read(type, { limit: PAGE, after: before.next ?? '' })).ms);
    }
    return {
      pageMs: percentile(pageMs, 0.5),
      bareMs: percentile(bareMs, 0.5),
      firstPageMs: percentile(firstMs, 0.5),
      farPageMs: percentile(farMs, 0.5),
    };
  } finally {
    await source.close();
  }
}

async function read(type: QueriedType, query: FeatureQuery): Promise<{ readonly ms: number; readonly pages: Pages }> {
  let given = 0;
  const startedAt = performance.now();
  const answer = await queryFeatures(type, query, new AbortController().signal);
  for await (const batch of answer.batches) given += batch.length;
  if (given !== query.limit) throw new Error(`A page of ${query.limit} has ${given} features`);
  return { ms: performance.now() - startedAt, pages: answer.pages() };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function openSource(database: BenchedDatabase): Promise<VectorSource> {
  return postgisDriver.open(tableStore(database).parameters, { resolvePath: async (named) => named });
}
