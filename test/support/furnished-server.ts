/** A server with objects of every family and non-default settings, and the way back to an empty one. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ldapClass } from './auth-providers.ts';
import { cascadedWords } from './capabilities.ts';
import { worldImageFiles } from './raster-samples.ts';
import { storedQuery } from './stored-queries.ts';
import { lineSld, SLD_TYPE } from './styles.ts';
import type { Reply, TestServer } from './test-server.ts';
import { geotiffBytes, granuleBytes } from './tiff-bytes.ts';
import { pointShapefile, polygonShapefile, writeShapefiles } from './vector-samples.ts';

export const USER_PASSWORD = 'the password of everybody';

const serviceClass = 'org.geoserver.security.xml.XMLUserGroupService';

/** Settings that exist as long as the server or their workspace. */
export const settingsPaths = [
  '/settings',
  '/settings/contact',
  '/logging',
  '/workspaces/acme/settings',
  ...['wms', 'wfs', 'wcs', 'wmts'].flatMap((service) => [
    `/services/${service}/settings`,
    `/services/${service}/workspaces/acme/settings`,
  ]),
];

/** One global setting, and one each for a workspace, a store and a published resource. */
const templates = {
  '/resource/templates/header.ftl': '<h1>all</h1>',
  '/resource/workspaces/acme/header.ftl': '<h1>acme</h1>',
  '/resource/workspaces/acme/shapes/footer.ftl': 'shapes & more\r\n',
  '/resource/workspaces/acme/shapes/towns/content%20(1).ftl': '<#if place??>here</#if>',
};

export async function must(reply: Promise<Reply>, what: string): Promise<Reply> {
  const got = await reply;
  if (got.status >= 300) throw new Error(`${what} answered ${got.status}: ${got.text}`);
  return got;
}

export const send = (server: TestServer, method: string, path: string, body = '', type = 'application/json') =>
  must(server.request(method, path, body === '' ? {} : { type, body }), `${method} ${path}`);

/** `maps` is the URL of a working map server. */
export async function furnish(server: TestServer, maps: string): Promise<void> {
  const json = (method: string, path: string, document: unknown) =>
    send(server, method, path, JSON.stringify(document));
  await json('POST', '/workspaces', { workspace: { name: 'acme', metadata: { entry: [{ '@key': 'a', $: '1' }] } } });
  await json('POST', '/workspaces', { workspace: { name: 'side.car', isolated: true } });
  await json('PUT', '/namespaces/acme', { namespace: { uri: 'http://acme.example/maps' } });
  await json('PUT', '/workspaces/default', { workspace: { name: 'side.car' } });
  await send(server, 'POST', '/styles?name=thick', lineSld('thick'), SLD_TYPE);
  await send(server, 'POST', '/workspaces/acme/styles?name=local', lineSld('local', '#00ff00'), SLD_TYPE);
  await publishFeatures(server);
  await publishRasters(server);
  await publishCascaded(server, maps);
  await json('PUT', '/layers/acme:towns', {
    layer: {
      defaultStyle: { name: 'thick' },
      styles: { style: [{ name: 'local', workspace: 'acme' }] },
      attribution: { title: 'The town', href: 'https://town.example/' },
      path: '/base/towns',
      advertised: false,
      opaque: true,
      queryable: false,
    },
  });
  await groupLayers(server);
  for (const [path, body] of Object.entries(templates)) await send(server, 'PUT', path, body, 'text/plain');
  await secure(server);
  await set(server);
}

async function publishFeatures(server: TestServer): Promise<void> {
  const stores = '/workspaces/acme/datastores';
  const data = join(server.dataDir, 'data');
  await mkdir(data, { recursive: true });
  await writeShapefiles(join(data, 'shapes'), { places: pointShapefile(), areas: polygonShapefile() });
  await mkdir(join(data, 'properties'), { recursive: true });
  await writeFile(
    join(data, 'properties', 'spots.properties'),
    '_=id:Integer,geom:Point:srid=4326\nspots.1=1|POINT (1 2)\n',
  );
  const store = async (name: string, url: string, more: object = {}) =>
    send(
      server,
      'POST',
      stores,
      JSON.stringify({
        dataStore: {
          name,
          ...more,
          connectionParameters: { entry: [{ '@key': url.startsWith('file:data/prop') ? 'directory' : 'url', $: url }] },
        },
      }),
    );
  await store('shapes', 'file:data/shapes/', { description: 'Shapes' });
  await store('properties', 'file:data/properties/', { enabled: true });
  const type = (inStore: string, featureType: object) =>
    send(server, 'POST', `${stores}/${inStore}/featuretypes`, JSON.stringify({ featureType }));
  await type('shapes', {
    name: 'towns',
    nativeName: 'places',
    title: 'Towns',
    keywords: { string: ['a', 'b'] },
    enabled: false,
  });
  await type('shapes', { name: 'areas' });
  await type('properties', { name: 'spots' });
}

