/** A GeoPackage with a table larger than one batch, for the vector source contract. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeGeometryBlob } from '../../src/vector/geopackage/geometry-blob.ts';
import type { VectorSource } from '../../src/vector/port/port.ts';
import { openAsWriter } from '../support/geopackages.ts';
import { createType } from '../support/vector-writing.ts';
import type { SourceUnderTest } from './vector-source.contract.ts';

const COUNT = 2_500;

export async function geopackageWithSquares(open: (path: string) => Promise<VectorSource>): Promise<SourceUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-geopackage-'));
  const path = join(folder, 'data.gpkg');
  const source = await open(path);
  const name = { name: 'name', nillable: true, kind: 'value', type: 'string' } as const;
  const geometry = { name: 'geom', nillable: true, kind: 'geometry', type: 'Point', dimension: 'XY' } as const;
  await createType(source, { name: 'squares', attributes: [{ ...geometry, crs: { code: 'EPSG:4326' } }, name] });
  await createType(source, { name: 'Names', attributes: [name] });
  const database = openAsWriter(path);
  database.exec('BEGIN');
  const insert = database.prepare('INSERT INTO squares (geom, name) VALUES (?, ?)');
  for (let x = 0; x < COUNT; x += 1) {
    const point = { type: 'Point', dimension: 'XY', ordinates: Float64Array.of(x, -x), ends: [], parts: [] } as const;
    insert.run(encodeGeometryBlob(point, 4326), `square ${x}`);
  }
  database.exec('COMMIT');
  database.close();
  return {
    source,
    typeNames: ['Names', 'squares'],
    large: { name: 'squares', count: COUNT },
    destroy: () => rm(folder, { recursive: true }),
  };
}
