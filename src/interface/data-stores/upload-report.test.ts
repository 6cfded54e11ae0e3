/** The report of an upload. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { uploadedFiles } from '../../../test/support/uploaded-files.ts';
import { pointShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';
const withoutPrj = () => {
  const { prj: _prj, ...others } = pointShapefile();
  return others;
};

describe('upload report', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, `${stores}/first/file.shp`, zipOf({ kantone: pointShapefile() }));
  });
  const upload = (path: string, accept: string, body = zipOf({ kantone: pointShapefile(), seen: pointShapefile() })) =>
    server.request('PUT', path, { type: 'application/zip', body, accept });

  it('lists in JSON the published types with their names and the other types', async () => {
    const reply = await upload(`${stores}/json/file.shp`, 'application/json');

    const base = 'http://localhost:80/geoserver/rest/workspaces/acme/datastores/json';
    expect(reply.status).toBe(201);
    expect(reply.json()).toEqual({
      upload: {
        store: { name: 'json', href: `${base}.json` },
        featureTypes: {
          featureType: [
            {
              name: 'kantone1',
              nativeName: 'kantone',
              srs: 'EPSG:4326',
              outcome: 'published',
              href: `${base}/featuretypes/kantone1.json`,
            },
          ],
        },
        unpublished: { string: ['seen'] },
        warnings: { string: [] },
      },
    });
  });

  it('contains counts, extents and values of the first feature with details=true', async () => {
    const reply = await upload(
      `${stores}/details/file.shp?dryRun=true&details=true`,
      'application/json',
      zipOf({ points: pointShapefile() }),
    );

    expect(reply.json()).toMatchObject({
      upload: {
        featureTypes: {
          featureType: [
            {
              name: 'points',
              geometryType: 'Point',
              count: 3,
              latLonBoundingBox: { minx: 10, miny: 50 },
              attributes: {
                attribute: [
                  { name: 'name', type: 'string', value: 'place 0' },
                  { name: 'rank', type: 'integer', value: '0' },
                  { name: 'seen', type: 'date', value: '2026-01-02' },
                ],
              },
            },
          ],
        },
      },
    });
  });

  it.each(['', '&target=gpkg'])('declares a stated CRS for data without one, as the same change %s', async (query) => {
    const path = `${stores}/stated${query.length}/file.shp?configure=all&details=true&srs=EPSG:2056${query}`;
    const reply = await upload(path, 'application/json', zipOf({ bare: withoutPrj(), known: pointShapefile() }));
    const unknown = await upload(path.replace('2056', '1'), 'application/problem+json');

    const { featureType } = (reply.json() as { upload: { featureTypes: { featureType: readonly object[] } } }).upload
      .featureTypes;
    const first = { name: 'name', type: 'string', value: 'place 0' };
    const shared = { count: 3, attributes: { attribute: expect.arrayContaining([first]) } };
    expect(featureType).toMatchObject([
      { nativeName: 'bare', srs: 'EPSG:2056', ...shared, latLonBoundingBox: expect.anything() },
      { nativeName: 'known', srs: 'EPSG:4326', ...shared },
    ]);
    expect(unknown).toMatchObject({ status: 400, text: expect.stringContaining('"field":"srs"') });
  });

  it('has the same content in XML', async () => {
    await upload(`${stores}/xml/file.shp`, 'application/xml', zipOf({ xml: pointShapefile() }));

    const reply = await upload(
      `${stores}/xml/file.shp`,
      'application/xml',
      zipOf({ xml: withoutPrj(), other: pointShapefile() }),
    );

    expect(reply.headers['content-type']).toBe('application/xml');
    expect(reply.text.replaceAll(/\s*<atom:link[^>]*>/g, '')).toBe(`<upload>
  <store>
    <name>xml</name>
  </store>
  <featureTypes>
    <featureType>
      <name>other</name>
      <nativeName>other</nativeName>
      <srs>EPSG:4326</srs>
      <outcome>published</outcome>
    </featureType>
    <featureType>
      <name>xml</name>
      <nativeName>xml</nativeName>
      <outcome>updated</outcome>
    </featureType>
  </featureTypes>
  <unpublished/>
  <warnings>
    <string>'xml' has no .prj file, so its coordinate reference system is unknown. Set the srs of the feature type.</string>
  </warnings>
</upload>
`);
  });

  it('has an HTML page', async () => {
    const reply = await upload(`${stores}/page/file.shp`, 'text/html', zipOf({ page: pointShapefile() }));

    expect(reply).toMatchObject({ status: 201, text: expect.stringContaining('Upload to the data store page') });
    expect(reply.text).toContain('featuretypes/page.html');
  });

  it('is plain text for a client that requests no format', async () => {
    const reply = await putZip(
      server,
      `${stores}/plain/file.shp`,
      zipOf({ kantone: withoutPrj(), b: pointShapefile() }),
    );
    const again = await putZip(server, `${stores}/plain/file.shp?configure=all`, zipOf({ kantone: pointShapefile() }));

    expect(reply.headers['content-type']).toMatch(/^text\/plain/);
    expect([reply.text, again.text]).toEqual([
      'Published acme:b (EPSG:4326).\nNot published: kantone. To publish one, POST a document such as {"featureType":{"name":"kantone"}} to /workspaces/acme/datastores/plain/featuretypes.\n',
      'Published acme:kantone2, named kantone in the data (EPSG:4326).\n',
    ]);
  });

  it('lists the layers of a GeoPackage that were not published', async () => {
    const shapefiles = { a: pointShapefile(), b: pointShapefile(), c: pointShapefile() };
    await putZip(server, `${stores}/pack/file.shp?target=gpkg&configure=none`, zipOf(shapefiles));
    const bytes = await readFile(join(await uploadedFiles(server, 'acme/pack'), 'pack.gpkg'));

    const reply = await server.request('PUT', `${stores}/layers/file.gpkg`, {
      body: bytes,
      accept: 'application/json',
    });

    expect(reply.json()).toMatchObject({
      upload: {
        featureTypes: { featureType: [{ name: 'a', outcome: 'published' }] },
        unpublished: { string: ['b', 'c'] },
      },
    });
  });

  it('lists the tables that were filled and not published', async () => {
    const path = `${stores}/tables/file.shp?target=gpkg&configure=none`;

    const reply = await upload(path, 'application/json', zipOf({ one: pointShapefile(), two: pointShapefile() }));

    expect(reply.json()).toMatchObject({
      upload: { featureTypes: { featureType: [] }, unpublished: { string: ['one', 'two'] } },
    });
  });
});

describe('an upload with missing files', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  it.each(['', '&target=gpkg'])('has warnings in headers and in the report %s', async (query) => {
    const { shp = Buffer.alloc(0), shx = Buffer.alloc(0) } = pointShapefile();

    const reply = await server.request('PUT', `${stores}/bare${query.length}/file.shp?configure=all${query}`, {
      body: zipOf({ bare: { shp, shx } }),
      accept: 'application/json',
    });

    const warnings = [
      "'bare' has no .prj file, so its coordinate reference system is unknown. Set the srs of the feature type.",
      "'bare' has no .dbf file, so its features have no attributes.",
    ];
    expect(reply.json()).toMatchObject({ upload: { warnings: { string: warnings } } });
    for (const warning of warnings) {
      expect(String(reply.headers['warning'])).toContain(`199 - "${warning}"`);
    }
  });
});

describe('an upload in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });
  beforeAll(async () => {
    const created = await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    expect([created.status, created.text]).toEqual([201, 'acme']);
  });

  it('returns an empty body unless the client requests a format', async () => {
    const body = zipOf({ towns: pointShapefile() });

    const plain = await putZip(server, `${stores}/towns/file.shp`, body);
    const named = await server.request('PUT', `${stores}/towns/file.shp`, { body, accept: 'application/json' });

    expect(plain).toMatchObject({ status: 201, text: '' });
    expect(named.json()).toMatchObject({ upload: { store: { name: 'towns' } } });
  });
});