async function publishRasters(server: TestServer): Promise<void> {
  const stores = '/workspaces/acme/coveragestores';
  const data = join(server.dataDir, 'data');
  await mkdir(join(data, 'pictures'), { recursive: true });
  await writeFile(join(data, 'relief.tif'), geotiffBytes(30, 20));
  for (const [name, bytes] of Object.entries(worldImageFiles())) await writeFile(join(data, name), bytes);
  await writeFile(join(data, 'pictures', 'west.tif'), granuleBytes({ left: 10, top: 45, pixel: 0.25, epsg: 4326 }));
  await writeFile(join(data, 'pictures', 'east.tif'), granuleBytes({ left: 20, top: 45, pixel: 0.25, epsg: 4326 }));
  for (const [name, type, url, coverage] of [
    ['relief', 'GeoTIFF', 'file:data/relief.tif', { name: 'height', title: 'Height' }],
    ['photo', 'WorldImage', 'file:data/photo.png', { name: 'photo' }],
    ['pictures', 'ImageMosaic', 'file:data/pictures/', { name: 'pictures', title: 'Pictures' }],
  ] as const) {
    const store = { name, type, url, enabled: true, description: `A ${type}` };
    await send(server, 'POST', stores, JSON.stringify({ coverageStore: store }));
    await send(server, 'POST', `${stores}/${name}/coverages`, JSON.stringify({ coverage }));
  }
}

async function publishCascaded(server: TestServer, maps: string): Promise<void> {
  const check = { name: 'here', regex: '^http://127\\.0\\.0\\.1:.*$', enabled: true };
  await send(server, 'POST', '/urlchecks', JSON.stringify({ regexUrlCheck: check }));
  for (const { stores, store, inStore, layer } of cascadedWords) {
    const collection = `/workspaces/acme/${stores}`;
    const document = { name: `near-${stores}`, capabilitiesURL: `${maps}${stores}`, maxConnections: 3, readTimeout: 7 };
    await send(server, 'POST', collection, JSON.stringify({ [store]: document }));
    await send(
      server,
      'POST',
      `${collection}/near-${stores}/${inStore}`,
      JSON.stringify({ [layer]: { name: `roads-${stores}`, nativeName: 'roads', title: 'Streets' } }),
    );
  }
}

async function groupLayers(server: TestServer): Promise<void> {
  const published = (...names: readonly string[]) =>
    names.map((name) => ({ '@type': name.endsWith('near') ? 'layerGroup' : 'layer', name }));
  const near = {
    name: 'near',
    title: 'Near',
    publishables: { published: published('areas', 'height') },
    styles: { style: ['local', ''] },
    layerGroupStyles: {
      LayerGroupStyle: [
        { name: 'dark', title: 'Dark', layers: { published: published('towns') }, styles: { style: ['thick'] } },
        { name: 'light', layers: { published: published('areas', 'pictures') }, styles: { style: ['', ''] } },
      ],
    },
  };
  await send(server, 'POST', '/workspaces/acme/layergroups', JSON.stringify({ layerGroup: near }));
  const world = {
    name: 'world',
    mode: 'EO',
    rootLayer: 'acme:height',
    rootLayerStyle: 'raster',
    publishables: { published: published('acme:near', 'acme:roads-wmsstores') },
    styles: { style: ['dark', ''] },
    bounds: { minx: -10, maxx: 30, miny: -20, maxy: 60, crs: 'EPSG:4326' },
    keywords: { string: ['everything'] },
    enabled: false,
  };
  await send(server, 'POST', '/layergroups', JSON.stringify({ layerGroup: world }));
}

