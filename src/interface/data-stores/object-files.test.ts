/** Stores over FlatGeobuf and GeoParquet files in S3-compatible object stores. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { encodeFlatgeobuf } from '../../../test/support/flatgeobuf-files.ts';
import { credentialVariables, startObjectStore, type TestObjectStore } from '../../../test/support/object-store.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { hashBytes } from '../../storage/blobs/port.ts';
import { S3Store } from '../../storage/objects/s3-store.ts';

const fixture = new URL('../../../test/fixtures/geoparquet/areas-zstd.parquet', import.meta.url).pathname;

let objects: TestObjectStore;
let port: string;
const server = useTestServer({
  environment: credentialVariables,
  resolveHost: async () => [{ address: '127.0.0.1', family: 4 }],
});

beforeAll(async () => {
  objects = await startObjectStore();
  port = new URL(/endpoint=([^&]+)/.exec(objects.address)?.[1] ?? '').port;
  const spots = await encodeFlatgeobuf({
    attributes: [geometryColumn('Point', 'EPSG:4326'), column('name', 'string')],
    rows: [
      [wkt('POINT (10 54)'), 'Kiel'],
      [wkt('POINT (7 51)'), 'Bonn'],
    ],
  });
  const store = new S3Store(objects.options(''));
  for (const [key, bytes] of [
    ['data/spots.fgb', spots],
    ['data/areas.parquet', await readFile(fixture)],
  ] as const) {
    await store.put(key, { kind: 'bytes', bytes, hash: hashBytes(bytes) });
  }
  store.close();
  await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
  await allow('requests', `^http://s3\\.example\\.test:${port}/.*$`);
});
afterAll(() => objects.close());

const allow = (name: string, regex: string) =>
  server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name, regex, enabled: true } }));

const createStore = (name: string, dbtype: string, parameter: string) => {
  const location = `s3://maps/data/${name}?endpoint=http://s3.example.test:${port}`;
  const entry = [
    { '@key': 'dbtype', $: dbtype },
    { '@key': parameter, $: location },
  ];
  const dataStore = { name: dbtype, connectionParameters: { entry } };
  return server.post('/workspaces/acme/datastores?validate=connect', JSON.stringify({ dataStore }));
};

it('rejects a store without a check of the location, without a request', async () => {
  const before = objects.requests.length;

  const { status, text } = await createStore('spots.fgb', 'fgb', 'file');

  expect([status, objects.requests.length]).toEqual([403, before]);
  expect(text).toContain('a check at /urlchecks, such as ^s3://maps/.*$');
});

it.each([
  ['spots.fgb', 'fgb', 'file', 'spots', 'Bonn'],
  ['areas.parquet', 'geoparquet', 'uri', 'areas', 'Straße'],
])('publishes %s and reads its features by signed requests', async (file, dbtype, parameter, type, name) => {
  await allow('bucket', '^s3://maps/data/.*$');
  const created = await createStore(file, dbtype, parameter);
  expect([created.status, created.text]).toEqual([201, dbtype]);
  const published = await server.post(
    `/workspaces/acme/datastores/${dbtype}/featuretypes`,
    JSON.stringify({ featureType: { name: type, nativeName: type } }),
  );
  expect([published.status, published.text]).toEqual([201, type]);

  const reply = await server.get(
    `//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=acme:${type}&outputFormat=application/json`,
  );

  const { features } = reply.json() as { readonly features: readonly { properties: { name: string } }[] };
  expect(features.map(({ properties }) => properties.name)).toContain(name);
});
