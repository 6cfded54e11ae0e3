/** SQL views of MySQL stores: published, validated, and read with parameters. */
import { beforeAll, expect, it } from 'vitest';
import { mysqlParameters } from '../../../test/support/mysql-sources.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { readResource } from '../../../test/support/vector-samples.ts';
import { describeWithMariadb } from '../../../test/support/with-mariadb.ts';

const stores = '/workspaces/acme/datastores';
const types = `${stores}/swiss/featuretypes`;

type Table = Readonly<Record<string, unknown>>;

function typeOf(name: string, virtualTable: Table): string {
  const metadata = { entry: [{ '@key': 'JDBC_VIRTUAL_TABLE', virtualTable: { name, ...virtualTable } }] };
  return JSON.stringify({ featureType: { name, metadata } });
}

describeWithMariadb('virtual tables of MariaDB', (mariadb) => {
  const server = useTestServer();
  beforeAll(async () => {
    await mariadb.query(`CREATE TABLE roads (id int PRIMARY KEY AUTO_INCREMENT, name varchar(40), lanes smallint, geom geometry);
      INSERT INTO roads (name, lanes, geom) VALUES
        ('a', 2, ST_GeomFromText('LINESTRING(500000 5500000, 500100 5500200)', 25832)),
        ('b', 4, ST_GeomFromText('LINESTRING(600000 5600000, 600100 5600200)', 25832))`);
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const connectionParameters = mysqlParameters(mariadb.connection);
    await server.post(stores, JSON.stringify({ dataStore: { name: 'swiss', connectionParameters } }));
  });
  const readNames = async (layer: string, query: string) => {
    const reply = await server.get(
      `//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&outputFormat=application/json&typeNames=acme:${layer}${query}`,
    );
    if (reply.status !== 200) return reply.status;
    const { features } = reply.json() as { features: { id: string; properties: { name: string } }[] };
    return features.map(({ id, properties }) => `${id} ${properties.name}`);
  };

  it('are published with the columns, the CRS and the bounds of their rows', async () => {
    const reply = await server.post(
      types,
      typeOf('wide', {
        sql: 'select id, name, lanes * 2 as both_ways, geom from roads where lanes > 2 -- two',
        keyColumn: 'id',
        geometry: { name: 'geom', type: 'LineString', srid: 25_832 },
      }),
    );

    expect([reply.status, reply.text]).toEqual([201, 'wide']);
    expect(await readResource(server, `${types}/wide`)).toMatchObject({
      srs: 'EPSG:25832',
      nativeBoundingBox: { minx: 600_000, maxx: 600_100, miny: 5_600_000, maxy: 5_600_200 },
      attributes: {
        attribute: [
          { name: 'name', binding: 'java.lang.String' },
          { name: 'both_ways' },
          { name: 'geom', binding: 'org.locationtech.jts.geom.LineString' },
        ],
      },
    });
    expect(await readResource(server, '/layers/acme:wide')).toMatchObject({ defaultStyle: { name: 'line' } });
    expect(await readNames('wide', '&bbox=599999,5599999,600001,5600001,EPSG:25832')).toEqual(['wide.2 b']);
    expect(await readNames('wide', '&cql_filter=both_ways>8')).toEqual([]);
    const map = await server.get(
      '//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=acme:wide&styles=&srs=EPSG:25832&bbox=600000,5600000,600100,5600200&width=50&height=100&format=image/png',
    );
    expect([map.status, map.headers['content-type']]).toEqual([200, 'image/png']);
  });

  it('use the parameters that their validation patterns allow, which cannot change the query', async () => {
    const sql = "select id, name, geom from roads where lanes >= %lanes% and name <> '%who%'";
    const parameter = [
      { name: 'lanes', defaultValue: '1' },
      { name: 'who', defaultValue: 'x', regexpValidator: '.*' },
    ];
    const created = await server.post(types, typeOf('asked', { sql, keyColumn: 'id', parameter, escapeSql: true }));
    const ask = (values: string) => readNames('asked', `&viewparams=${encodeURIComponent(values)}`);

    expect(created.status, created.text).toBe(201);
    expect(await ask('')).toEqual(['asked.1 a', 'asked.2 b']);
    expect(await ask('lanes:3')).toEqual(['asked.2 b']);
    expect(await ask('lanes:3 or 1=1')).toBe(400);
    expect(await ask("lanes:9;who:' or 'a'='a")).toEqual([]);
    expect(await ask("lanes:9;who:\\\\' or 1=1 -- ")).toEqual([]);
  });

  it.each([
    ['an unknown table', { sql: 'select * from nowhere' }, 'exist'],
    ['a syntax error', { sql: 'select from where' }, 'syntax'],
    ['another statement', { sql: 'drop table roads' }, 'SELECT or WITH'],
    ['two statements', { sql: 'select 1 as x; drop table roads' }, 'single statement'],
    ['two columns of the same name', { sql: 'select name, name from roads' }, "Duplicate column name 'name'"],
    ['an unknown geometry', { sql: 'select name from roads', geometry: { name: 'geom' } }, "no column 'geom'"],
    ['an invalid geometry', { sql: 'select name from roads', geometry: { name: 'name' } }, 'is not a geometry'],
    ['an unknown key', { sql: 'select name from roads', keyColumn: 'id' }, "no column 'id'"],
  ])('are rejected for %s', async (_what, table, message) => {
    const reply = await server.post(types, typeOf('bad', table));

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
    expect(await mariadb.query('SELECT COUNT(*) AS count FROM roads')).toEqual([{ count: 2 }]);
  });

  it('are read-only in WFS', async () => {
    const change = await server.post(
      '//geoserver/wfs',
      `<Transaction service="WFS" version="2.0.0" xmlns="http://www.opengis.net/wfs/2.0"><Delete typeName="acme:wide"><Filter xmlns="http://www.opengis.net/fes/2.0"><PropertyIsEqualTo><ValueReference>name</ValueReference><Literal>b</Literal></PropertyIsEqualTo></Filter></Delete></Transaction>`,
      { type: 'text/xml' },
    );

    expect([change.status, change.text]).toEqual([400, expect.stringContaining('based on an SQL query')]);
  });
});
