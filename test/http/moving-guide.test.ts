/** The tables of the migration guide match the behaviour of the server. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { everyRoute } from '../support/every-route.ts';
import { groupOf, publishLayers } from '../support/layer-groups.ts';
import { zipOfFiles } from '../support/raster-samples.ts';
import { type TestServer, useTestServer } from '../support/test-server.ts';
import { granuleBytes } from '../support/tiff-bytes.ts';

const guide = await readFile(new URL('../../docs/guides/moving-from-geoserver.md', import.meta.url), 'utf8');

/** The rows of the table whose header starts with this text, cell by cell. */
function tableBelow(head: string): readonly (readonly string[])[] {
  const lines = guide.split('\n');
  const start = lines.findIndex((line) => line.startsWith(head)) + 2;
  const end = lines.findIndex((line, index) => index >= start && !line.startsWith('|'));
  return lines.slice(start, end).map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '')));
}

/** `/a/{b,c}` means both `/a/b` and `/a/c`. */
function expanded(path: string): readonly string[] {
  const [whole, choices] = /\{([^{}]*,[^{}]*)\}/.exec(path) ?? [];
  return whole === undefined ? [path] : (choices ?? '').split(',').flatMap((one) => expanded(path.replace(whole, one)));
}

/** Whether a route matches a path of the guide; a path without a leading slash may occur anywhere in the route. */
function isServed(written: string): boolean {
  const isAnchored = written.startsWith('/');
  const pattern = written
    .replace(/^(?:[A-Z]+ )?(?:…\/|\/)?/, '')
    .split('/')
    .map((part) => (part === '…' ? '.+' : part.includes('{') ? ':[^/]+' : part.replaceAll('.', '\\.')))
    .join('/');
  const address = new RegExp(`${isAnchored ? '^' : ''}/${pattern}(?:/|$)`);
  return everyRoute().some(({ route }) => address.test(route.path));
}

describe('the paths of the reference server', () => {
  const rows = tableBelow('| Path below').map(([paths = '', here = '']) => ({
    paths: [...paths.matchAll(/`([^`]+)`/g)].flatMap(([, path = '']) => expanded(path)),
    here,
  }));

  it('lists each path as supported or unsupported', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.map(({ here }) => here).filter((here) => !/^(?:yes|read|no)\b/.test(here))).toEqual([]);
  });

  it.each(rows.filter(({ here }) => !here.startsWith('no')))('$paths exist on this server', ({ paths }) => {
    expect(paths.filter((path) => !isServed(path))).toEqual([]);
  });

  it.each(rows.filter(({ here }) => here.startsWith('no')))(
    '$paths do not exist on this server, for a stated reason',
    ({ paths, here }) => {
      expect(paths.filter(isServed)).toEqual([]);
      expect(here).toMatch(/^no: \w.{15,}/);
    },
  );
});

/** The behaviour in each row of the table of differences: in the default mode, and in compat mode. */
const differences: Readonly<
  Record<string, readonly [(server: TestServer) => Promise<unknown>, byDefault: unknown, inCompat: unknown]>
> = {
  'No format requested (`Accept: */*`)': [
    async (server) => (await server.get('/workspaces', { accept: '*/*' })).headers['content-type'],
    expect.stringContaining('xml'),
    expect.stringContaining('json'),
  ],
  'An empty list in JSON': [
    async (server) => (await server.get('/workspaces/acme/coveragestores.json')).json(),
    { coverageStores: { coverageStore: [] } },
    { coverageStores: '' },
  ],
  'A list of one inside a JSON document': [
    async (server) => {
      await server.post('/layergroups', groupOf('single', ['acme:a']));
      return (await server.get('/layergroups/single.json')).json();
    },
    { layerGroup: expect.objectContaining({ publishables: { published: [expect.anything()] } }) },
    {
      layerGroup: expect.objectContaining({ publishables: { published: expect.objectContaining({ name: 'acme:a' }) } }),
    },
  ],
  Errors: [
    async (server) => (await server.get('/workspaces/nowhere', { accept: 'application/problem+json' })).text,
    expect.stringContaining('"code":"workspace-unknown"'),
    expect.stringMatching(/^No such workspace/),
  ],
  'Harvest into a mosaic': [
    async (server) => {
      await putMosaic(server, 'harvested');
      const body = zipOfFiles({ 'b.tif': granule(20) });
      const path = '/workspaces/other/coveragestores/harvested/file.imagemosaic';
      return (await server.request('POST', path, { type: 'application/zip', body })).status;
    },
    201,
    202,
  ],
  'A mosaic uploaded': [async (server) => (await putMosaic(server, 'uploaded')).status, 200, 201],
  // Tested with a mapping in src/interface/data-stores/mapping-uploads.test.ts.
  'A mapping uploaded, unless one file makes a new store': [async () => undefined, undefined, undefined],
  'Access rules added': [
    async (server) => (await server.post('/security/acl/layers', '{"acme.a.r":"READER"}')).status,
    201,
    200,
  ],
  'A workspace or store that is not empty': [
    async (server) => {
      await putMosaic(server, 'full');
      const paths = [
        '/workspaces/acme',
        '/workspaces/acme/datastores/s',
        '/workspaces/other/coveragestores/full',
        '/namespaces/acme',
      ];
      return Promise.all(paths.map(async (path) => (await server.delete(path)).status));
    },
    [403, 403, 403, 403],
    [403, 403, 401, 401],
  ],
  '`enabled: false` in a new store or feature type': [
    async (server) => {
      const store = {
        name: 'off',
        enabled: false,
        connectionParameters: { entry: { '@key': 'url', $: 'file:data/off/' } },
      };
      await server.post('/workspaces/acme/datastores', JSON.stringify({ dataStore: store }));
      return (await server.get('/workspaces/acme/datastores/off.json')).json();
    },
    { dataStore: expect.objectContaining({ enabled: false }) },
    { dataStore: expect.objectContaining({ enabled: true }) },
  ],
  'Access rules listed by a new server': [
    async (server) => Object.keys((await server.get('/security/acl/layers.json')).json() as object).includes('*.*.r'),
    false,
    true,
  ],
};

const granule = (left: number) => granuleBytes({ left, top: 45, pixel: 0.25, epsg: 4326 });

function putMosaic(server: TestServer, name: string): ReturnType<TestServer['request']> {
  const path = `/workspaces/other/coveragestores/${name}/file.imagemosaic`;
  return server.request('PUT', path, { type: 'application/zip', body: zipOfFiles({ 'a.tif': granule(10) }) });
}

describe.each(['graticule', 'geoserver'] as const)('the differences between both modes, in mode %s', (compat) => {
  const server = useTestServer({ compat });
  beforeAll(async () => {
    await publishLayers(server, 'acme', ['a']);
    await server.post('/workspaces', '{"workspace":{"name":"other"}}');
  });

  it('tests every difference in the guide', () => {
    expect(tableBelow('| | By default').map(([what]) => what)).toEqual(Object.keys(differences));
  });

  it.each(Object.entries(differences))('matches the guide: %s', async (_, [found, byDefault, inCompat]) => {
    expect(await found(server)).toEqual(compat === 'graticule' ? byDefault : inCompat);
  });
});
