/** Granules for tests: a schema with every attribute type, and matching drafts. */

import type { ResolvedFilter } from '../../src/filter/model/resolved-filter.ts';
import { readGranuleFilter } from '../../src/raster/granules/port/filter-schema.ts';
import { createRectangle } from '../../src/raster/granules/port/footprint.ts';
import type {
  Granule,
  GranuleDraft,
  GranuleIndex,
  GranuleQuery,
  GranuleSchema,
  GranuleSession,
  MosaicIndex,
} from '../../src/raster/granules/port/port.ts';

export const never: AbortSignal = new AbortController().signal;

export const waterSchema: GranuleSchema = {
  name: 'watertemp',
  attributes: [
    { role: 'footprint', name: 'the_geom', crs: { code: 'EPSG:4326' } },
    { role: 'location', name: 'location' },
    { role: 'imageindex', name: 'imageindex' },
    { role: 'value', name: 'time', type: 'timestamp' },
    { role: 'value', name: 'elevation', type: 'double' },
    { role: 'value', name: 'depth"s; --', type: 'float' },
    { role: 'value', name: 'läuft', type: 'long' },
    { role: 'value', name: 'count', type: 'integer' },
    { role: 'value', name: 'model', type: 'string' },
    { role: 'value', name: 'ingestion', type: 'date' },
  ],
  domains: [
    { name: 'TIME', kind: 'time', attributes: ['time'] },
    { name: 'ELEVATION', kind: 'elevation', attributes: ['elevation'] },
    { name: 'MODEL', kind: 'custom', attributes: ['model'] },
  ],
};

/** A second coverage of the same mosaic, with quotes in its name. */
export const oddSchema: GranuleSchema = {
  name: `O'3 "x" ü`,
  attributes: [
    { role: 'location', name: 'location' },
    { role: 'footprint', name: 'the_geom', crs: { code: 'EPSG:4326' } },
  ],
  domains: [],
};

/** A tile in a grid of 16 columns, with day and elevation derived from the number. */
export function draft(number: number, more: Partial<GranuleDraft> = {}): GranuleDraft {
  const [column, row] = [number % 16, Math.floor(number / 16) % 8];
  return {
    location: `tiles/${String(number).padStart(6, '0')}.tif`,
    imageindex: 0,
    footprint: createRectangle({ minX: column, minY: row, maxX: column + 1, maxY: row + 1 }),
    values: {
      time: new Date(Date.UTC(2008, 9, 31) + number * 86_400_000),
      elevation: (number % 5) * 10,
      model: `model ${number % 3}`,
    },
    ...more,
  };
}

export function drafts(count: number, first = 0): readonly GranuleDraft[] {
  return Array.from({ length: count }, (_, index) => draft(first + index));
}

export async function filterFor(text: string, schema: GranuleSchema = waterSchema): Promise<ResolvedFilter> {
  const outcome = await readGranuleFilter(text, schema);
  if (outcome.kind === 'refused') throw new Error(outcome.complaint.message);
  return outcome.value;
}

export async function listAllGranules(index: GranuleIndex, query: GranuleQuery = {}): Promise<readonly Granule[]> {
  const all: Granule[] = [];
  for await (const batch of index.list(query, never)) all.push(...batch);
  return all;
}

export async function listLocations(index: GranuleIndex, query: GranuleQuery = {}): Promise<readonly string[]> {
  return (await listAllGranules(index, query)).map(({ location }) => location);
}

/** A mosaic with the version that its record would name. */
export interface RecordedMosaic {
  readonly mosaic: MosaicIndex;
  version: number;
}

/** Runs one complete session and records its version. */
export async function change<T>(recorded: RecordedMosaic, work: (session: GranuleSession) => Promise<T>): Promise<T> {
  const session = await recorded.mosaic.startWriting(async () => recorded.version, never);
  try {
    const result = await work(session);
    await session.commit();
    recorded.version = session.version;
    return result;
  } finally {
    await session.end();
  }
}

export function harvest(
  recorded: RecordedMosaic,
  granules: readonly GranuleDraft[],
  schema: GranuleSchema = waterSchema,
): Promise<void> {
  return change(recorded, async (session) => {
    await session.createIndex(schema);
    await session.add(schema, granules);
  });
}
