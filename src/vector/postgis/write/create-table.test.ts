import { expect, onTestFinished, test } from 'vitest';
import { runGdal } from '../../../../test/support/gdal.ts';
import { openPostgis } from '../../../../test/support/postgis-sources.ts';
import { describeType, readAllFeatures } from '../../../../test/support/vector-reading.ts';
import { createType } from '../../../../test/support/vector-writing.ts';
import { describeWithPostgis } from '../../../../test/support/with-postgis.ts';
import { describeWithTool } from '../../../../test/support/with-tool.ts';
import type { Attribute, NewFeatureType, VectorSource } from '../../port/port.ts';

const never = new AbortController().signal;

function geometry(name: string, type: 'Point' | 'MultiPolygon', dimension: 'XY' | 'XYZM', code?: string): Attribute {
  return { name, nillable: true, kind: 'geometry', type, dimension, crs: code === undefined ? {} : { code } };
}

function value(name: string, type: Extract<Attribute, { kind: 'value' }>['type'], maxLength?: number): Attribute {
  return { name, nillable: true, kind: 'value', type, ...(maxLength === undefined ? {} : { maxLength }) };
}

const everything: readonly Attribute[] = [
  geometry('geom', 'MultiPolygon', 'XYZM', 'EPSG:2154'),
  value('text', 'string'),
  value('short text', 'string', 12),
  ...(['boolean', 'short', 'integer', 'long', 'float', 'double', 'decimal'] as const).map((type) =>
    value(`a ${type}`, type),
  ),
  ...(['date', 'time', 'timestamp', 'bytes', 'uuid'] as const).map((type) => value(`a ${type}`, type)),
  { ...value('needed', 'string'), nillable: false },
];

describeWithPostgis('table creation in PostGIS', (postgis) => {
  async function open(): Promise<VectorSource> {
    const source = await openPostgis(postgis.connection);
    onTestFinished(() => source.close());
    return source;
  }

  test('creates columns that match the requested description', async () => {
    const source = await open();
    await createType(source, { name: 'everything', attributes: everything });

    expect(await describeType(source, 'everything')).toEqual({
      name: 'everything',
      attributes: everything,
      defaultGeometry: 'geom',
      count: 0,
    });
    expect(
      await postgis.query(`SELECT type, srid, coord_dimension FROM geometry_columns WHERE f_table_name = 'everything'`),
    ).toEqual([{ type: 'MULTIPOLYGON', srid: 2154, coord_dimension: 4 }]);
    expect(await postgis.query(`SELECT indexdef FROM pg_indexes WHERE tablename = 'everything' ORDER BY 1`)).toEqual([
      { indexdef: expect.stringContaining('USING gist (geom)') },
      { indexdef: expect.stringContaining('UNIQUE INDEX everything_pkey ON public.everything USING btree (fid)') },
    ]);
  });

  test('chooses another key name if an attribute is called fid', async () => {
    const source = await open();
    await createType(source, { name: 'own_fid', attributes: [value('fid', 'string'), value('FID_1', 'string')] });
    await postgis.query(`INSERT INTO own_fid (fid) VALUES ('mine')`);

    expect(await readAllFeatures(source, 'own_fid')).toEqual([{ id: 'own_fid.1', values: ['mine', null] }]);
  });

  test('rejects an existing table, also for concurrent requests', async () => {
    const source = await open();
    const attempts = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        createType(source, { name: 'contested', attributes: [geometry('g', 'Point', 'XY')] }),
      ),
    );

    expect(attempts.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
    for (const each of attempts)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'table-exists' });
    await postgis.query('CREATE VIEW in_the_way AS SELECT 1 AS a');
    await expect(createType(source, { name: 'in_the_way', attributes: [] })).rejects.toMatchObject({
      code: 'table-exists',
    });
  });

  test.each<[string, NewFeatureType, object]>([
    [
      'a CRS that is unknown to the database',
      { name: 'refused', attributes: [geometry('g', 'Point', 'XY', 'EPSG:999998')] },
      { code: 'crs-unknown-to-database', status: 400 },
    ],
    [
      'two attributes with the same name',
      { name: 'refused', attributes: [value('a', 'string'), value('a', 'long')] },
      { code: 'table-refused' },
    ],
    ['a name that would be truncated', { name: 'r'.repeat(64), attributes: [] }, { code: 'table-refused' }],
    ['an attribute without a name', { name: 'refused', attributes: [value('', 'long')] }, { code: 'table-refused' }],
    [
      'too many columns',
      { name: 'refused', attributes: Array.from({ length: 1700 }, (_, index) => value(`a${index}`, 'long')) },
      { code: 'table-refused' },
    ],
  ])('rejects %s and leaves no table', async (_title, type, expected) => {
    const source = await open();

    await expect(createType(source, type)).rejects.toMatchObject(expected);
    expect(await source.describe('refused', never)).toBeUndefined();
  });

  describeWithTool('gdal', 'interoperability with GDAL', () => {
    test('creates a table that ogr2ogr fills and that is read back', async () => {
      const source = await open();
      await createType(source, {
        name: 'filled',
        attributes: [geometry('geom', 'Point', 'XY', 'EPSG:4326'), value('name', 'string')],
      });
      const { host, port, database, user, password } = postgis.connection;
      const target = `PG:host=${host} port=${port} dbname=${database} user=${user}`;
      const features = [0, 1, 2].map((x) => ({
        type: 'Feature',
        properties: { name: `point ${x}` },
        geometry: { type: 'Point', coordinates: [x, x / 2] },
      }));

      await runGdal('ogr2ogr', ['-append', '-f', 'PostgreSQL', target, '/vsistdin/', '-nln', 'filled'], {
        input: JSON.stringify({ type: 'FeatureCollection', features }),
        env: { PGPASSWORD: password },
      });
      const seen = await runGdal('ogrinfo', ['-so', target, 'filled'], { env: { PGPASSWORD: password } });

      expect(seen).toContain('Geometry: Point\nFeature Count: 3');
      expect(seen).toContain('FID Column = fid');
      expect(seen).toContain('ID["EPSG",4326]');
      expect(await describeType(source, 'filled')).toMatchObject({
        count: 3,
        bounds: { minX: 0, minY: 0, maxX: 2, maxY: 1 },
      });
      expect((await readAllFeatures(source, 'filled')).map(({ values }) => values[1])).toEqual([
        'point 0',
        'point 1',
        'point 2',
      ]);
    });
  });
});
