/** Everything is read, deleted, and created again from what was read: the catalog is the same as before. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../../src/interface/dialects.ts';
import { lineSld, SLD_TYPE } from '../support/styles.ts';
import { type Reply, startTestServer, type TestServer } from '../support/test-server.ts';
import { geotiffBytes } from '../support/tiff-bytes.ts';
import { pointShapefile, polygonShapefile, writeShapefiles } from '../support/vector-samples.ts';

type Format = 'json' | 'xml';

/** What was read, by its path; styles also as they are drawn. */
type Export = ReadonlyMap<string, string>;

async function must(reply: Promise<Reply>, what: string): Promise<Reply> {
  const got = await reply;
  if (got.status >= 300) throw new Error(`${what} answered ${got.status}: ${got.text}`);
  return got;
}

const send = (server: TestServer, method: string, path: string, body: string, type: string) =>
  must(server.request(method, path, { type, body }), `${method} ${path}`);

/** Something of every kind, with other settings than the usual ones. */
async function furnish(server: TestServer): Promise<void> {
  const json = (method: string, path: string, document: unknown) =>
    send(server, method, path, JSON.stringify(document), 'application/json');
  const data = join(server.dataDir, 'data');
  await mkdir(data, { recursive: true });
  await writeShapefiles(join(data, 'shapes'), { places: pointShapefile(), areas: polygonShapefile() });
  await writeFile(join(data, 'relief.tif'), geotiffBytes(30, 20));
  await json('POST', '/workspaces', { workspace: { name: 'acme', metadata: { entry: [{ '@key': 'a', $: '1' }] } } });
  await json('POST', '/workspaces', { workspace: { name: 'side.car', isolated: true } });
  await json('PUT', '/namespaces/acme', { namespace: { uri: 'http://acme.example/maps' } });
  await json('PUT', '/workspaces/default', { workspace: { name: 'side.car' } });
  await send(server, 'POST', '/styles?name=thick', lineSld('thick'), SLD_TYPE);
  await send(server, 'POST', '/workspaces/acme/styles?name=local', lineSld('local', '#00ff00'), SLD_TYPE);
  await json('POST', '/workspaces/acme/datastores', {
    dataStore: {
      name: 'shapes',
      description: 'Shapes',
      connectionParameters: { entry: [{ '@key': 'url', $: 'file:data/shapes/' }] },
    },
  });
  await json('POST', '/workspaces/acme/datastores/shapes/featuretypes', {
    featureType: {
      name: 'towns',
      nativeName: 'places',
      title: 'Towns',
      keywords: { string: ['a', 'b'] },
      enabled: false,
    },
  });
  await json('POST', '/workspaces/acme/datastores/shapes/featuretypes', { featureType: { name: 'areas' } });
  await json('POST', '/workspaces/acme/coveragestores', {
    coverageStore: { name: 'relief', type: 'GeoTIFF', url: 'file:data/relief.tif', enabled: true },
  });
  await json('POST', '/workspaces/acme/coveragestores/relief/coverages', {
    coverage: { name: 'height', title: 'Height' },
  });
  await json('PUT', '/layers/acme:towns', {
    layer: {
      defaultStyle: { name: 'thick' },
      styles: { style: [{ name: 'local', workspace: 'acme' }] },
      attribution: { title: 'The town', href: 'https://town.example/' },
      opaque: true,
      queryable: false,
    },
  });
  await json('POST', '/urlchecks', { regexUrlCheck: { name: 'maps', regex: '^http://maps/.*$', enabled: true } });
  await json('POST', '/security/acl/layers', { 'acme.*.r': 'READER', 'acme.towns.w': 'WRITER' });
  await json('POST', '/security/acl/services', { 'wfs.GetFeature': 'READER' });
  await json('PUT', '/security/acl/catalog', { mode: 'MIXED' });
  await json('PUT', '/settings', {
    global: {
      settings: { charset: 'ISO-8859-1', contact: { contactPerson: 'Ann' }, verbose: true },
      metadata: { entry: [{ '@key': 'a', $: '1' }] },
      jai: { tileThreads: 3 },
    },
  });
  await json('PUT', '/logging', { logging: { level: 'VERBOSE_LOGGING' } });
  await json('PUT', '/workspaces/acme/settings', { settings: { title: 'Acme', numDecimals: 3 } });
  await json('PUT', '/services/wms/settings', { wms: { keywords: { string: ['a'] }, watermark: { enabled: true } } });
  await json('PUT', '/services/wfs/workspaces/acme/settings', { wfs: { maxFeatures: 10 } });
}

const settings = [
  '/settings',
  '/settings/contact',
  '/logging',
  '/workspaces/acme/settings',
  '/services/wms/settings',
  '/services/wfs/workspaces/acme/settings',
];

/** The names in a list, in either format. */
function namesIn(text: string, format: Format): readonly string[] {
  if (format === 'xml') return [...text.matchAll(/<name>([^<]*)<\/name>/g)].map(([, name = '']) => name);
  const names: string[] = [];
  JSON.parse(text, (key, value: unknown) => {
    if (key === 'name' && typeof value === 'string') names.push(value);
    return value;
  });
  return names;
}