async function secure(server: TestServer): Promise<void> {
  const json = (method: string, path: string, document: unknown) =>
    send(server, method, path, JSON.stringify(document));
  await json('POST', '/urlchecks', { regexUrlCheck: { name: 'maps', regex: '^http://maps/.*$', enabled: false } });
  await json('POST', '/security/acl/layers', {
    'acme.*.r': 'READER',
    'acme.towns.w': 'WRITER',
    'acme.near.r': 'READER',
  });
  await json('POST', '/security/acl/data', {
    dataRule: { name: 'staff', layer: 'acme:towns', roles: ['WRITER'], attributes: { '*': 'read' } },
  });
  await json('POST', '/security/acl/services', { 'wfs.GetFeature': 'READER' });
  await json('POST', '/security/acl/rest', { '/rest/styles/**:GET,PUT': 'WRITER' });
  await json('PUT', '/security/acl/catalog', { mode: 'MIXED' });
  await json('POST', '/security/usergroupservices', { name: 'club', className: serviceClass });
  for (const [where, name, enabled] of [
    ['', 'ann', true],
    ['', 'bob', false],
    ['/service/club', 'cleo', true],
  ] as const) {
    const user = { userName: name, password: USER_PASSWORD, enabled };
    await json('POST', `/security/usergroup${where}/users`, { user });
  }
  await send(server, 'POST', '/security/usergroup/group/crew');
  await send(server, 'POST', '/security/usergroup/user/ann/group/crew');
  for (const role of ['READER', 'WRITER']) await send(server, 'POST', `/security/roles/role/${role}`);
  await send(server, 'POST', '/security/roles/role/READER/user/ann');
  await send(server, 'POST', '/security/roles/role/WRITER/group/crew');
  await json('POST', '/security/authproviders', {
    name: 'directory',
    className: ldapClass,
    serverURL: 'ldaps://directory.example/dc=acme',
    userDnPattern: 'uid={0},ou=people',
  });
  await send(server, 'PUT', '/security/authproviders/order', '{"order":["default","directory"]}');
}

async function set(server: TestServer): Promise<void> {
  const json = (path: string, document: unknown) => send(server, 'PUT', path, JSON.stringify(document));
  await json('/settings', {
    global: {
      settings: { charset: 'ISO-8859-1', contact: { contactPerson: 'Ann' }, verbose: true },
      metadata: { entry: [{ '@key': 'a', $: '1' }] },
      jai: { tileThreads: 3 },
    },
  });
  await json('/logging', { logging: { level: 'VERBOSE_LOGGING' } });
  await json('/workspaces/acme/settings', { settings: { title: 'Acme', numDecimals: 3 } });
  const gridSet = { srs: { number: 2056 }, extent: { coords: [2_420_000, 1_030_000, 2_900_000, 1_350_000] } };
  await json('/gridsets/local', { gridSet: { ...gridSet, resolutions: [500, 100, 20] } });
  await must(
    server.post('/storedqueries', JSON.stringify(storedQuery('urn:example:big', { title: 'Big' }))),
    'POST /storedqueries',
  );
  await must(
    server.post('/workspaces/acme/storedqueries', JSON.stringify(storedQuery('big', { isPrivate: true }))),
    'POST',
  );
  const GeoServerLayer = { gridSubsets: [{ gridSetName: 'local', zoomStop: 1 }], metaWidthHeight: [2, 1] };
  await json('/workspaces/acme/tilelayers/towns', { GeoServerLayer });
  await json('/services/wmts/settings', { wmts: { gridSets: { string: ['local', 'EPSG:28992'] } } });
  for (const service of ['wms', 'wfs', 'wcs', 'wmts']) {
    await json(`/services/${service}/settings`, { [service]: { keywords: { string: ['a'] }, title: service } });
    await json(`/services/${service}/workspaces/acme/settings`, { [service]: { title: `Acme ${service}` } });
  }
}

/** Restores the state of a new server, except for the files. */
export async function unfurnish(server: TestServer): Promise<void> {
  const remove = (path: string) => must(server.delete(path), `DELETE ${path}`);
  await remove('/layergroups/world');
  for (const workspace of ['acme', 'side.car']) await remove(`/workspaces/${workspace}?recurse=true`);
  await remove('/styles/thick?purge=true');
  for (const check of ['maps', 'here']) await remove(`/urlchecks/${check}`);
  await remove('/security/acl/data/staff');
  for (const family of ['layers', 'services', 'rest']) {
    const rules = (await server.get(`/security/acl/${family}.json`)).json() as Readonly<Record<string, string>>;
    for (const rule of Object.keys(rules)) await remove(`/security/acl/${family}/${encodeURIComponent(rule)}`);
  }
  await send(server, 'PUT', '/security/acl/catalog', '{"mode":"HIDE"}');
  await remove('/security/authproviders/directory');
  for (const user of ['ann', 'bob']) await remove(`/security/usergroup/user/${user}`);
  await remove('/security/usergroup/group/crew');
  await remove('/security/usergroupservices/club');
  for (const role of ['READER', 'WRITER']) await remove(`/security/roles/role/${role}`);
  // These always exist: null restores the initial value.
  await send(server, 'PUT', '/settings', '{"global":{"settings":null,"metadata":null,"jai":null}}');
  await send(server, 'PUT', '/logging', '{"logging":{"level":null}}');
  for (const service of ['wms', 'wfs', 'wcs', 'wmts']) {
    await send(server, 'PUT', `/services/${service}/settings`, `{"${service}":{"keywords":null,"title":null}}`);
  }
  await send(server, 'PUT', '/services/wmts/settings', '{"wmts":{"gridSets":null}}');
  await remove('/gridsets/local');
  await remove('/storedqueries/urn:example:big');
}
