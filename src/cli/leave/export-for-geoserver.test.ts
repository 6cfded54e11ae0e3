/** Exports a server with every kind of resource, and reads the directory as GeoServer does. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withMapServer } from '../../../test/support/capabilities.ts';
import { furnish, send } from '../../../test/support/furnished-server.ts';
import { pictureSld, SLD_TYPE, tinyPng } from '../../../test/support/styles.ts';
import { ADMIN_PASSWORD, useTestServer } from '../../../test/support/test-server.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { attribute, child, listChildElements, listChildren } from '../../lib/xml/elements.ts';
import { readXml } from '../../lib/xml/reader.ts';
import type { CommandEnvironment } from '../client/command.ts';
import { runCommand } from '../run.ts';
import type { ExportReport } from './report/report.ts';

const CANARY = 'canary-of-the-database';

const towns = JSON.stringify({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [7, 46] }, properties: { name: 'Bern' } }],
});

describe('graticule export --as geoserver', () => {
  const server = useTestServer();
  let folder: string;
  let url: string;

  async function run(...words: readonly string[]) {
    const [printed, errors] = [[] as string[], [] as string[]];
    const world: CommandEnvironment = {
      environment: { GRATICULE_URL: url, GRATICULE_PASSWORD: ADMIN_PASSWORD },
      print: (text) => printed.push(text),
      printError: (text) => errors.push(text),
      readFile: async () => Buffer.alloc(0),
      listFiles: async () => undefined,
      removeFile: async () => undefined,
      resolvePath: (name) => join(folder, name),
      async writeFile(name, pieces, { mode } = {}) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), pieces, mode === undefined ? {} : { mode });
      },
      prompt: undefined,
      wait: async () => undefined,
    };
    const code = await runCommand(['export', ...words], world);
    return { code, out: printed.join(''), err: errors.join('') };
  }

  const path = (file: string) => join(folder, 'full', file);
  const read = (file: string) => readFileSync(path(file), 'utf8');
  const readDocument = (file: string) => readXml(read(file), { maxDepth: 50, maxNodes: 100_000 });
  const listFiles = (name = 'full') =>
    readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => statSync(join(folder, name, file)).isFile())
      .map((file) => file.replaceAll('\\', '/'))
      .sort();

  let report: ExportReport;
  let exported: { readonly code: number; readonly err: string };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graticule-leave-'));
    const json = (method: string, where: string, document: unknown) =>
      send(server, method, where, JSON.stringify(document));
    await withMapServer((maps) => furnish(server, maps));
    await json('POST', '/webhooks', { webhook: { name: 'ci', url: 'http://127.0.0.1:1/hook', enabled: false } });
    await send(server, 'PUT', '/workspaces/acme/datastores/kept/file.geojson', towns, 'application/geo+json');
    const postgis = { dbtype: 'postgis', host: 'db.example', port: '5432', database: 'gis', user: 'u', passwd: CANARY };
    await json('POST', '/workspaces/acme/datastores', { dataStore: { name: 'tables', connectionParameters: postgis } });
    await server.request('PUT', '/resource/styles/icons/dot.png', { body: tinyPng(), type: 'image/png' });
    await send(server, 'POST', '/styles?name=dots', pictureSld('dots', 'icons/dot.png'), SLD_TYPE);
    await json('POST', '/workspaces', { workspace: { name: 'styles' } });
    await json('POST', '/workspaces/styles/datastores', {
      dataStore: { name: 'layergroups', connectionParameters: { directory: 'file:data/properties/' } },
    });
    await json('POST', '/security/acl/layers', { 'side\\.car.*.r': 'READER' });
    url = `${await server.server.app.listen({ host: '127.0.0.1', port: 0 })}${server.server.restRoot}`;
    const { code, out, err } = await run('--as', 'geoserver', '--output', 'full', '--json');
    exported = { code, err };
    report = JSON.parse(out) as ExportReport;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('exits with 5, because some kinds have no equivalent', () => {
    expect(exported).toEqual({ code: 5, err: '' });
    expect(report.format).toBe('graticule-export-report/1');
    expect(
      report.entries.filter(({ outcome }) => outcome === 'skipped').map(({ source, code }) => [source, code]),
    ).toEqual([
      ['/security/acl/data/staff', 'kind-unsupported'],
      ['/webhooks/ci', 'kind-unsupported'],
    ]);
  });

  it('exports or reports every resource', async () => {
    const { resources } = (await server.get('/configuration')).json() as { resources: readonly { kind: string }[] };
    const counts: Record<string, number> = {};
    for (const { kind } of resources) counts[kind] = (counts[kind] ?? 0) + 1;
    const { dataRule, webhook, ...others } = counts;

    expect(report.summary.exported).toEqual(others);
    expect([dataRule, webhook]).toEqual([1, 1]);
    expect(report.summary.files).toBe(listFiles().length);
  });

  it('has the layout of a data directory', () => {
    expect(listFiles().filter((file) => !/\/(?:layer|featuretype|coverage)\.xml$/.test(file))).toMatchObject(
      expect.arrayContaining([
        ...['global.xml', 'logging.xml', 'gwc-gs.xml', 'gwc/geowebcache.xml', 'layergroups/world.xml'],
        ...['wms.xml', 'wfs.xml', 'wcs.xml', 'wmts.xml', 'workspaces/acme/wms.xml', 'workspaces/acme/settings.xml'],
        ...['workspaces/default.xml', 'workspaces/acme/workspace.xml', 'workspaces/acme/namespace.xml'],
        ...['workspaces/acme/shapes/datastore.xml', 'workspaces/acme/relief/coveragestore.xml'],
        ...['workspaces/acme/near-wmsstores/wmsstore.xml', 'workspaces/acme/near-wmtsstores/wmtsstore.xml'],
        ...['workspaces/acme/layergroups/near.xml', 'workspaces/acme/styles/local.xml', 'styles/thick.sld'],
        ...['templates/header.ftl', 'workspaces/acme/header.ftl', 'workspaces/acme/shapes/footer.ftl'],
        ...['workspaces/acme/shapes/towns/content (1).ftl', 'styles/icons/dot.png', 'styles/dots.sld'],
        ...['security/usergroup/default/users.xml', 'security/usergroup/club/config.xml', 'security/config.xml'],
        ...['security/role/default/roles.xml', 'security/auth/directory/config.xml', 'security/urlchecks.xml'],
      ]),
    );
    // A store cannot have the folder of layer groups.
    expect(listFiles().some((file) => /^workspaces\/styles\/layergroups-[0-9a-f]{8}\/datastore\.xml$/.test(file))).toBe(
      true,
    );
  });

  it('every reference is the id of a document', () => {
    const documents = listFiles().filter((file) => file.endsWith('.xml') && !file.startsWith('security/'));
    const roots = documents.map(readDocument);
    const ids = new Set(roots.map((root) => readText(root, 'id')).filter(Boolean));
    const references = roots.flatMap((root) =>
      listChildElements(root).flatMap((element) =>
        findIds(element).map((id) => `${root.local} ${element.local} ${id}`),
      ),
    );

    const kinds = new Set(references.map((each) => each.split(' ').slice(0, 2).join(' ')));
    for (const each of [
      'layer resource',
      'layer styles',
      'featureType store',
      'dataStore workspace',
      'layerGroup publishables',
      'layerGroup rootLayer',
    ]) {
      expect(kinds).toContain(each);
    }
    const own = /^(?:SettingsInfoImpl|LayerGroupStyle)-/;
    expect(
      references.filter((each) => !ids.has(each.split(' ')[2] ?? '') && !own.test(each.split(' ')[2] ?? '')),
    ).toEqual([]);
  });

  it('stores have a type, a namespace and their parameters', () => {
    const document = readDocument('workspaces/acme/shapes/datastore.xml');
    const parameters = child(document, 'connectionParameters');

    expect([readText(document, 'name'), readText(document, 'type')]).toEqual([
      'shapes',
      'Directory of spatial files (shapefiles)',
    ]);
    expect(
      parameters && listChildren(parameters, 'entry').map((entry) => [attribute(entry, 'key'), textOf(entry)]),
    ).toEqual([
      ['url', 'file:data/shapes/'],
      ['namespace', 'http://acme.example/maps'],
    ]);
    expect(report.entries).toContainEqual(
      expect.objectContaining({ source: '/workspaces/acme/datastores/shapes', code: 'data-not-copied' }),
    );
  });

  it('uploaded files are at the place that their store names', () => {
    const document = readDocument('workspaces/acme/kept/datastore.xml');
    const parameters = child(document, 'connectionParameters');
    const database =
      parameters && listChildren(parameters, 'entry').find((entry) => attribute(entry, 'key') === 'database');

    expect(database && textOf(database)).toBe('file:data/acme/kept/1/kept.gpkg');
    expect(readFileSync(path('data/acme/kept/1/kept.gpkg')).subarray(0, 15).toString()).toBe('SQLite format 3');
  });

  it('coverages have the grid that GeoServer needs', () => {
    const coverage = readDocument('workspaces/acme/relief/height/coverage.xml');

    expect([readText(coverage, 'nativeFormat'), readText(coverage, 'nativeCoverageName')]).toEqual([
      'GeoTIFF',
      'relief',
    ]);
    const grid = child(coverage, 'grid');
    const range = grid && child(grid, 'range');
    expect([range && readText(range, 'low'), range && readText(range, 'high')]).toEqual(['0 0', '30 20']);
    expect(grid && attribute(grid, 'dimension')).toBe('2');
  });

  it('entries of maps have the key first', () => {
    const gml = child(readDocument('wfs.xml'), 'gml');

    expect(gml && listChildElements(gml).map((entry) => listChildElements(entry).map(({ local }) => local))).toEqual(
      Array.from({ length: 3 }, () => ['version', 'gml']),
    );
  });

  it('rules have the form of properties files', () => {
    expect(read('security/layers.properties')).toBe(
      'mode=MIXED\nacme.*.r=READER\nacme.near.r=READER\nacme.towns.w=WRITER\nside\\\\.car.*.r=READER\n',
    );
    expect(read('security/rest.properties')).toBe('/rest/styles/**;GET,PUT=WRITER\n');
    expect(read('security/services.properties')).toBe('wfs.GetFeature=READER\n');
  });

  it('users, groups and roles are written without passwords', () => {
    const users = readDocument('security/usergroup/default/users.xml');
    const [listed, groups] = [child(users, 'users'), child(users, 'groups')];
    expect(listed && listChildElements(listed).map((user) => user.attributes.map(({ value }) => value))).toEqual([
      ['admin', 'true', 'empty:'],
      ['ann', 'true', 'empty:'],
      ['bob', 'false', 'empty:'],
    ]);
    const [crew] = groups === undefined ? [] : listChildElements(groups);
    expect(
      crew && [attribute(crew, 'name'), ...listChildElements(crew).map((member) => attribute(member, 'username'))],
    ).toEqual(['crew', 'ann']);
    const roles = read('security/role/default/roles.xml').replaceAll(/>\s+</g, '><');
    expect(roles).toContain('<userRoles username="ann"><roleRef roleID="READER"/></userRoles>');
    expect(roles).toContain('<groupRoles groupname="crew"><roleRef roleID="WRITER"/></groupRoles>');
  });

  it('grid sets and tile settings are those of the tile cache', () => {
    const gridSets = read('gwc/geowebcache.xml').replaceAll(/>\s+</g, '><');
    expect(gridSets).toContain('<gridSet><name>local</name>');
    expect(gridSets).toContain(
      '<resolutions><double>500</double><double>100</double><double>20</double></resolutions>',
    );
    const layer = readDocument('workspaces/acme/shapes/towns/layer.xml');
    const tiles = readDocument(`gwc-layers/${readText(layer, 'id')}.xml`);
    expect([readText(tiles, 'id'), readText(tiles, 'name')]).toEqual([readText(layer, 'id'), 'acme:towns']);
    const subsets = child(tiles, 'gridSubsets');
    expect(subsets && listChildElements(subsets).map((subset) => readText(subset, 'gridSetName'))).toEqual(['local']);
    expect(read('gwc-gs.xml').replaceAll(/>\s+</g, '><')).toContain(
      '<defaultCachingGridSetIds><string>local</string><string>EPSG:28992</string></defaultCachingGridSetIds>',
    );
    expect(read('wmts.xml')).not.toContain('metaTilingX');
  });

  it('passwords are exported only with --with-secrets, to files that only the owner can read', async () => {
    for (const file of listFiles()) expect(readFileSync(path(file)).includes(CANARY), file).toBe(false);
    expect(report.entries).toContainEqual(
      expect.objectContaining({ source: '/workspaces/acme/datastores/tables', code: 'password-omitted' }),
    );

    const { code, out } = await run('--as', 'geoserver', '--output', 'secret', '--with-secrets');

    expect(code).toBe(5);
    expect(out).not.toContain(CANARY);
    const store = join(folder, 'secret/workspaces/acme/tables/datastore.xml');
    expect(readFileSync(store, 'utf8')).toContain(`<entry key="passwd">plain:${CANARY}</entry>`);
    for (const file of listFiles('secret')) expect(statSync(join(folder, 'secret', file)).mode & 0o077).toBe(0);
    expect(out).toContain('password-unreadable  GeoServer cannot verify the hash of the password');
  });

  it('two archives of the same configuration have the same bytes', async () => {
    for (const name of ['one.zip', 'two.zip']) {
      expect((await run('--as', 'geoserver', '--output', name)).code).toBe(5);
    }

    expect(readFileSync(join(folder, 'one.zip')).equals(readFileSync(join(folder, 'two.zip')))).toBe(true);
  });

  it('--path limits the export, and reports resources whose owner it excludes', async () => {
    const { code, out } = await run(
      '--as',
      'geoserver',
      '--output',
      'part',
      '--path',
      '/workspaces/acme/layers',
      '--json',
    );

    expect(code).toBe(5);
    const { entries } = JSON.parse(out) as ExportReport;
    expect(entries.map((each) => each.code)).toContain('reference-dangling');
    expect(existsSync(join(folder, 'part/workspaces'))).toBe(false);
  });

  it('leaves no partial directory behind if a file cannot be written', async () => {
    // The parent of the directory is a file.
    const { code, out, err } = await run('--as', 'geoserver', '--output', 'one.zip/inside');

    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^graticule: Cannot use the directory 'one[.]zip\/inside': [^\n]+\n$/);
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  it.each([
    [['--as', 'geoserver'], '--as geoserver needs --output DIR or --output FILE.zip.'],
    [['--as', 'geoserver', '--output', 'full'], "The directory 'full' is not empty. Use another one for --output."],
    [['--as', 'mapserver'], "Invalid --as 'mapserver'. Use geoserver."],
    [['--with-secrets'], '--with-secrets needs --as geoserver. Use --passphrase-file instead.'],
  ])('exits with 1 for %j', async (words, message) => {
    expect(await run(...words)).toEqual({ code: 1, out: '', err: `graticule: ${message}\n` });
  });
});

function readText(element: XmlElement, name: string): string {
  const found = child(element, name);
  return found === undefined ? '' : textOf(found);
}

function textOf(element: XmlElement): string {
  return element.children.map((node) => (node.kind === 'text' ? node.text : '')).join('');
}

/** The ids of all references in an element. */
function findIds(element: XmlElement): readonly string[] {
  const [id] = listChildElements(element)
    .filter(({ local }) => local === 'id')
    .map(textOf);
  return [...(id === undefined ? [] : [id]), ...listChildElements(element).flatMap(findIds)];
}
