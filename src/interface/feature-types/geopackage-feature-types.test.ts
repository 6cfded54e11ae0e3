import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { answered } from '../../../test/support/dry-run.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { readResource } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';

describe('feature types of a GeoPackage', () => {
  const server = useTestServer();
  const types = `${stores}/pack/featuretypes`;
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const parameters = '<dbtype>geopkg</dbtype><database>file:data/pack.gpkg</database>';
    const store = `<dataStore><name>pack</name><connectionParameters>${parameters}</connectionParameters></dataStore>`;
    expect((await server.post(stores, store)).status).toBe(201);
  });

  it('are created as empty tables with the right columns', async () => {
    const attribute = (name: string, binding: string) =>
      `<attribute><name>${name}</name><binding>${binding}</binding></attribute>`;
    const reply = await server.post(
      types,
      `<featureType><name>annotations</name><nativeName>annotations</nativeName><title>Annotations</title><srs>EPSG:4326</srs><attributes>${[
        attribute('the_geom', 'com.vividsolutions.jts.geom.Point'),
        attribute('description', 'java.lang.String'),
        attribute('timestamp', 'java.util.Date'),
      ].join('')}</attributes></featureType>`,
      { type: 'text/xml' },
    );

    expect(reply).toMatchObject({ status: 201, text: 'annotations' });
    expect(await readResource(server, `${types}/annotations`)).toMatchObject({
      title: 'Annotations',
      srs: 'EPSG:4326',
      attributes: {
        attribute: expect.arrayContaining([
          expect.objectContaining({ name: 'the_geom', binding: 'org.locationtech.jts.geom.Point' }),
          expect.objectContaining({ name: 'description', binding: 'java.lang.String' }),
          expect.objectContaining({ name: 'timestamp', binding: 'java.sql.Timestamp' }),
        ]),
      },
    });
    expect(await readResource(server, '/layers/annotations')).toMatchObject({ defaultStyle: { name: 'point' } });
    const database = new DatabaseSync(join(server.dataDir, 'data/pack.gpkg'), { readOnly: true });
    const columns = database.prepare("SELECT name FROM pragma_table_info('annotations')").all();
    database.close();
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['the_geom', 'description', 'timestamp']));
  });

  it('are returned with the resulting column types', async () => {
    const attribute = [
      { name: 'exact', binding: 'java.math.BigDecimal', description: 'In metres' },
      { name: 'id', binding: 'java.util.UUID' },
    ];

    await server.post(types, JSON.stringify({ featureType: { name: 'near', attributes: { attribute } } }));

    expect(await readResource(server, `${types}/near`)).toMatchObject({
      attributes: {
        attribute: [
          { name: 'exact', binding: 'java.lang.Double', description: 'In metres' },
          { name: 'id', binding: 'java.lang.String', length: 36 },
        ],
      },
    });
  });

  it('are created once by concurrent requests', async () => {
    const body =
      '{"featureType":{"name":"race","attributes":{"attribute":{"name":"n","binding":"java.lang.Integer"}}}}';

    const replies = await Promise.all(Array.from({ length: 8 }, () => server.post(types, body)));

    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    expect((await server.get(`${types}.json?list=all`)).text).toContain('"race"');
  });

  it('are created only by the real request, which has the same response as the dry run before it', async () => {
    const parameters = '<dbtype>geopkg</dbtype><database>file:data/tried.gpkg</database>';
    await server.post(
      stores,
      `<dataStore><name>tried</name><connectionParameters>${parameters}</connectionParameters></dataStore>`,
    );
    const path = `${stores}/tried/featuretypes`;
    const body = (name: string) =>
      `{"featureType":{"name":"${name}","attributes":{"attribute":{"name":"n","binding":"java.lang.Integer"}}}}`;
    const tables = async () => (await server.get(`${path}.json?list=all`)).json();
    const files = () => readdir(join(server.dataDir, 'data'));

    const dry = await server.post(`${path}?dryRun=true`, body('first'));

    expect([dry.status, dry.headers['graticule-dry-run']]).toEqual([201, 'true']);
    expect(await files()).not.toContain('tried.gpkg');
    expect(answered(await server.post(path, body('first')))).toEqual(answered(dry));
    expect(await tables()).toEqual({ list: { string: ['first'] } });

    const more = await server.post(`${path}?dryRun=true`, body('second'));

    expect(await tables()).toEqual({ list: { string: ['first'] } });
    expect(answered(await server.post(path, body('second')))).toEqual(answered(more));
    expect(await tables()).toEqual({ list: { string: ['first', 'second'] } });
    expect((await files()).filter((name) => name.startsWith('tried'))).toEqual(['tried.gpkg']);
  });

  it('leave no table behind when they cannot be published', async () => {
    const body = {
      featureType: {
        name: 'undone',
        projectionPolicy: 'NONE',
        srs: 'EPSG:4326',
        attributes: { attribute: { name: 'n', binding: 'java.lang.Integer' } },
      },
    };
    await server.post(
      '/workspaces/acme/datastores/pack/featuretypes',
      JSON.stringify({ featureType: { ...body.featureType, name: 'first' } }),
    );

    const taken = { featureType: { ...body.featureType, name: 'first', nativeName: 'undone' } };
    expect((await server.post(types, JSON.stringify(taken))).status).toBe(409);

    expect((await server.get(`${types}.json?list=all`)).text).not.toContain('undone');
  });

  it('are published from an uploaded file', async () => {
    const bytes = await readFile(join(server.dataDir, 'data/pack.gpkg'));

    const reply = await server.request('PUT', `${stores}/uploaded/file.gpkg?configure=all`, {
      type: 'application/x-sqlite3',
      body: bytes,
      accept: 'application/json',
    });

    expect(reply.status).toBe(201);
    expect(reply.text).toContain('"annotations1"');
    expect(await readResource(server, `${stores}/uploaded`)).toMatchObject({ type: 'GeoPackage' });
  });
});
