/** Storages with every type of content, and everything that clients can read from them. */
import { zipOfFiles } from './raster-samples.ts';
import type { TestServer } from './test-server.ts';
import { granuleBytes } from './tiff-bytes.ts';
import { pointShapefile, zipOf } from './vector-samples.ts';

/** Fills a storage with every type of content. */
export async function fillStorage(server: TestServer): Promise<void> {
  const archive = (body: Buffer) => ({ type: 'application/zip', body });
  await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
  await server.request(
    'PUT',
    '/workspaces/acme/datastores/towns/file.shp',
    archive(zipOf({ towns: pointShapefile() })),
  );
  await server.request(
    'PUT',
    '/workspaces/acme/coveragestores/water/file.imagemosaic',
    archive(zipOfFiles({ 'a.tif': granuleBytes({ left: 10, top: 45, pixel: 0.25, epsg: 4326 }) })),
  );
  await server.request('POST', '/styles?name=lines', {
    type: 'application/vnd.graticule.geocss+css',
    body: '* { stroke: navy; }',
  });
  await server.put('/workspaces/acme/datastores/towns', '{"dataStore":{"description":"all of them"}}');
}

/** Everything that clients can read. */
export async function readEverything(
  server: TestServer,
): Promise<readonly (readonly [string, number, string | undefined, string])[]> {
  const paths = [
    '/workspaces/acme.json',
    '/workspaces/acme/datastores/towns.json',
    '/workspaces/acme/datastores/towns/featuretypes/towns.json',
    '/workspaces/acme/coveragestores/water/coverages/water/index/granules.json',
    '/styles/lines.sld',
    '/history.json',
    '/security/usergroup/users.json',
    '//geoserver/ogc/features/v1/collections/acme:towns/items?f=json',
  ];
  const seen: [string, number, string | undefined, string][] = [];
  for (const path of paths) {
    const { status, headers, text } = await server.get(path);
    seen.push([path, status, headers['etag'], text.replaceAll(/"timeStamp":"[^"]*"/g, '')]);
  }
  return seen;
}