/** Collections, each of them in what the ones before it have. */
async function readAll(server: TestServer, format: Format): Promise<Export> {
  const found = new Map<string, string>();
  const read = async (path: string): Promise<string> =>
    (await must(server.get(`${path}.${format}`), `GET ${path}.${format}`)).text;
  const each = async (collection: string): Promise<readonly string[]> => {
    const paths = namesIn(await read(collection), format).map((name) => `${collection}/${name}`);
    for (const path of paths) found.set(path, await read(path));
    return paths;
  };
  for (const path of await each('/styles')) {
    found.set(`${path}.sld`, (await must(server.get(`${path}.sld`), path)).text);
  }
  for (const workspace of await each('/workspaces')) {
    found.set(
      workspace.replace('/workspaces', '/namespaces'),
      await read(workspace.replace('/workspaces', '/namespaces')),
    );
    for (const path of await each(`${workspace}/styles`)) {
      found.set(`${path}.sld`, (await must(server.get(`${path}.sld`), path)).text);
    }
    for (const store of await each(`${workspace}/datastores`)) await each(`${store}/featuretypes`);
    for (const store of await each(`${workspace}/coveragestores`)) await each(`${store}/coverages`);
  }
  await each('/layers');
  await each('/urlchecks');
  for (const path of [
    '/workspaces/default',
    '/security/acl/layers',
    '/security/acl/services',
    '/security/acl/catalog',
    ...settings,
  ]) {
    found.set(path, await read(path));
  }
  return found;
}

async function deleteAll(server: TestServer): Promise<void> {
  const remove = (path: string) => must(server.delete(path), `DELETE ${path}`);
  for (const workspace of ['acme', 'side.car']) await remove(`/workspaces/${workspace}?recurse=true`);
  await remove('/styles/thick?purge=true');
  await remove('/urlchecks/maps');
  for (const family of ['layers', 'services']) {
    const rules = (await server.get(`/security/acl/${family}.json`)).json() as Readonly<Record<string, string>>;
    for (const rule of Object.keys(rules)) await remove(`/security/acl/${family}?rule=${encodeURIComponent(rule)}`);
  }
  await send(server, 'PUT', '/security/acl/catalog', '{"mode":"HIDE"}', 'application/json');
  // These are always there: what is null is as on a new server.
  for (const [path, nothing] of [
    ['/settings', '{"global":{"settings":null,"metadata":null,"jai":null}}'],
    ['/logging', '{"logging":{"level":null}}'],
    ['/services/wms/settings', '{"wms":{"keywords":null,"watermark":null}}'],
  ] as const) {
    await send(server, 'PUT', path, nothing, 'application/json');
  }
}

/** From the documents alone, each sent to where its like are created. */
async function createAll(server: TestServer, exported: Export, format: Format): Promise<void> {
  const type = format === 'json' ? 'application/json' : 'application/xml';
  const of = (pattern: RegExp) => [...exported].filter(([path]) => pattern.test(path));
  const post = async (pattern: RegExp) => {
    for (const [path, document] of of(pattern)) {
      await send(server, 'POST', path.slice(0, path.lastIndexOf('/')), document, type);
    }
  };
  const put = async (pattern: RegExp) => {
    for (const [path, document] of of(pattern)) await send(server, 'PUT', path, document, type);
  };
  await post(/^\/workspaces\/(?!default$)[^/]+$/);
  await put(/^\/namespaces\/[^/]+$/);
  await put(/^\/workspaces\/default$/);
  for (const [path, sld] of of(/\.sld$/)) {
    const style = path.replace(/\.sld$/, '');
    if ((await server.get(`${style}.json`)).status === 200) continue;
    await send(server, 'POST', style.slice(0, style.lastIndexOf('/')), exported.get(style) ?? '', type);
    await send(server, 'PUT', style, sld, SLD_TYPE);
  }
  await post(/\/(?:datastores|coveragestores)\/[^/]+$/);
  await post(/\/(?:featuretypes|coverages)\/[^/]+$/);
  await put(/^\/layers\/[^/]+$/);
  await post(/^\/urlchecks\/[^/]+$/);
  await put(/^\/security\/acl\/catalog$/);
  for (const path of settings) await send(server, 'PUT', path, exported.get(path) ?? '', type);
  for (const family of ['layers', 'services']) {
    const there = (await server.get(`/security/acl/${family}.json`)).json() as Readonly<Record<string, string>>;
    const document = exported.get(`/security/acl/${family}`) ?? '';
    const missing =
      format === 'json'
        ? JSON.stringify(
            Object.fromEntries(
              Object.entries(JSON.parse(document) as Record<string, string>).filter(([rule]) => !(rule in there)),
            ),
          )
        : document;
    await send(server, 'POST', `/security/acl/${family}`, missing, type);
  }
}

/** Left out: when and by which change something was made, and what is so of every layer and is only said once somebody has changed it. */
const ofNoAccount = [
  /\s*<date(Created|Modified)>[^<]*<\/date\1>/g,
  /,?"date(?:Created|Modified)":"[^"]*"/g,
  /\s*<queryable>true<\/queryable>|\s*<opaque>false<\/opaque>/g,
  /,"queryable":true|,"opaque":false/g,
  /<updateSequence>\d+|"updateSequence":\d+/g,
];

function essenceOf(exported: Export): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...exported].map(([path, text]) => [path, ofNoAccount.reduce((left, pattern) => left.replace(pattern, ''), text)]),
  );
}

describe.each(['graticule', 'geoserver'] satisfies DialectName[])('the catalog in the dialect %s', (compat) => {
  it.each(['json', 'xml'] as const)('is the same after a round trip in %s', async (format) => {
    const server = await startTestServer({ compat });
    try {
      await furnish(server);
      const before = await readAll(server, format);

      await deleteAll(server);
      expect((await server.get('/workspaces.json')).text).not.toContain('acme');
      expect((await server.get('/settings.json')).text).not.toContain('Ann');
      await createAll(server, before, format);

      expect(before.size).toBeGreaterThan(15);
      expect(essenceOf(await readAll(server, format))).toEqual(essenceOf(before));
    } finally {
      await server.close();
    }
  });
});
