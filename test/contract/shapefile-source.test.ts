/** Runs the vector source contract over shapefiles: a single file and a directory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openShapefile, openShapefileDirectory } from '../../src/vector/shapefile/shapefile-source.ts';
import { partsContent, pointContent, shapefileBytes, writeShapefile } from '../support/shapefile-bytes.ts';
import { vectorSourceContract } from './vector-source.contract.ts';

const COUNT = 2_500;

const squares = shapefileBytes({
  type: 5,
  records: Array.from({ length: COUNT }, (_, x) => partsContent(5, [[x, 0, x, 1, x + 1, 1, x + 1, 0, x, 0]])),
  bounds: [0, 0, COUNT, 1],
  table: {
    fields: [
      { name: 'name', type: 'C', width: 12 },
      { name: 'number', type: 'N', width: 9 },
    ],
    rows: Array.from({ length: COUNT }, (_, index) => ({ values: [`square ${index}`, String(index)] })),
  },
});

const points = shapefileBytes({ type: 1, records: [pointContent(3, 4)], bounds: [3, 4, 3, 4] });

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-shapefiles-'));
  await writeShapefile(folder, 'squares', squares);
  await writeShapefile(folder, 'Points', points);
  return folder;
}

vectorSourceContract('a directory of shapefiles', async () => {
  const directory = await createFolder();
  return {
    source: openShapefileDirectory({ directory }),
    typeNames: ['Points', 'squares'],
    large: { name: 'squares', count: COUNT },
    destroy: () => rm(directory, { recursive: true }),
  };
});

vectorSourceContract('a shapefile', async () => {
  const directory = await createFolder();
  return {
    source: openShapefile({ path: join(directory, 'squares.shp') }),
    typeNames: ['squares'],
    large: { name: 'squares', count: COUNT },
    destroy: () => rm(directory, { recursive: true }),
  };
});
