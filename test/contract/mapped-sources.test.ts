/** Runs the mapping contract over every type of vector source. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe } from 'vitest';
import { documentDriver } from '../../src/vector/documents/driver.ts';
import type { Attribute, Feature, VectorSource } from '../../src/vector/port/port.ts';
import { openPropertyDirectory } from '../../src/vector/properties/properties-source.ts';
import { openShapefileDirectory } from '../../src/vector/shapefile/shapefile-source.ts';
import { openGeopackage } from '../support/geopackages.ts';
import { openPostgis } from '../support/postgis-sources.ts';
import { type FieldSpec, pointContent, shapefileBytes } from '../support/shapefile-bytes.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { describeType, readAllFeatures, readGeometry } from '../support/vector-reading.ts';
import { WGS84_PRJ, writeShapefiles } from '../support/vector-samples.ts';
import { describeWithDocuments } from '../support/with-documents.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { mappedSourceContract, mappedTables } from './mapped-source.contract.ts';

const folder = useTemporaryFolder('mapped-sources');
const properties = join(folder, 'properties');
const names = Object.keys(mappedTables);

beforeAll(async () => {
  await mkdir(properties);
  for (const [name, lines] of Object.entries(mappedTables)) {
    await writeFile(join(properties, `${name}.properties`), `${lines.join('\n')}\n`);
  }
});

/** The tables of the property files, in a database. */
async function copyInto(target: VectorSource): Promise<void> {
  const signal = new AbortController().signal;
  const source = openPropertyDirectory(properties);
  const session = await target.startWriting?.(signal);
  if (session === undefined) throw new Error('it cannot be written');
  for (const name of names) {
    const { attributes } = await describeType(source, name);
    await session.write({ name, attributes, batches: source.read(name, {}, signal) }, 'append');
  }
  await session.commit();
}

describe('property files behind a mapping', () => {
  mappedSourceContract(async () => openPropertyDirectory(properties));
});

describe('shapefiles behind a mapping', () => {
  const shapefiles = join(folder, 'shapefiles');
  beforeAll(async () => {
    const source = openPropertyDirectory(properties);
    for (const name of names) {
      const { attributes } = await describeType(source, name);
      const features = await readAllFeatures(source, name);
      await writeShapefiles(shapefiles, { [name]: shapefileOf(attributes, features) });
    }
  });

  mappedSourceContract(async () => openShapefileDirectory({ directory: shapefiles, charset: 'UTF-8' }));
});

/** A table without a geometry is a shapefile with null shapes only. */
function shapefileOf(attributes: readonly Attribute[], features: readonly Feature[]) {
  const fields = attributes.flatMap((each): readonly FieldSpec[] => {
    if (each.kind === 'geometry') return [];
    if (each.type === 'string') return [{ name: each.name, type: 'C', width: 40 }];
    if (each.type === 'date') return [{ name: each.name, type: 'D', width: 8 }];
    return [{ name: each.name, type: 'N', width: 12, decimals: each.type === 'double' ? 3 : 0 }];
  });
  const place = attributes.findIndex(({ kind }) => kind === 'geometry');
  const textOf = (value: Feature['values'][number], { width, decimals, type }: FieldSpec): Buffer | string => {
    if (value instanceof Date) return value.toISOString().slice(0, 10).replaceAll('-', '');
    if (typeof value === 'number') return value.toFixed(decimals).padStart(width);
    const bytes = Buffer.alloc(width, ' ');
    if (type === 'C') bytes.write(String(value ?? ''));
    return bytes;
  };
  return shapefileBytes({
    type: 1,
    bounds: [-180, -90, 180, 90],
    prj: WGS84_PRJ,
    cpg: 'UTF-8',
    records: features.map((feature) => {
      const geometry = place < 0 ? null : readGeometry(feature, place);
      const [x = 0, y = 0] = geometry?.ordinates ?? [];
      return geometry === null ? Buffer.alloc(4) : pointContent(x, y);
    }),
    table: {
      fields,
      rows: features.map(({ values }) => ({
        values: fields.map((field) =>
          textOf(values[attributes.findIndex(({ name }) => name === field.name)] ?? null, field),
        ),
      })),
    },
  });
}

describe('GeoPackage behind a mapping', () => {
  const path = join(folder, 'rocks.gpkg');
  beforeAll(async () => {
    const source = await openGeopackage(path);
    await copyInto(source);
    await source.close();
  });

  mappedSourceContract(() => openGeopackage(path));
});

describeWithPostgis('PostGIS behind a mapping', (postgis) => {
  beforeAll(async () => {
    const source = await openPostgis(postgis.connection);
    await copyInto(source);
    await source.close();
  });

  mappedSourceContract(() => openPostgis(postgis.connection));
});

describeWithDocuments('documents behind a mapping', (documents) => {
  beforeAll(async () => {
    const source = openPropertyDirectory(properties);
    for (const name of names) {
      const { attributes } = await describeType(source, name);
      const features = await readAllFeatures(source, name);
      await documents.insert(
        name,
        features.map(({ id, values }) => Object.fromEntries([['_id', id], ...fieldsOf(attributes, values)])),
      );
    }
  });

  mappedSourceContract(() =>
    documentDriver.open(
      { data_store: documents.uri(), schema_store: folder, max_objs_schema: '-1' },
      { resolvePath: async (named) => named },
    ),
  );
});

/** In documents, dates are strings, points are GeoJSON, and null values are omitted. */
function fieldsOf(
  attributes: readonly Attribute[],
  values: Feature['values'],
): readonly (readonly [string, unknown])[] {
  return attributes.flatMap(({ name }, index) => {
    const value = values[index] ?? null;
    if (value === null) return [];
    if (value instanceof Date) return [[name, value.toISOString().slice(0, 10)]];
    const isGeometry = typeof value === 'object' && 'ordinates' in value;
    return [[name, isGeometry ? { type: 'Point', coordinates: [...value.ordinates] } : value]];
  });
}
