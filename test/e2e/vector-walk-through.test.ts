/** The walk-through of the interface against a running server: from a workspace to a table in the database. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pointShapefile, polygonShapefile, writeShapefiles, zipOf } from '../support/vector-samples.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { replyTo } from './http-client.ts';
import { type StartedServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function send(server: StartedServer, method: string, path: string, type: string, body: string | Buffer) {
  const request = server.client.open(method, path, {
    'content-type': type,
    'content-length': String(Buffer.byteLength(body)),
  });
  const reply = replyTo(request);
  request.end(body);
  return reply;
}

describeWithPostgis('the walk-through of the interface', (postgis) => {
  it('leads from a workspace to a created table, in XML, JSON and HTML', async () => {
    const server = await startServer();
    const folder = await writeShapefiles(join(await temporaryFolder(), 'shapes'), {
      counties: polygonShapefile(),
      stations: pointShapefile(),
    });
    await postgis.query('CREATE TABLE buildings (id serial PRIMARY KEY, geom geometry(Polygon, 4326), name text)');
    const stores = '/workspaces/acme/datastores';

    const workspace = await send(server, 'POST', '/workspaces', 'text/xml', '<workspace><name>acme</name></workspace>');
    expect(workspace.status).toBe(201);
    expect(workspace.headers['location']).toMatch(/\/workspaces\/acme$/);

    const uploaded = await send(
      server,
      'PUT',
      `${stores}/roads/file.shp`,
      'application/zip',
      zipOf({ roads: pointShapefile() }),
    );
    expect(uploaded.status).toBe(201);

    const external = `${stores}/shapes/external.shp?configure=all`;
    expect((await send(server, 'PUT', external, 'text/plain', `file://${folder}/`)).status).toBe(201);

    const { host, port, database, user, password } = postgis.connection;
    const parameters = { host, port, database, user, passwd: password, dbtype: 'postgis' };
    const store = Object.entries(parameters).map(([name, value]) => `<${name}>${value}</${name}>`);
    const document = `<dataStore><name>nyc</name><connectionParameters>${store.join('')}</connectionParameters></dataStore>`;
    expect((await send(server, 'POST', stores, 'text/xml', document)).status).toBe(201);

    const types = `${stores}/nyc/featuretypes`;
    const published = '<featureType><name>buildings</name></featureType>';
    expect((await send(server, 'POST', types, 'text/xml', published)).status).toBe(201);
    const created = `<featureType>
  <name>annotations</name>
  <nativeName>annotations</nativeName>
  <title>Annotations</title>
  <srs>EPSG:4326</srs>
  <attributes>
    <attribute><name>the_geom</name><binding>com.vividsolutions.jts.geom.Point</binding></attribute>
    <attribute><name>description</name><binding>java.lang.String</binding></attribute>
    <attribute><name>timestamp</name><binding>java.util.Date</binding></attribute>
  </attributes>
</featureType>`;
    expect((await send(server, 'POST', types, 'text/xml', created)).status).toBe(201);

    const reads: Readonly<Record<string, string>> = {
      '/workspaces/acme': 'acme',
      [stores]: 'nyc',
      [`${stores}/roads`]: 'Shapefile',
      [`${stores}/shapes`]: 'Shapefile',
      [`${stores}/nyc`]: 'PostGIS',
      [`${stores}/shapes/featuretypes`]: 'counties',
      [`${stores}/roads/featuretypes/roads`]: 'java.lang.Integer',
      [`${stores}/shapes/featuretypes/counties`]: 'org.locationtech.jts.geom.MultiPolygon',
      [`${stores}/shapes/featuretypes/stations`]: 'org.locationtech.jts.geom.Point',
      [`${types}/buildings`]: 'org.locationtech.jts.geom.Polygon',
      [`${types}/annotations`]: 'Annotations',
      '/layers': 'acme:annotations',
      '/layers/acme:buildings': 'polygon',
    };
    const pageWords: Readonly<Record<string, string>> = {
      'java.lang.Integer': 'integer',
      'org.locationtech.jts.geom.MultiPolygon': 'MultiPolygon',
      'org.locationtech.jts.geom.Point': 'Point',
      'org.locationtech.jts.geom.Polygon': 'Polygon',
    };
    for (const [path, expected] of Object.entries(reads)) {
      for (const format of ['xml', 'json', 'html']) {
        const reply = await server.request('GET', `${path}.${format}`);
        expect([path, format, reply.status]).toEqual([path, format, 200]);
        // Pages do not show class names.
        expect(reply.text).toContain(format === 'html' ? (pageWords[expected] ?? expected) : expected);
        expect(reply.text).not.toContain(password);
      }
    }
    const page = await server.request('GET', `${stores}/shapes.html`);
    expect(page.text).toContain('/featuretypes/counties.html');
    expect(page.text).toContain('/featuretypes/stations.html');

    expect(
      await postgis.query(
        "SELECT f_geometry_column AS name, type, srid FROM geometry_columns WHERE f_table_name = 'annotations'",
      ),
    ).toEqual([{ name: 'the_geom', type: 'POINT', srid: 4326 }]);
    expect(await postgis.query('SELECT count(*)::int AS count FROM annotations')).toEqual([{ count: 0 }]);
    expect((await server.stop()).code).toBe(0);
  });
});
