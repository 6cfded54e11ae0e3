/**
 * Runs the query contract over file data: shapefiles with their index, and property files, which are read completely.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { computeGeometryBounds } from '../../src/geometry/geometry-bounds.ts';
import { encodeWkt } from '../../src/geometry/wkt-encode.ts';
import { propertiesDriver } from '../../src/vector/properties/driver.ts';
import { openShapefile } from '../../src/vector/shapefile/shapefile-source.ts';
import type { TestRow } from '../support/filter-rows.ts';
import { nullContent, partsContent, shapefileBytes, writeShapefile } from '../support/shapefile-bytes.ts';
import { WGS84_PRJ } from '../support/vector-samples.ts';
import { featureQueryContract, type RowsUnderTest } from './feature-query.contract.ts';

/** A shapefile has one shape type: each geometry becomes its bounding box, slightly enlarged, or half of it. */
function contentOf({ id, geom }: TestRow): Buffer {
  const bounds = geom === null ? undefined : computeGeometryBounds(geom);
  if (bounds === undefined) return nullContent;
  const { minX, minY } = bounds;
  const [maxX, maxY] = [bounds.maxX + 0.5, bounds.maxY + 0.5];
  const start = [minX, minY, minX, maxY];
  return partsContent(5, [[...start, ...(id % 2 === 0 ? [maxX, maxY] : []), maxX, minY, minX, minY]]);
}

async function shapefileOf(rows: readonly TestRow[], { hasIndex = true } = {}): Promise<RowsUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-queries-'));
  const text = (value: string | null): string => (value ?? '').replaceAll(/[^ -~]/g, '?');
  const bytes = shapefileBytes({
    type: 5,
    bounds: [-100, -100, 100, 100],
    records: rows.map(contentOf),
    ...(hasIndex ? {} : { withoutIndex: true }),
    prj: WGS84_PRJ,
    table: {
      fields: [
        { name: 'name', type: 'C', width: 20 },
        { name: 'pop', type: 'N', width: 18 },
        { name: 'area', type: 'N', width: 20, decimals: 3 },
        { name: 'until', type: 'D', width: 8 },
      ],
      rows: rows.map(({ name, pop, area, until }, index) => ({
        values: [
          text(name),
          (pop === null ? '' : String(pop)).padStart(18),
          (area === null || Math.abs(area) > 1e9 ? '' : area.toFixed(3)).padStart(20),
          until === null ? '' : new Date(until).toISOString().slice(0, 10).replaceAll('-', ''),
        ],
        ...(index % 9 === 4 ? { deleted: true } : {}),
      })),
    },
  });
  await writeShapefile(folder, 'rows', bytes);
  return {
    source: openShapefile({ path: join(folder, 'rows.shp') }),
    destroy: () => rm(folder, { recursive: true }),
  };
}

const shown = { geometry: 'the_geom', sortable: ['name', 'pop', 'area', 'until'] };

featureQueryContract('a shapefile', (rows) => shapefileOf(rows), { ...shown, numRuns: 2 });
featureQueryContract('a shapefile without its .shx file', (rows) => shapefileOf(rows, { hasIndex: false }), {
  ...shown,
  numRuns: 1,
});

test('a forged page key is rejected', async () => {
  const { source, destroy } = await shapefileOf([]);

  for (const key of ['', '0', '-1', '1.5', 'x', '99999999999']) {
    const query = { start: { side: 'after', key }, limit: 3 } as const;
    await expect(source.select?.('rows', query, new AbortController().signal)).rejects.toMatchObject({
      code: 'page-key-invalid',
    });
  }
  await source.close();
  await destroy();
});

featureQueryContract(
  'a property file',
  async (rows) => {
    const folder = await mkdtemp(join(tmpdir(), 'graticule-queries-'));
    const written = (value: string | number | bigint | boolean | null): string =>
      String(value ?? '').replaceAll(/[\\|=\r\n]/g, '\\$&');
    const lines = rows.map(({ id, name, pop, open, geom }) =>
      [`rows.${id}=${written(name)}`, written(pop), written(open), geom === null ? '' : encodeWkt(geom)].join('|'),
    );
    const head = '_=name:String,pop:Long,open:Boolean,geom:Geometry:srid=4326';
    await writeFile(join(folder, 'rows.properties'), [head, ...lines, ''].join('\n'));
    return {
      source: await propertiesDriver.open({ directory: folder }, { resolvePath: async (named) => named }),
      destroy: () => rm(folder, { recursive: true }),
    };
  },
  { sortable: ['name', 'pop', 'open'], numRuns: 2 },
);
