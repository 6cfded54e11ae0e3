/** Data rules on tables that files cannot have. */
import { beforeAll, expect, it } from 'vitest';
import { postgisParameters } from '../../../test/support/postgis-sources.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

describeWithPostgis('data rules on a table with two geometries', (postgis) => {
  const server = useTestServer();
  let ann = '';
  beforeAll(async () => {
    await postgis.query(
      'CREATE TABLE plots (id serial PRIMARY KEY, shape geometry(Polygon, 4326), plan geometry(Polygon, 3857))',
    );
    await postgis.query(
      "INSERT INTO plots (shape, plan) SELECT box, ST_Transform(box, 3857) FROM (SELECT ST_GeomFromText('POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0))', 4326) AS box) AS boxes",
    );
    await server.post('/workspaces', '{"workspace":{"name":"land"}}');
    const connectionParameters = postgisParameters(postgis.connection);
    const dataStore = JSON.stringify({ dataStore: { name: 'data', connectionParameters } });
    expect((await server.post('/workspaces/land/datastores', dataStore)).status).toBe(201);
    const published = await server.post(
      '/workspaces/land/datastores/data/featuretypes',
      '{"featureType":{"name":"plots"}}',
    );
    expect(published.status, published.text).toBe(201);
    ann = await addUser(server, 'ann', 'FIELD');
  });

  it('clip each geometry in its own coordinate reference system', async () => {
    const area = { geometry: 'POLYGON ((-1 -1, 1 -1, 1 3, -1 3, -1 -1))', mode: 'clip' };
    const dataRule = { name: 'part', layer: 'land:plots', roles: ['FIELD'], area };
    expect((await server.post('/security/acl/data', JSON.stringify({ dataRule }))).status).toBe(201);

    const { text } = await server.get(
      '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=land:plots',
      { as: ann },
    );
    const rings = [...text.matchAll(/<gml:posList[^>]*>([^<]*)/g)].map(([, list = '']) => list.split(' ').map(Number));
    // Both are sent in the CRS of the layer, with latitude before longitude.
    const boxes = rings.map((ring) => [
      ...[0, 1].map((axis) => Math.min(...ring.filter((_, at) => at % 2 === axis))),
      ...[0, 1].map((axis) => Math.max(...ring.filter((_, at) => at % 2 === axis))),
    ]);
    expect(boxes.map((box) => box.map((each) => Math.round(each * 1e6) / 1e6))).toEqual([
      [0, 0, 2, 1],
      [0, 0, 2, 1],
    ]);
  });
});

describeWithPostgis('data rules on a table that another program has changed', (postgis) => {
  const server = useTestServer();

  it('match no row if a column is missing, and the doctor reports them when it connects to the store', async () => {
    await postgis.query(
      'CREATE TABLE lots (id serial PRIMARY KEY, dept text, size integer, note text, shape geometry(Polygon, 4326))',
    );
    await postgis.query("INSERT INTO lots (dept, size, note) VALUES ('red', 1, 'a')");
    await server.post('/workspaces', '{"workspace":{"name":"land"}}');
    const connectionParameters = postgisParameters(postgis.connection);
    await server.post(
      '/workspaces/land/datastores',
      JSON.stringify({ dataStore: { name: 'data', connectionParameters } }),
    );
    const published = await server.post(
      '/workspaces/land/datastores/data/featuretypes',
      '{"featureType":{"name":"lots"}}',
    );
    expect(published.status, published.text).toBe(201);
    for (const dataRule of [
      { name: 'by-dept', layer: 'land:lots', roles: ['FIELD'], rows: "dept = 'red'" },
      { name: 'by-size', layer: 'land:lots', roles: ['ADMIN'], rows: 'size > 0', attributes: { note: 'hide' } },
      { name: 'everywhere', layer: 'land:*', roles: ['FIELD'], rows: "dept = 'red'" },
    ]) {
      expect((await server.post('/security/acl/data', JSON.stringify({ dataRule }))).status).toBe(201);
    }
    const ann = await addUser(server, 'ann', 'FIELD');
    const countRows = async () => {
      const hits = 'service=WFS&version=2.0.0&request=GetFeature&typeNames=land:lots&resultType=hits';
      return /numberMatched="(\d+)"/.exec((await server.get(`//geoserver/wfs?${hits}`, { as: ann })).text)?.[1];
    };
    const listProblems = async (query: string) => {
      const { problems } = (await server.get(`/doctor${query}`)).json() as {
        problems: { code: string; path: string; message: string }[];
      };
      return problems
        .filter(({ path }) => path?.startsWith('/security/acl/data/'))
        .map(({ code, message }) => [code, message]);
    };
    expect([await countRows(), await listProblems('?connect=true')]).toEqual(['1', []]);

    await postgis.query('ALTER TABLE lots DROP COLUMN dept, DROP COLUMN note');
    expect(await listProblems('')).toEqual([]);
    expect(await listProblems('?connect=true')).toEqual([
      [
        'data-rule-unusable',
        expect.stringContaining(
          "'by-dept' matches no row, because it cannot be evaluated. Invalid 'dataRule.rows': line 1, column 1: unknown attribute 'dept'",
        ),
      ],
      [
        'data-rule-attribute-missing',
        "The data rule 'by-size' names the attribute 'note', which the data lacks. Remove it from the rule and from the layer.",
      ],
    ]);
    await server.put('/workspaces/land/datastores/data/reset', '');
    expect(await countRows()).toBe('0');
  });
});
