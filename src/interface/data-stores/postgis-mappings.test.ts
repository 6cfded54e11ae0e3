/** Mappings over PostGIS: checked against its tables on upload, and readable on the page of a type. */
import { beforeAll, expect, it } from 'vitest';
import {
  attribute,
  createArchive,
  schemas,
  store,
  surveyMapping,
  typeMapping,
} from '../../../test/support/mapping-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { readResource } from '../../../test/support/vector-samples.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

const stores = '/workspaces/acme/datastores';

describeWithPostgis('a mapping over PostGIS', (postgis) => {
  const server = useTestServer();
  const database = (more: Readonly<Record<string, string>> = {}) => {
    const { host, port, database: name, user, password } = postgis.connection;
    return store('db', {
      dbtype: 'postgis',
      host,
      port: String(port),
      database: name,
      user,
      passwd: password,
      schema: 'survey',
      ...more,
    });
  };
  const holes = (table = 'holes', depth = 'metres') =>
    typeMapping(
      's:Borehole',
      table,
      [
        `        <AttributeMapping><targetAttribute>s:Borehole</targetAttribute><idExpression><OCQL>strConcat('bh.', id)</OCQL></idExpression></AttributeMapping>`,
        attribute('gml:name', 'title'),
        attribute('s:depth', depth),
        attribute('s:place', 'place'),
        `        <AttributeMapping><targetAttribute>s:drilled</targetAttribute><sourceExpression><OCQL>id</OCQL><linkElement>s:Event</linkElement><linkField>FEATURE_LINK</linkField></sourceExpression><isMultiple>true</isMultiple></AttributeMapping>`,
      ],
      'db',
    );
  const events = typeMapping('s:Event', 'events', [attribute('FEATURE_LINK', 'hole'), attribute('s:by', 'who')], 'db');
  const put = (name: string, types: readonly string[], storesXml = database()) =>
    server.request('PUT', `${stores}/${name}/file.appschema?configure=all`, {
      type: 'application/zip',
      body: createArchive({ ...schemas, 'main.appschema': surveyMapping(types, storesXml) }),
    });
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await postgis.query('CREATE SCHEMA survey');
    await postgis.query(
      'CREATE TABLE survey.holes (id int PRIMARY KEY, title text, metres double precision, place geometry(Point, 25832))',
    );
    await postgis.query('CREATE TABLE survey.events (id int PRIMARY KEY, hole int, who text)');
    await postgis.query(
      "INSERT INTO survey.holes VALUES (1, 'North', 120.5, ST_SetSRID(ST_MakePoint(500000, 5500000), 25832)), (2, 'South', 80, ST_SetSRID(ST_MakePoint(500100, 5500200), 25832))",
    );
    await postgis.query("INSERT INTO survey.events VALUES (1, 1, 'Ann'), (2, 1, 'Bob'), (3, 2, 'Cy')");
  });

  it('publishes its features with the extent and CRS of the table', async () => {
    const reply = await put('deep', [holes(), events]);

    expect([reply.status, reply.headers['warning'], reply.text]).toEqual([
      200,
      undefined,
      'Published acme:Borehole (EPSG:25832).\n',
    ]);
    expect(await readResource(server, `${stores}/deep/featuretypes/Borehole`)).toMatchObject({
      srs: 'EPSG:25832',
      nativeBoundingBox: { minx: 500000, maxx: 500100, miny: 5500000, maxy: 5500200 },
    });
    const { text } = await server.get(`${stores}/deep/featuretypes/Borehole.html`);
    for (const shown of ['bh.1', 'North', '120.5', 'Ann, Bob', 'bh.2', 'Cy']) expect(text).toContain(shown);
    expect(text).not.toContain(postgis.connection.password);
    await server.delete(`${stores}/deep?recurse=true`);
  });

  it('is rejected with an unknown table or column, and the error names file, mapping and line', async () => {
    const table = await put('wrong', [holes('wholes'), events]);
    const column = await put('wrong', [holes('holes', 'meters'), events]);

    expect([table.status, table.text]).toEqual([
      400,
      expect.stringMatching(
        /main\.appschema, line 12: The mapping of 's:Borehole' reads 'wholes', which does not exist in the store 'db'/,
      ),
    ]);
    expect([column.status, column.text]).toEqual([
      400,
      expect.stringMatching(
        /main\.appschema, line 19: The mapping of 's:Borehole' refers to the column 'meters'.*'metres'/,
      ),
    ]);
    expect((await server.get(`${stores}/wrong`)).status).toBe(404);
  });

  it('reports an unreachable database as a warning on upload and as an error on access', async () => {
    const reply = await put('down', [holes(), events], database({ port: '1' }));

    expect([reply.status, reply.headers['warning']]).toEqual([
      200,
      expect.stringContaining("The source data store 'db' of the mapping is unreachable"),
    ]);
    const type = `${stores}/down/featuretypes/Borehole`;
    expect((await server.get(`${type}.json`)).status).toBe(200);
    const recalculated = await server.put(`${type}?recalculate=nativebbox`, '<featureType/>');
    expect([recalculated.status, recalculated.text]).toEqual([502, expect.stringContaining('is unavailable')]);
    expect(recalculated.text).not.toContain(postgis.connection.password);
    await server.delete(`${stores}/down?recurse=true`);
  });
});
