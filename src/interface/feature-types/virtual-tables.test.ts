import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { featureTypes, pointShapefile, putZip, readResource, zipOf } from '../../../test/support/vector-samples.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

const stores = '/workspaces/acme/datastores';
const types = `${stores}/nyc/featuretypes`;

type Table = Readonly<Record<string, unknown>>;

/** A feature type whose rows come from a query. */
function typeOf(name: string, virtualTable: Table, more: Table = {}): string {
  const metadata = { entry: [{ '@key': 'JDBC_VIRTUAL_TABLE', virtualTable: { name, ...virtualTable } }] };
  return JSON.stringify({ featureType: { name, metadata, ...more } });
}

interface Shown {
  readonly attributes: { readonly attribute: readonly { readonly name: string; readonly binding: string }[] };
}

describeWithPostgis('virtual tables of PostGIS', (postgis) => {
  const server = useTestServer();
  const attributesOf = async (name: string) => {
    const { attributes } = (await readResource(server, `${types}/${name}`)) as unknown as Shown;
    return attributes.attribute.map((each) => [each.name, each.binding.split('.').at(-1)]);
  };
  beforeAll(async () => {
    await postgis.query('CREATE TABLE roads (id serial PRIMARY KEY, name varchar(40), lanes int2, geom geometry)');
    await postgis.query(
      `INSERT INTO roads (name, lanes, geom) VALUES
        ('a', 2, ST_SetSRID('LINESTRING(500000 5500000, 500100 5500200)'::geometry, 25832)),
        ('b', 4, ST_SetSRID('LINESTRING(600000 5600000, 600100 5600200)'::geometry, 25832))`,
    );
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post(stores, JSON.stringify({ dataStore: { name: 'nyc', connectionParameters } }));
  });

  it('are published with the columns, the CRS and the bounds of their rows', async () => {
    const body = `<featureType><name>wide</name><metadata><entry key="JDBC_VIRTUAL_TABLE"><virtualTable>
      <name>wide</name><sql>select id, name, lanes * 2 as both_ways, geom from roads where lanes &gt; 2 -- two</sql>
      <escapeSql>false</escapeSql><keyColumn>id</keyColumn>
      <geometry><name>geom</name><type>LineString</type><srid>25832</srid></geometry>
    </virtualTable></entry></metadata></featureType>`;

    const reply = await server.post(types, body, { type: 'text/xml' });

    expect([reply.status, reply.text]).toEqual([201, 'wide']);
    expect(await readResource(server, `${types}/wide`)).toMatchObject({
      nativeName: 'wide',
      srs: 'EPSG:25832',
      nativeBoundingBox: { minx: 600_000, maxx: 600_100, miny: 5_600_000, maxy: 5_600_200 },
    });
    expect(await attributesOf('wide')).toEqual([
      ['name', 'String'],
      ['both_ways', 'Integer'],
      ['geom', 'LineString'],
    ]);
    expect(await featureTypes(server, 'acme/nyc')).toContain('wide');
    expect(await readResource(server, '/layers/acme:wide')).toMatchObject({ defaultStyle: { name: 'line' } });
    expect(await postgis.query("SELECT to_regclass('wide') AS made")).toEqual([{ made: null }]);
  });

  it('are read-only in WFS, and are joined with tables', async () => {
    expect((await server.post(types, '{"featureType":{"name":"roads"}}')).status).toBe(201);
    const wfs = (query: string) => server.get(`//geoserver/wfs?service=WFS&${query}`);
    const { text } = await wfs('version=1.1.0&request=GetCapabilities');
    const change = await server.post(
      '//geoserver/wfs',
      `<Transaction service="WFS" version="2.0.0" xmlns="http://www.opengis.net/wfs/2.0"><Delete typeName="acme:wide"><Filter xmlns="http://www.opengis.net/fes/2.0"><PropertyIsEqualTo><ValueReference>name</ValueReference><Literal>b</Literal></PropertyIsEqualTo></Filter></Delete></Transaction>`,
      { type: 'text/xml' },
    );
    const condition = encodeURIComponent('INTERSECTS("r/geom", "w/geom") AND "r/lanes" < "w/both_ways"');
    const joined = await wfs(
      `version=2.0.0&request=GetFeature&typeNames=acme:roads,acme:wide&aliases=r,w&propertyName=r/name,w/both_ways&outputFormat=csv&cql_filter=${condition}`,
    );

    const operations = text
      .split('<FeatureType')
      .map((part) => [
        /<Name>(.*)<\/Name>/.exec(part)?.[1],
        part.includes('<Operations><Operation>Query</Operation></Operations>'),
      ]);
    expect(operations).toContainEqual(['acme:wide', true]);
    expect(operations).toContainEqual(['acme:roads', false]);
    expect([change.status, change.text]).toEqual([400, expect.stringContaining('based on an SQL query')]);
    expect(joined.text.split('\r\n').slice(0, 2)).toEqual([
      'FID,r.FID,r.name,w.FID,w.both_ways',
      expect.stringMatching(/^roads\.2\+wide\.\S+,roads\.2,b,wide\.\S+,8$/),
    ]);
  });

  it('do not require a geometry definition if the data has one', async () => {
    await server.post(types, typeOf('plain', { sql: 'select lanes, geom from roads;' }));

    expect(await readResource(server, `${types}/plain`)).toMatchObject({ srs: 'EPSG:25832' });
    expect(await attributesOf('plain')).toEqual([
      ['lanes', 'Short'],
      ['geom', 'Geometry'],
    ]);
  });

  it.each(['json', 'xml'])('are unchanged by their own document in %s', async (format) => {
    const sql = "with r as (select * from roads)\nselect name, geom from r where name <> '<&;>'";
    const parameter = [{ name: 'low', defaultValue: 1, regexpValidator: '\\d+' }, { name: 'high' }];
    await server.post(types, typeOf(`same_${format}`, { sql, escapeSql: true, parameter }));
    const before = await server.get(`${types}/same_${format}.${format}`);
    const position = await server.server.storage.position();

    const reply = await server.put(`${types}/same_${format}`, before.text, { type: `application/${format}` });

    expect([reply.status, reply.text]).toEqual([200, '']);
    expect((await server.get(`${types}/same_${format}.${format}`)).text).toBe(before.text);
    expect(await server.server.storage.position()).toBe(position);
  });

  it('use the defaults of their parameters if the validation pattern allows them', async () => {
    const sql = "select name, geom from roads where lanes >= %lanes% and name like '%%who%' and name <> '100%'";
    const parameter = (defaultValue: string, regexpValidator?: string) => [
      { name: 'lanes', defaultValue: '3' },
      { name: 'who', defaultValue, ...(regexpValidator === undefined ? {} : { regexpValidator }) },
    ];

    expect((await server.post(types, typeOf('asked', { sql, parameter: parameter('b') }))).status).toBe(201);
    const refused = await server.post(types, typeOf('asked2', { sql, parameter: parameter("b' or 'a'='a") }));
    const allowed = await server.post(
      types,
      typeOf('asked3', { sql, parameter: parameter("o'b", ".*'.*"), escapeSql: true }),
    );
    const broken = await server.post(types, typeOf('asked4', { sql, parameter: parameter('b', '(') }));

    expect(await readResource(server, `${types}/asked`)).toMatchObject({ nativeBoundingBox: { minx: 600_000 } });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('does not match')]);
    expect(allowed.status).toBe(201);
    expect([broken.status, broken.text]).toEqual([400, expect.stringContaining("parameter 'who'")]);
  });

  it.each([
    ['an unknown table', { sql: 'select * from nowhere' }, 'does not exist'],
    ['a syntax error', { sql: 'select from where' }, 'syntax error'],
    ['a division by zero', { sql: 'select 1/0 as x, geom from roads' }, 'division by zero'],
    ['another statement', { sql: 'drop table roads' }, 'SELECT or WITH'],
    ['two statements', { sql: 'select 1 as x; drop table roads' }, 'single statement'],
    ['two statements after a bracket', { sql: 'select 1 as x) as v; drop table roads; --' }, 'single statement'],
    [
      'two statements that look like a quoted text',
      { sql: 'select 1 as a$b$) as v; drop table roads; select * from (select 1 as a$b$' },
      'multiple commands',
    ],
    ['a nested statement', { sql: 'with d as (delete from roads returning *) select * from d' }, 'data-modifying'],
    [
      'a function that writes',
      { sql: "select nextval('roads_id_seq') as x, geom from roads" },
      'read-only transaction',
    ],
    [
      'a change of the transaction mode',
      { sql: "select set_config('transaction_read_only','off',false), geom from roads" },
      'read-write mode',
    ],
    ['two columns of the same name', { sql: 'select name, name from roads' }, 'two columns with the same name'],
    ['an unknown geometry', { sql: 'select name from roads', geometry: { name: 'geom' } }, "no column 'geom'"],
    ['an invalid geometry', { sql: 'select name from roads', geometry: { name: 'name' } }, 'is not a geometry'],
    ['an unknown key', { sql: 'select name from roads', keyColumn: 'id' }, "no column 'id'"],
    ['an invalid type', { sql: 'select geom from roads', geometry: { name: 'geom', type: 'Blob' } }, "'Blob'"],
    ['an invalid srid', { sql: 'select geom from roads', geometry: { name: 'geom', srid: 'x' } }, "srid 'x'"],
    ['no query', { sql: ' ' }, 'it has no sql'],
    ['a query over the size limit', { sql: `select ${'1,'.repeat(60_000)} 1` }, 'exceeds 100000 characters'],
    ['too many parameters', { sql: 'select 1 as x', parameter: Array(101).fill({ name: 'p' }) }, 'more than 100'],
    ['an invalid flag', { sql: 'select 1 as x', escapeSql: 'x' }, 'escapeSql must be true or false'],
  ])('are rejected for %s', async (_what, table, message) => {
    const reply = await server.post(types, typeOf('bad', table));

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
    expect(await postgis.query('SELECT count(*)::int AS count FROM roads')).toEqual([{ count: 2 }]);
  });

  it('leave no state on the connection that they used', async () => {
    const sql =
      "select set_config('default_transaction_read_only','off',false) as was, pg_advisory_lock(7) as locked, geom from roads";

    expect((await server.post(types, typeOf('sly', { sql }))).status).toBe(201);

    const left =
      "select current_setting('default_transaction_read_only') as x where current_setting('default_transaction_read_only') = 'off'";
    await server.post(types, typeOf('after', { sql: `select geom from roads where exists (${left})` }));
    expect(await readResource(server, `${types}/after`)).not.toHaveProperty('nativeBoundingBox');
    // Other users of the same database server may hold locks.
    const locked = `SELECT count(*)::int AS count FROM pg_locks JOIN pg_database d ON d.oid = database
      WHERE locktype = 'advisory' AND objid = 7 AND d.datname = current_database()`;
    expect(await postgis.query(locked)).toEqual([{ count: 0 }]);
  });

  it('are described again when their query changes, also by a client that sends the whole document', async () => {
    await server.post(types, typeOf('turned', { sql: 'select name, geom from roads where lanes = 2' }));
    const read = await server.get(`${types}/turned.json`);
    expect(await readResource(server, `${types}/turned`)).toMatchObject({ nativeBoundingBox: { maxx: 500_100 } });

    const changed = read.text.replace(
      'select name, geom from roads where lanes = 2',
      'select lanes, ST_Transform(geom, 4326) as geom from roads where lanes = 4',
    );
    const reply = await server.put(`${types}/turned`, changed);

    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(await attributesOf('turned')).toEqual([
      ['lanes', 'Short'],
      ['geom', 'Geometry'],
    ]);
    const turned = await readResource(server, `${types}/turned`);
    expect(turned).toMatchObject({ srs: 'EPSG:4326', latLonBoundingBox: turned['nativeBoundingBox'] });
    expect((await server.put(`${types}/turned`, typeOf('turned', { sql: 'select nothing' }))).status).toBe(400);
  });

  it('are recomputed from the data on request', async () => {
    await server.post(types, typeOf('growing', { sql: "select name, geom from roads where name like 'g%'" }));
    expect(await readResource(server, `${types}/growing`)).not.toHaveProperty('nativeBoundingBox');
    await postgis.query(
      "INSERT INTO roads (name, geom) VALUES ('g', ST_SetSRID('LINESTRING(1 2, 3 4)'::geometry, 25832))",
    );

    await server.put(`${types}/growing?recalculate=nativebbox,latlonbbox,attributes`, '<featureType/>');

    expect(await readResource(server, `${types}/growing`)).toMatchObject({ nativeBoundingBox: { minx: 1, maxy: 4 } });
    await postgis.query("DELETE FROM roads WHERE name = 'g'");
  });

  it('become ordinary types when their query is removed, if a table of their name exists', async () => {
    await server.post(types, typeOf('gone', { sql: 'select name, geom from roads' }));
    await server.post(types, typeOf('roads', { sql: 'select name from roads' }));

    const without = await server.put(`${types}/gone`, '{"featureType":{"metadata":null}}');
    const ordinary = await server.put(`${types}/roads`, '{"featureType":{"metadata":null}}');

    expect([without.status, without.text]).toEqual([400, expect.stringContaining("no type named 'gone'")]);
    expect(ordinary.status).toBe(200);
    expect(await attributesOf('roads')).toEqual([
      ['name', 'String'],
      ['lanes', 'Short'],
      ['geom', 'Geometry'],
    ]);
    await server.delete(`${types}/roads?recurse=true`);
  });

  it('hide no table of the same name, and drop nothing when they are deleted', async () => {
    await server.post(types, typeOf('roads', { sql: 'select name from roads' }));

    expect((await server.get(`${types}.json?list=available`)).text).toContain('"roads"');
    expect((await server.delete(`${types}/roads?recurse=true`)).status).toBe(200);
    expect(await postgis.query('SELECT count(*)::int AS count FROM roads')).toEqual([{ count: 2 }]);
  });

  it('are limited to administrators of the workspace', async () => {
    const anna = await addUser(server, 'anna', 'ROLE_ANNA');
    const otto = await addUser(server, 'otto', 'ROLE_OTTO');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ANNA"}');
    const body = typeOf('annas', { sql: 'select name from roads' });

    const refused = await server.post(types, body, { as: otto });
    const created = await server.post(types, body, { as: anna });

    expect([403, 404]).toContain(refused.status);
    expect([created.status, created.text]).toEqual([201, 'annas']);
  });

  it('do not share their names with other types', async () => {
    await server.post(types, typeOf('taken', { sql: 'select name from roads' }));

    expect((await server.post(types, typeOf('taken', { sql: 'select lanes from roads' }))).status).toBe(409);
  });
});

describe('virtual tables of stores that are not databases', () => {
  const server = useTestServer();

  it('are rejected with the required store type', async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, `${stores}/shapes/file.shp`, zipOf({ a: pointShapefile() }));
    const body = typeOf('v', { sql: 'select * from a' });

    const created = await server.post(`${stores}/shapes/featuretypes`, body);
    const changed = await server.put(`${stores}/shapes/featuretypes/a`, body.replace('"name":"v",', ''));

    expect([created.status, created.text]).toEqual([
      400,
      expect.stringContaining('Virtual tables require a PostGIS, MySQL or MariaDB store'),
    ]);
    expect([changed.status, changed.text]).toEqual([
      400,
      expect.stringContaining('Virtual tables require a PostGIS, MySQL or MariaDB store'),
    ]);
    expect(await featureTypes(server, 'acme/shapes')).toEqual(['a']);
  });
});
