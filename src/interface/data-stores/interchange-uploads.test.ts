/** Uploads of interchange files, imported into a GeoPackage of the store or into its database. */
import { beforeAll, describe, expect, it } from 'vitest';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

const geojson = JSON.stringify({
  type: 'FeatureCollection',
  features: [1, 2].map((n) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [n, 50] },
    properties: { name: `place ${n}`, number: n },
  })),
});
const csv = 'name,number,lon,lat\nplace 1,1,1,50\nplace 2,2,2,50\n';
const kml =
  '<kml xmlns="http://www.opengis.net/kml/2.2"><Document>' +
  [1, 2]
    .map(
      (n) =>
        `<Placemark><name>place ${n}</name><ExtendedData><Data name="number"><value>${n}</value></Data></ExtendedData><Point><coordinates>${n},50</coordinates></Point></Placemark>`,
    )
    .join('') +
  '</Document></kml>';

const stores = '/workspaces/acme/datastores';
const uploads = [
  ['geojson', 'application/geo+json', geojson],
  ['csv', 'text/csv', csv],
  ['kml', 'application/vnd.google-earth.kml+xml', kml],
] as const;

describe('an interchange file', () => {
  const server = useTestServer();
  beforeAll(() => server.post('/workspaces', '{"workspace":{"name":"acme"}}'));

  it.each(uploads)(
    'of the format %s is imported as a table of a GeoPackage and published',
    async (format, type, body) => {
      const reply = await server.request('PUT', `${stores}/from-${format}/file.${format}?filename=${format}-places`, {
        type,
        body,
      });

      expect(reply.status, reply.text).toBe(201);
      expect(reply.text).toContain(`Published acme:${format}-places`);
      expect((await server.get(`${stores}/from-${format}.json`)).json()).toMatchObject({
        dataStore: { type: 'GeoPackage' },
      });
      expect((await server.get(`${stores}/from-${format}/featuretypes/${format}-places.json`)).json()).toMatchObject({
        featureType: {
          srs: 'EPSG:4326',
          nativeBoundingBox: { minx: 1, maxx: 2, miny: 50, maxy: 50 },
          attributes: {
            attribute: expect.arrayContaining([
              expect.objectContaining({ name: 'name', binding: 'java.lang.String' }),
              expect.objectContaining({ name: 'number', binding: 'java.lang.Integer' }),
            ]),
          },
        },
      });
    },
  );

  it('may be in an archive, and is added to the existing tables', async () => {
    const [first, second] = ['towns', 'lakes'].map((name) => zipOfFiles({ [`${name}.geojson`]: Buffer.from(geojson) }));

    const made = await server.request('PUT', `${stores}/joined/file.geojson`, {
      type: 'application/zip',
      body: first ?? '',
    });
    const joined = await server.request('PUT', `${stores}/joined/file.geojson`, {
      type: 'application/zip',
      body: second ?? '',
    });

    expect([made.status, joined.status], joined.text).toEqual([201, 201]);
    expect((await server.get(`${stores}/joined/featuretypes.json?list=all`)).json()).toEqual({
      list: { string: ['lakes', 'towns'] },
    });
  });

  it('may be in an archive with others, which are imported atomically', async () => {
    const put = (query: string, files: Readonly<Record<string, Buffer>>) =>
      server.request('PUT', `${stores}/several/file.geojson${query}`, {
        type: 'application/zip',
        body: zipOfFiles(files),
      });
    const text = Buffer.from(geojson);

    const all = await put('?configure=all', { 'one.geojson': text, 'two.geojson': text, 'notes.txt': Buffer.from('') });
    const first = await put('', { 'three.geojson': text, 'four.geojson': text });
    const broken = await put('', { 'five.geojson': text, 'six.geojson': Buffer.from('broken') });
    const apart = await put('', { 'a/five.geojson': text, 'b/six.geojson': text });

    expect([all.status, all.text]).toEqual([201, expect.stringMatching(/Published acme:one .*\n?Published acme:two/)]);
    expect([first.status, first.text]).toEqual([201, expect.stringContaining('Not published: three')]);
    expect([broken.status, broken.text]).toEqual([400, expect.stringContaining("'six.geojson'")]);
    expect([apart.status, apart.text]).toEqual([400, expect.stringContaining('several folders')]);
    expect((await server.get(`${stores}/several/featuretypes.json?list=all`)).json()).toEqual({
      list: { string: ['four', 'one', 'three', 'two'] },
    });
  });

  it('of CSV with only a header row is published as an empty point layer', async () => {
    const put = (query: string, body: string) =>
      server.request('PUT', `${stores}/plan/file.csv?filename=planned${query}`, { type: 'text/csv', body });

    const made = await put('', 'name,lon,lat\n');
    const filled = await put('&update=append', 'name,lon,lat\nplace,7,50\n');

    expect([made.status, filled.status], `${made.text} ${filled.text}`).toEqual([201, 201]);
    expect((await server.get(`${stores}/plan/featuretypes/planned.json`)).json()).toMatchObject({
      featureType: {
        srs: 'EPSG:4326',
        attributes: {
          attribute: [
            expect.objectContaining({ name: 'geom', binding: 'org.locationtech.jts.geom.Point' }),
            expect.objectContaining({ name: 'name', binding: 'java.lang.String' }),
          ],
        },
      },
    });
    expect((await server.get('/layers/acme:planned.json')).json()).toMatchObject({ layer: { type: 'VECTOR' } });
  });

  it('of CSV with only a header row keeps the position of geometry texts', async () => {
    const made = await server.request('PUT', `${stores}/texts/file.csv?filename=texts`, {
      type: 'text/csv',
      body: 'name,wkt\n',
    });

    expect([made.status, made.text]).toEqual([201, expect.stringContaining('Published acme:texts')]);
    expect((await server.get(`${stores}/texts/featuretypes/texts.json`)).json()).toMatchObject({
      featureType: {
        attributes: {
          attribute: [
            expect.objectContaining({ name: 'geom', binding: 'org.locationtech.jts.geom.Geometry' }),
            expect.objectContaining({ name: 'name', binding: 'java.lang.String' }),
          ],
        },
      },
    });
  });

  it('leaves nothing behind if it is damaged', async () => {
    const reply = await server.request('PUT', `${stores}/damaged/file.geojson`, {
      type: 'json',
      body: '{"type":"Feature"',
    });

    expect(reply.status).toBe(400);
    expect(reply.text).toContain('it is not valid JSON');
    expect((await server.get(`${stores}/damaged.json`)).status).toBe(404);
  });

  it('leaves nothing behind after a dry run', async () => {
    const reply = await server.request('PUT', `${stores}/tried/file.csv?dryRun=true`, { type: 'text/csv', body: csv });

    expect(reply.status, reply.text).toBe(201);
    expect((await server.get(`${stores}/tried.json`)).status).toBe(404);
  });
});

describeWithPostgis('an interchange file and a database', (postgis) => {
  const server = useTestServer();

  it('are combined into a table of the database', async () => {
    const { host, port, database, user, password } = postgis.connection;
    const parameters = { dbtype: 'postgis', host, port: String(port), database, user, passwd: password };
    const entry = Object.entries(parameters).map(([key, value]) => ({ '@key': key, $: value }));
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await server.post(stores, JSON.stringify({ dataStore: { name: 'db', connectionParameters: { entry } } }));

    const reply = await server.request('PUT', `${stores}/db/file.csv?filename=places`, { type: 'text/csv', body: csv });

    expect(reply.status, reply.text).toBe(201);
    expect(await postgis.query('SELECT name, number, ST_AsText(geom) AS place FROM places ORDER BY number')).toEqual([
      { name: 'place 1', number: 1, place: 'POINT(1 50)' },
      { name: 'place 2', number: 2, place: 'POINT(2 50)' },
    ]);
  });
});
