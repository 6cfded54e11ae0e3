import { beforeAll, expect, it } from 'vitest';
import { answered } from '../../../test/support/dry-run.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { featureTypes, readResource } from '../../../test/support/vector-samples.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

const stores = '/workspaces/acme/datastores';
const types = `${stores}/nyc/featuretypes`;

describeWithPostgis('feature types of PostGIS', (postgis) => {
  const server = useTestServer();
  beforeAll(async () => {
    await postgis.query(
      'CREATE TABLE roads (id serial PRIMARY KEY, name varchar(40) NOT NULL, built date, lanes int2)',
    );
    await postgis.query("SELECT AddGeometryColumn('roads', 'geom', 25832, 'MULTILINESTRING', 2)");
    await postgis.query(
      "INSERT INTO roads (name, geom) VALUES ('a', ST_SetSRID('MULTILINESTRING((500000 5500000, 500100 5500200))'::geometry, 25832))",
    );
    await postgis.query('CREATE TABLE plain (id int PRIMARY KEY, note text)');
    await postgis.query('CREATE VIEW named AS SELECT id, name, geom FROM roads');
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password, schema: 'public' };
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const reply = await server.post(
      `${stores}?validate=connect`,
      JSON.stringify({ dataStore: { name: 'nyc', connectionParameters } }),
    );
    expect([reply.status, reply.text]).toEqual([201, 'nyc']);
  });

  it('are listed, those with a geometry separately', async () => {
    const all = (await server.get(`${types}.json?list=all`)).json() as { list: { string: readonly string[] } };
    const drawn = (await server.get(`${types}.json?list=available_with_geom`)).json() as typeof all;

    expect(all.list.string).toEqual(expect.arrayContaining(['named', 'plain', 'roads']));
    expect(drawn.list.string).toEqual(expect.arrayContaining(['named', 'roads']));
    expect(drawn.list.string).not.toContain('plain');
  });

  it('are published by table name with all other fields computed', async () => {
    expect((await server.post(types, '<featureType><name>roads</name></featureType>')).status).toBe(201);

    const type = await readResource(server, `${types}/roads`);
    expect(type).toMatchObject({
      srs: 'EPSG:25832',
      nativeCRS: { '@class': 'projected' },
      nativeBoundingBox: { minx: 500_000, maxx: 500_100, miny: 5_500_000, maxy: 5_500_200 },
    });
    const { attribute } = type['attributes'] as { attribute: readonly { name: string }[] };
    expect(attribute.filter(({ name }) => name !== 'id')).toEqual([
      expect.objectContaining({ name: 'name', binding: 'java.lang.String', nillable: false, minOccurs: 1, length: 40 }),
      expect.objectContaining({ name: 'built', binding: 'java.sql.Date' }),
      expect.objectContaining({ name: 'lanes', binding: 'java.lang.Short' }),
      expect.objectContaining({ name: 'geom', binding: 'org.locationtech.jts.geom.MultiLineString' }),
    ]);
    expect(await readResource(server, '/layers/acme:roads')).toMatchObject({ defaultStyle: { name: 'line' } });
  });

  it('may be tables without geometry and without a style', async () => {
    expect((await server.post(types, '<featureType><name>plain</name></featureType>')).status).toBe(201);

    expect(await readResource(server, '/layers/plain')).not.toHaveProperty('defaultStyle');
    expect(await readResource(server, `${types}/plain`)).not.toHaveProperty('nativeBoundingBox');
  });

  it('are created as tables with the right columns, types, geometry, SRID and primary key', async () => {
    const reply = await server.post(
      types,
      JSON.stringify({
        featureType: {
          name: 'annotations',
          nativeName: 'annotations',
          title: 'Annotations',
          srs: 'EPSG:4326',
          attributes: {
            attribute: [
              { name: 'the_geom', binding: 'com.vividsolutions.jts.geom.Point' },
              { name: 'description', binding: 'java.lang.String', nillable: false },
              { name: 'at', binding: 'java.util.Date' },
              { name: 'rank', binding: 'java.lang.Integer' },
            ],
          },
        },
      }),
    );

    expect(reply).toMatchObject({ status: 201, text: 'annotations' });
    const columns = await postgis.query(
      "SELECT column_name AS name, udt_name AS type, is_nullable AS nullable FROM information_schema.columns WHERE table_name = 'annotations'",
    );
    expect(columns).toEqual(
      expect.arrayContaining([
        { name: 'the_geom', type: 'geometry', nullable: 'YES' },
        { name: 'description', type: expect.stringMatching(/text|varchar/), nullable: 'NO' },
        { name: 'at', type: expect.stringMatching(/^timestamp/), nullable: 'YES' },
        { name: 'rank', type: 'int4', nullable: 'YES' },
      ]),
    );
    expect(await postgis.query("SELECT type, srid FROM geometry_columns WHERE f_table_name = 'annotations'")).toEqual([
      { type: 'POINT', srid: 4326 },
    ]);
    expect(
      await postgis.query(
        "SELECT contype FROM pg_constraint WHERE conrelid = 'annotations'::regclass AND contype = 'p'",
      ),
    ).toHaveLength(1);
    expect(await featureTypes(server, 'acme/nyc')).toContain('annotations');
    const again = await server.post(types, '{"featureType":{"name":"annotations"}}');
    expect(again.status).toBe(409);
  });

  it('keep the attribute settings of a new table', async () => {
    const attributes = {
      attribute: [
        { name: 'kind', binding: 'java.lang.String', length: 9, options: { string: ['a', 'b'] }, nillable: false },
        { name: 'height', binding: 'java.lang.Double', range: { min: 0, max: 9.5 }, description: 'In metres' },
        { name: 'at', binding: 'org.locationtech.jts.geom.Point' },
      ],
    };

    const reply = await server.post(types, JSON.stringify({ featureType: { name: 'said', attributes } }));

    expect(reply.status).toBe(201);
    expect(await readResource(server, `${types}/said`)).toMatchObject({
      attributes: {
        attribute: [
          { ...attributes.attribute[0], minOccurs: 1, maxOccurs: 1 },
          { ...attributes.attribute[1], minOccurs: 0, nillable: true },
          attributes.attribute[2],
        ],
      },
    });
  });

  it('are created with their table only by the real request, which has the same response as the dry run before it', async () => {
    const body =
      '{"featureType":{"name":"tried","attributes":{"attribute":{"name":"g","binding":"org.locationtech.jts.geom.Point"}}}}';
    const isThere = async () => (await postgis.query("SELECT to_regclass('tried') IS NOT NULL AS there"))[0]?.['there'];

    const dry = await server.post(`${types}?dryRun=true`, body);

    expect([dry.status, dry.headers['graticule-dry-run']]).toEqual([201, 'true']);
    expect(await isThere()).toBe(false);
    expect(await featureTypes(server, 'acme/nyc')).not.toContain('tried');
    expect(answered(await server.post(types, body))).toEqual(answered(dry));
    expect(await isThere()).toBe(true);
    expect(answered(await server.post(`${types}?dryRun=true`, body))).toEqual(answered(await server.post(types, body)));
  });

  it('are rejected as new tables when an attribute has no type', async () => {
    const body = '{"featureType":{"name":"untyped","attributes":{"attribute":{"name":"n"}}}}';

    const reply = await server.post(types, body);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('requires a binding')]);
    expect(await postgis.query("SELECT to_regclass('untyped') AS made")).toEqual([{ made: null }]);
  });

  it('are recomputed from the data on request', async () => {
    await server.post(types, '<featureType><name>named</name></featureType>');
    await postgis.query(
      "INSERT INTO roads (name, geom) VALUES ('b', ST_SetSRID('MULTILINESTRING((600000 5600000, 600001 5600001))'::geometry, 25832))",
    );

    await server.put(`${types}/named?recalculate=nativebbox,latlonbbox`, '<featureType/>');

    expect(await readResource(server, `${types}/named`)).toMatchObject({
      nativeBoundingBox: { maxx: 600_001, maxy: 5_600_001 },
    });
  });

  it('keep the table when they are deleted', async () => {
    await server.post(
      types,
      '{"featureType":{"name":"kept","attributes":{"attribute":{"name":"n","binding":"java.lang.Integer"}}}}',
    );

    expect((await server.delete(`${types}/kept?recurse=true`)).status).toBe(200);

    expect(await postgis.query("SELECT to_regclass('kept') IS NOT NULL AS there")).toEqual([{ there: true }]);
  });
});
