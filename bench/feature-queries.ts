/** Queries of features in PostGIS: a page in a box and pages far behind, beside the bare SQL, and the memory of reading all. */
import { Client } from 'pg';
import type { VectorSource } from '../src/data/vector/port.ts';
import { postgisDriver } from '../src/data/vector/postgis/driver.ts';
import type { FeatureQuery, QueriedType } from '../src/data/vector/query/feature-query.ts';
import { type Pages, queryFeatures } from '../src/data/vector/query/query-features.ts';
import { percentile } from './percentile.ts';
import type { BenchedDatabase } from './postgis-tables.ts';

export interface FeatureQueryCost {
  readonly rows: number;
  /** A page of a thousand in a box of ten degrees: medians. */
  readonly pageMs: number;
  readonly bareMs: number;
  /** A page of a thousand, the first and one far behind: medians. */
  readonly firstPageMs: number;
  readonly farPageMs: number;
  readonly streamedMs: number;
  /** At its highest while all features were read, and before. */
  readonly rssMegabytes: number;
  readonly idleMegabytes: number;
}

const ROUNDS = 30;
const PAGE = 1_000;
const box = { minX: 20, minY: 20, maxX: 30, maxY: 30 };

/** As somebody would write it by hand: the box first, so that the database does not walk along the key. */
const bareSql = `
  SELECT id, name, kind, ST_AsBinary(geom) FROM (
    SELECT * FROM many WHERE ST_Intersects(geom, ST_MakeEnvelope(${Object.values(box).join(', ')}, 4326)) OFFSET 0
  ) AS found ORDER BY id LIMIT ${PAGE + 1}`;

export async function measureFeatureQueries(template: BenchedDatabase, rows = 1_000_000): Promise<FeatureQueryCost> {
  const database = `bench_features_${process.pid}`;
  const admin = await connected({ ...template, database: 'postgres' });
  await admin.query(`CREATE DATABASE ${database} TEMPLATE ${template.database}`);
  const client = await connected({ ...template, database });
  const source = await openSource({ ...template, database });
  try {
    await fill(client, rows);
    const signal = new AbortController().signal;
    const description = await source.describe('many', signal);
    if (description === undefined) throw new Error('The table is not there.');
    const type = { source, description };

    const [pageMs, bareMs]: [number[], number[]] = [[], []];
    const [firstMs, farMs]: [number[], number[]] = [[], []];
    const before = (await read(type, { offset: Math.trunc(rows * 0.9), limit: 1 })).pages;
    // By turns, so that whatever else the machine does slows both alike.
    for (let round = 0; round < ROUNDS; round += 1) {
      pageMs.push((await read(type, { box, limit: PAGE })).ms);
      bareMs.push(await timed(() => client.query({ text: bareSql, rowMode: 'array' })));
      firstMs.push((await read(type, { limit: PAGE })).ms);
      farMs.push((await read(type, { limit: PAGE, after: before.next ?? '' })).ms);
    }
    const idleMegabytes = megabytes();
    const all = await read(type, {});
    return {
      rows,
      pageMs: percentile(pageMs, 0.5),
      bareMs: percentile(bareMs, 0.5),
      firstPageMs: percentile(firstMs, 0.5),
      farPageMs: percentile(farMs, 0.5),
      streamedMs: all.ms,
      rssMegabytes: all.megabytes,
      idleMegabytes,
    };
  } finally {
    await source.close();
    await client.end();
    await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await admin.end();
  }
}

/** Rectangles all over the Earth, in no order, so that neighbours on the ground are none in the table. */
async function fill(client: Client, rows: number): Promise<void> {
  await client.query('CREATE TABLE many (id serial PRIMARY KEY, name text, kind int, geom geometry(Polygon, 4326))');
  await client.query(
    `INSERT INTO many (name, kind, geom)
     SELECT 'feature ' || n, n % 10, ST_MakeEnvelope(x, y, x + 0.01, y + 0.01, 4326)
     FROM generate_series(1, ${rows}) n,
       LATERAL (SELECT (n::bigint * 7919 % 35990) / 100.0 - 180 AS x, (n::bigint * 104729 % 17990) / 100.0 - 90 AS y) AS place`,
  );
  await client.query('CREATE INDEX ON many USING gist (geom)');
  await client.query('VACUUM ANALYZE many');
}

async function read(
  type: QueriedType,
  query: FeatureQuery,
): Promise<{ readonly ms: number; readonly pages: Pages; readonly megabytes: number }> {
  let most = 0;
  const startedAt = performance.now();
  const answer = await queryFeatures(type, query, new AbortController().signal);
  for await (const batch of answer.batches) if (batch.length > 0) most = Math.max(most, megabytes());
  return { ms: performance.now() - startedAt, pages: answer.pages(), megabytes: most };
}

function megabytes(): number {
  return process.memoryUsage.rss() / 1_048_576;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function connected({ host, port, user, password, database }: BenchedDatabase): Promise<Client> {
  const client = new Client({ host, port, user, password, database });
  await client.connect();
  return client;
}

function openSource({ host, port, user, password, database }: BenchedDatabase): Promise<VectorSource> {
  return postgisDriver.open(
    { dbtype: 'postgis', host, port: String(port), database, user, passwd: password },
    { resolvePath: async (named) => named },
  );
}
