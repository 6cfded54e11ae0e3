/** The kinds of stores in the OpenAPI document of a server. */
import { describe, expect, it } from 'vitest';
import { createZip } from '../../console/pages/data/publish/zip.ts';
import { createStoreDocument, listStoreKinds } from '../../console/rest/store-kinds.ts';
import { useTestServer } from '../support/test-server.ts';
import { pointShapefile } from '../support/vector-samples.ts';

describe('kinds of stores', () => {
  const server = useTestServer();

  it('are read from OpenAPI, and their documents create stores', async () => {
    const openapi = (await server.get('/openapi.json')).json() as Parameters<typeof listStoreKinds>[0];
    const kinds = listStoreKinds(openapi);
    const geopackage = kinds.find(({ id }) => id === 'geopackage');

    expect(kinds.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['postgis', 'geopackage', 'shapefile', 'mongodb', 'wfs', 'raster', 'wms', 'wmts']),
    );
    expect(geopackage?.fixed).toEqual({ dbtype: 'geopkg' });
    expect(kinds.find(({ id }) => id === 'wms')?.fields[0]).toMatchObject({
      name: 'capabilitiesURL',
      title: 'Capabilities URL',
      isRequired: true,
    });
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    const document = createStoreDocument(geopackage ?? { collection: 'datastores', fixed: {} }, 'roads', {
      database: 'file:data/roads.gpkg',
      read_only: '',
    });
    const reply = await server.post('/workspaces/acme/datastores', JSON.stringify(document));
    expect([reply.status, reply.text]).toEqual([201, 'roads']);
  });

  it('the .prj files of the server declare the same CRS in shapefiles', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"prj"}}');
    const { prj: _prj, ...parts } = pointShapefile();
    for (const code of ['EPSG:4326', 'EPSG:25832', 'EPSG:2056', 'EPSG:3857', 'EPSG:27700']) {
      const wkt = (await server.get(`/crs/${code}.wkt`)).text;
      const zip = await createZip([
        ...Object.entries(parts).map(([extension, bytes]) => ({
          name: `it.${extension}`,
          content: new Blob([new Uint8Array(bytes)]),
        })),
        { name: 'it.prj', content: new Blob([wkt]) },
      ]);
      const reply = await server.request('PUT', '/workspaces/prj/datastores/it/file.shp?dryRun=true', {
        type: 'application/zip',
        accept: 'application/json',
        body: Buffer.from(await zip.arrayBuffer()),
      });
      expect(reply.json()).toMatchObject({ upload: { featureTypes: { featureType: [{ srs: code }] } } });
    }
  });
});
