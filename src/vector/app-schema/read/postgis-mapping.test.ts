import { beforeAll, expect, it } from 'vitest';
import {
  conditionOn,
  openTypes,
  printMapped,
  readMapped,
  type TypeSpec,
} from '../../../../test/support/mapped-types.ts';
import { postgisParameters } from '../../../../test/support/postgis-sources.ts';
import { describeWithPostgis } from '../../../../test/support/with-postgis.ts';
import { postgisDriver } from '../../postgis/driver.ts';

const schema = '<sourceDatabaseSchema>geology</sourceDatabaseSchema>';

/** Tables with foreign keys. */
const tables: readonly TypeSpec[] = [
  {
    target: 'ro:Outcrop',
    table: 'outcrops',
    attributes: [
      { target: 'ro:Outcrop', id: "strConcat('o', id)" },
      { target: 'ro:depth', ocql: 'depth' },
      { target: 'ro:seen', ocql: 'seen' },
      { target: 'ro:shows', ocql: 'unit_id', link: 'ro:RockUnit', field: 'FEATURE_LINK' },
      { target: 'ro:sample', ocql: 'id', link: 'ro:Part', field: 'FEATURE_LINK', multiple: true },
      { target: 'ro:shape', ocql: 'shape' },
    ],
  },
  {
    target: 'ro:RockUnit',
    table: 'units',
    attributes: [
      { target: 'ro:RockUnit', id: "strConcat('u', id)" },
      { target: 'FEATURE_LINK', ocql: 'id' },
      { target: 'gml:name', ocql: 'title' },
      {
        target: 'gml:name[2]',
        values: { column: 'id', table: 'other_names', key: 'unit_id', value: 'title' },
        multiple: true,
      },
    ],
  },
  {
    target: 'ro:Part',
    table: 'samples',
    attributes: [
      { target: 'ro:Part', id: 'code' },
      { target: 'FEATURE_LINK', ocql: 'outcrop' },
      { target: 'ro:material', ocql: 'material' },
    ],
  },
];
const types = tables.map((type) => ({ ...type, more: schema }));

describeWithPostgis('PostGIS tables read through a mapping', (postgis) => {
  beforeAll(async () => {
    await postgis.query(`
      CREATE SCHEMA geology;
      CREATE TABLE geology.units (id bigint PRIMARY KEY, title text);
      CREATE TABLE geology.other_names (unit_id bigint REFERENCES geology.units, title varchar(40));
      CREATE TABLE geology.outcrops (id serial PRIMARY KEY, unit_id bigint REFERENCES geology.units, depth numeric(8, 3),
        seen timestamptz, shape geometry(Point, 25833));
      CREATE TABLE geology.samples (code uuid PRIMARY KEY, outcrop numeric, material text);
      INSERT INTO geology.units VALUES (1, 'Granite'), (9007199254740993, 'Schist');
      INSERT INTO geology.other_names VALUES (1, 'Granit'), (9007199254740993, 'Schiefer'), (1, 'Granito');
      INSERT INTO geology.outcrops (unit_id, depth, seen, shape) VALUES
        (1, 2.500, '2026-05-01 12:00+02', ST_SetSRID(ST_MakePoint(400000, 5600000), 25833)),
        (9007199254740993, NULL, NULL, NULL);
      INSERT INTO geology.samples VALUES
        ('00000000-0000-4000-8000-000000000001', 1.0, 'quartz'), ('00000000-0000-4000-8000-000000000002', 1, 'mica')`);
  });

  const open = () =>
    openTypes(types, ({ parameters }) =>
      postgisDriver.open(
        { ...postgisParameters(postgis.connection), ...parameters },
        { resolvePath: async (named) => named },
      ),
    );

  it('are found in the schema of the mapping and chained by keys of any type', async () => {
    const mapped = open();

    expect(await printMapped(mapped, 'Outcrop')).toBe(`<ro:Outcrop gml:id="o1">
  <ro:depth>2.5</ro:depth>
  <ro:seen>2026-05-01T10:00:00Z</ro:seen>
  <ro:shows>
    <ro:RockUnit gml:id="u1">
      <gml:name>Granite</gml:name>
      <gml:name>Granit</gml:name>
      <gml:name>Granito</gml:name>
    </ro:RockUnit>
  </ro:shows>
  <ro:sample>
    <ro:Part gml:id="00000000-0000-4000-8000-000000000001">
      <ro:material>quartz</ro:material>
    </ro:Part>
  </ro:sample>
  <ro:sample>
    <ro:Part gml:id="00000000-0000-4000-8000-000000000002">
      <ro:material>mica</ro:material>
    </ro:Part>
  </ro:sample>
  <ro:shape srsName="EPSG:25833">POINT (400000 5600000)</ro:shape>
</ro:Outcrop>
<ro:Outcrop gml:id="o2">
  <ro:shows>
    <ro:RockUnit gml:id="u9007199254740993">
      <gml:name>Schist</gml:name>
      <gml:name>Schiefer</gml:name>
    </ro:RockUnit>
  </ro:shows>
</ro:Outcrop>`);
    await mapped.close();
  });

  it('receive only the part of the query that they need', async () => {
    const mapped = open();
    const condition = await conditionOn('ro:depth > 2', { 'ro:depth': 'number' });

    expect((await readMapped(mapped, 'Outcrop', { ids: ['o2', 'o9', 'u1'] })).map(({ id }) => id)).toEqual(['o2']);
    expect((await readMapped(mapped, 'Outcrop', { condition })).map(({ id }) => id)).toEqual(['o1']);
    expect((await readMapped(mapped, 'RockUnit', { ids: ['u9007199254740993'] })).map(({ id }) => id)).toEqual([
      'u9007199254740993',
    ]);
    await mapped.close();
  });
});
