/** A page of granules and a removal, in an index of a million granules and in one of ten thousand. */
import { join } from 'node:path';
import { openEmbeddedGranules } from '../src/raster/granules/embedded/embedded-granules.ts';
import { readGranuleFilter } from '../src/raster/granules/port/filter-schema.ts';
import { createRectangle } from '../src/raster/granules/port/footprint.ts';
import type { GranuleDraft, GranuleSchema, MosaicIndex } from '../src/raster/granules/port/port.ts';
import { createWorkerPool } from '../src/workers/pool.ts';
import { percentile } from './percentile.ts';

export const FEW_GRANULES = 10_000;
export const MANY_GRANULES = 1_000_000;

const ROUNDS = 60;
const BATCH = 2_000;
const [COLUMNS, ROWS] = [40, 25];
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2020, 0, 1);

const schema: GranuleSchema = {
  name: 'bench',
  attributes: [
    { role: 'footprint', name: 'the_geom', crs: { code: 'EPSG:4326' } },
    { role: 'location', name: 'location' },
    { role: 'imageindex', name: 'imageindex' },
    { role: 'value', name: 'time', type: 'timestamp' },
    { role: 'value', name: 'elevation', type: 'double' },
  ],
  domains: [
    { name: 'TIME', kind: 'time', attributes: ['time'] },
    { name: 'ELEVATION', kind: 'elevation', attributes: ['elevation'] },
  ],
};

/** Tiles of the whole world, one set per hour. */
function draft(number: number): GranuleDraft {
  const tile = number % (COLUMNS * ROWS);
  const step = Math.floor(number / (COLUMNS * ROWS));
  const [column, row] = [tile % COLUMNS, Math.floor(tile / COLUMNS)];
  const [minX, minY] = [-180 + column * 9, -90 + row * 7.2];
  return {
    location: formatLocation(step, column, row),
    imageindex: 0,
    footprint: createRectangle({ minX, minY, maxX: minX + 9, maxY: minY + 7.2 }),
    values: { time: new Date(START_MS + step * HOUR_MS), elevation: 0 },
  };
}

function formatLocation(step: number, column: number, row: number): string {
  return `hour-${step}/tile-${column}-${row}.tif`;
}

export interface GranulePages {
  /** From the query to the hundredth granule. */
  readonly pageMs: number;
  /** From the request to the durable commit. */
  readonly removalMs: number;
}

const never = new AbortController().signal;

/** By a range of ten hours and a box of thirty tiles, reading the first hundred; and by location. */
export async function measureGranulePages(directory: string, count: number): Promise<GranulePages> {
  const pool = createWorkerPool({
    maxThreads: 2,
    maxWaiting: 10,
    deadlineMs: 60_000,
    maxMemoryMegabytes: 512,
    idleMs: 60_000,
  });
  const mosaic = openEmbeddedGranules(join(directory, `granules-${count}.sqlite`), pool, Date.now).openMosaic('bench');
  await fill(mosaic, count);
  const hours = count / (COLUMNS * ROWS);
  const selectHour = (round: number): number => Math.floor((((round * 7919) % 1000) / 1000) * Math.max(0, hours - 10));
  const moment = (hour: number): string => new Date(START_MS + hour * HOUR_MS).toISOString();

  const pages: number[] = [];
  const removals: number[] = [];
  let version = 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [hour, west] = [selectHour(round), -170 + (round % 20) * 9];
    const page = await readFilter(
      `BBOX(the_geom, ${west}, -40, ${west + 40}, -10) AND time DURING ${moment(hour - 1)}/${moment(hour + 10)}`,
    );
    const begin = performance.now();
    let read = 0;
    for await (const batch of mosaic.open(schema, version).list({ filter: page, limit: 100 }, never)) {
      read += batch.length;
    }
    pages.push(performance.now() - begin);
    if (read !== 100) throw new Error(`${read} granules were read`);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = await readFilter(`location = '${formatLocation(selectHour(round), round % COLUMNS, 20)}'`);
    const begin = performance.now();
    const current = version;
    const session = await mosaic.startWriting(async () => current, never);
    await session.remove(schema, one);
    await session.commit();
    version = session.version;
    await session.end();
    removals.push(performance.now() - begin);
  }
  await pool.close();
  return { pageMs: percentile(pages, 0.5), removalMs: percentile(removals, 0.5) };
}

async function fill(mosaic: MosaicIndex, count: number): Promise<void> {
  const session = await mosaic.startWriting(async () => 0, never);
  await session.createIndex(schema);
  for (let at = 0; at < count; at += BATCH) {
    await session.add(
      schema,
      Array.from({ length: BATCH }, (_, index) => draft(at + index)),
    );
  }
  await session.commit();
  await session.end();
}

async function readFilter(text: string) {
  const outcome = await readGranuleFilter(text, schema);
  if (outcome.kind === 'refused') throw new Error(outcome.complaint.message);
  return outcome.value;
}
