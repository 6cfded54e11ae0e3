/** Files referenced by records are never on the disk of one node only: operations that would do this are rejected. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveToDisk, uploadTowns } from '../support/edited-stores.ts';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { FEATURES, itemsAt } from '../support/features.ts';
import { createArchive, files, mapping, samples, schemas, tables } from '../support/mapping-samples.ts';
import { postgisParameters } from '../support/postgis-sources.ts';
import { postgresAddress } from '../support/postgres-places.ts';
import { createGeopackage, publishTables } from '../support/published-features.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { pointShapefile, putZip, zipOf } from '../support/vector-samples.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const GPKG = 'application/x-sqlite3';
const problems = { accept: 'application/problem+json' };

const towns = {
  name: 'towns',
  attributes: [geometryColumn('Point'), column('name', 'string')],
  rows: [[wkt('POINT (7.5 47)'), 'Bern']],
};

const insertion = (version: string, uri: string) =>
  `<wfs:Transaction service="WFS" version="${version}" xmlns:wfs="http://www.opengis.net/wfs${version === '2.0.0' ? '/2.0' : ''}" xmlns:t="${uri}"><wfs:Insert><t:towns><t:name>Basel</t:name></t:towns></wfs:Insert></wfs:Transaction>`;

describeWithPostgis('files on two nodes', (postgis) => {
  let nodes: readonly [TestServer, TestServer];
  const startNode = (name: string) =>
    startTestServer({
      flags: ['--storage', postgresAddress(postgis, 'graticule'), '--node-name', name],
      environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64') },
    });

  beforeAll(async () => {
    nodes = [await startNode('north'), await startNode('south')];
    await publishTables(nodes[0], 'acme', [towns], 'uploaded');
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
  });

  const namesOn = async (node: TestServer, collection = 'acme:towns') =>
    (await itemsAt(node, `/collections/${collection}/items`)).features.map(({ properties }) => properties['name']);
  const dataOf = (node: TestServer) => readdir(join(node.dataDir, 'data'), { recursive: true }).catch(() => []);

  const reason =
    "The data of 'acme:towns' cannot be changed: it is in a file, and this storage is shared by several nodes. Import it into a PostGIS store (PUT /workspaces/{workspace}/datastores/{PostGIS store}/file.gpkg) and edit the layer there.";

  test('a mapping is readable on a node without the schemas that its upload refers to', async () => {
    const folder = join(nodes[0].dataDir, 'schemas');
    for (const [name, text] of Object.entries(schemas)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const main = mapping({ schemas: ['file:schemas/survey.xsd'], stores: files, types: [samples] });

    const reply = await nodes[0].request('PUT', '/workspaces/acme/datastores/survey/file.appschema', {
      type: 'application/zip',
      body: createArchive({ ...tables, 'main.appschema': main }),
    });

    expect(reply.status).toBe(200);
    // A page omits data that takes too long to open the first time.
    const readPage = () => nodes[1].get('/workspaces/acme/datastores/survey/featuretypes/Sample.html');
    await expect.poll(async () => (await readPage()).text, { timeout: 30_000 }).toContain('core one');
  });

  test('an uploaded GeoPackage is not edited by WFS transactions, and stays readable on both nodes', async () => {
    for (const [version, status] of [
      ['1.0.0', 200],
      ['1.1.0', 200],
      ['2.0.0', 400],
    ] as const) {
      for (const query of ['', '?dryRun=true']) {
        const reply = await nodes[0].post(`//geoserver/wfs${query}`, insertion(version, 'http://acme'), {
          type: 'text/xml',
        });

        expect([reply.status, reply.text.includes('ExceptionReport')], reply.text).toEqual([status, true]);
        expect(reply.text.replaceAll('&apos;', "'").replaceAll('&#39;', "'")).toContain(reason);
      }
    }

    for (const node of nodes) {
      expect(await namesOn(node)).toEqual(['Bern']);
      expect(await dataOf(node)).toEqual([]);
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'an uploaded GeoPackage is not edited by %s of OGC API Features',
    async (method) => {
      const path = `${FEATURES}/collections/acme:towns/items${method === 'POST' ? '' : '/towns.1'}`;
      const body = JSON.stringify({ type: 'Feature', geometry: null, properties: { name: 'Basel' } });

      const reply = await nodes[0].request(method, path, {
        ...(method === 'DELETE' ? {} : { body }),
        type: method === 'PATCH' ? 'application/merge-patch+json' : 'application/geo+json',
      });

      expect(reply.status, reply.text).toBe(409);
      expect(reply.json()).toMatchObject({ detail: reason });
      for (const node of nodes) expect(await namesOn(node)).toEqual(['Bern']);
    },
  );

  test('capabilities offer transactions for a PostGIS layer, which both nodes edit, and not for a file', async () => {
    const [one, other] = nodes;
    const stores = '/workspaces/acme/datastores';
    const connectionParameters = postgisParameters(postgis.connection);
    await one.post(stores, JSON.stringify({ dataStore: { name: 'db', connectionParameters } }));
    const places = { ...towns, name: 'places' };
    const imported = await one.request('PUT', `${stores}/db/file.gpkg?configure=all`, {
      type: GPKG,
      body: await createGeopackage([places]),
    });
    expect(imported.status, imported.text).toBe(201);

    const document = insertion('2.0.0', 'http://acme').replaceAll('t:towns', 't:places');
    for (const node of nodes) {
      const reply = await node.post('//geoserver/wfs', document, { type: 'text/xml' });
      expect(reply.status, reply.text).toBe(200);
    }

    for (const node of nodes) {
      expect(await namesOn(node, 'acme:places')).toEqual(['Bern', 'Basel', 'Basel']);
    }
    const capabilities = await other.get('//geoserver/wfs?service=WFS&version=1.1.0&request=GetCapabilities');
    const operations = (type: string) =>
      capabilities.text
        .split('<FeatureType ')
        .find((part) => part.includes(`<Name>acme:${type}</Name>`))
        ?.match(/<Operations>.*<\/Operations>/)?.[0];
    expect(operations('towns')).toBe('<Operations><Operation>Query</Operation></Operations>');
    expect(operations('places')).toBeUndefined();
    expect(capabilities.text).toContain('<Operation>Insert</Operation>');
  });

  test('a GeoPackage that a store references by path gets no tables and no imports', async () => {
    const [one] = nodes;
    const stores = '/workspaces/acme/datastores';
    const connectionParameters = { dbtype: 'geopkg', database: 'file:data/local.gpkg' };
    await one.post(stores, JSON.stringify({ dataStore: { name: 'local', connectionParameters } }));

    const table = await one.post(
      `${stores}/local/featuretypes`,
      '{"featureType":{"name":"made","attributes":{"attribute":{"name":"n","binding":"java.lang.Integer"}}}}',
      problems,
    );
    const imported = await putZip(one, `${stores}/local/file.shp`, zipOf({ wells: pointShapefile() }));

    expect([table.status, imported.status], imported.text).toEqual([409, 409]);
    expect(table.json()).toMatchObject({ code: 'features-in-file' });
    expect(await dataOf(one)).toEqual([]);
  });

  test('new tables of an uploaded GeoPackage are on both nodes', async () => {
    const [one, other] = nodes;
    await publishTables(one, 'tables', [towns], 'uploaded');
    const types = '/workspaces/tables/datastores/uploaded/featuretypes';

    const made = await one.post(
      types,
      '{"featureType":{"name":"made","attributes":{"attribute":{"name":"n","binding":"java.lang.Integer"}}}}',
    );

    expect(made.status, made.text).toBe(201);
    expect((await other.get(`${types}.json?list=all`)).json()).toEqual({ list: { string: ['made', 'towns'] } });
  });

  test('no file is written below data by path, and uploaded files are read on both nodes', async () => {
    const [one, other] = nodes;
    const put = (path: string, query = '', body = 'x') =>
      one.request('PUT', `/resource/${path}${query}`, { body, type: 'text/plain', ...problems });

    const sent = await put('data/a.txt');
    const tried = await put('data/a.txt', '?dryRun=true');
    const copied = await put('data/a.gpkg', '?operation=copy', 'data/acme/uploaded/1/uploaded.gpkg');
    const batch = await one.post(
      '/batch',
      JSON.stringify({
        operations: [{ method: 'PUT', path: '/resource/data/a.txt', content: 'x', contentType: 'text/plain' }],
      }),
    );
    const uploaded = await put('data/acme/uploaded/1/uploaded.gpkg');

    expect([sent.status, tried.status, copied.status, batch.status, uploaded.status]).toEqual([
      409, 409, 409, 409, 403,
    ]);
    expect(sent.json()).toMatchObject({
      code: 'resource-on-one-node',
      detail:
        "'data/a.txt' cannot be written: files below data exist on one node only, and this storage is shared by several nodes. Upload the data to a store (PUT /workspaces/{workspace}/datastores/{store}/file.{format}), or copy the file into a folder that every node mounts.",
    });
    for (const node of nodes) expect(await dataOf(node)).toEqual([]);
    const [mine, theirs] = [one, other].map((node) => node.get('/resource/data/acme/uploaded/1/uploaded.gpkg'));
    expect((await theirs)?.bytes.equals((await mine)?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  test('a file that an earlier version moved to one node is reported by name on both nodes', async () => {
    const [one, other] = nodes;
    await uploadTowns(one, 'moved');
    await moveToDisk(one, 'moved');
    const path = '/workspaces/moved/datastores/roads';
    const found = async (node: TestServer) => {
      const { problems: all } = (await node.get('/doctor')).json() as { problems: { path: string; code: string }[] };
      return all.filter((each) => each.path === path);
    };
    const message = (node: string) =>
      expect.stringMatching(
        new RegExp(
          `^The edited features of the store 'roads' are in the file 'roads.gpkg' on the disk of one node, not in shared storage; the node ${node}\\. Upload the file`,
        ),
      );

    expect(await found(one)).toEqual([{ path, code: 'file-on-one-node', message: message("'north' has it") }]);
    expect(await found(other)).toEqual([
      { path, code: 'file-on-one-node', message: message("'south' does not have it") },
    ]);

    expect(await namesOn(one, 'moved:towns')).toEqual(['Bern']);
    const lost = await other.get(`${FEATURES}/collections/moved:towns/items`);
    expect(lost.status).toBe(503);
    expect(lost.text).not.toContain('roads');
    const loggedBy = (node: TestServer) =>
      node.log.filter((line) => line.includes('this node lacks the file of a store') && line.includes('moved'));
    expect(loggedBy(other).map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ store: 'moved:roads', file: 'roads.gpkg' }),
    ]);
    expect(loggedBy(one)).toEqual([]);

    const archive = (node: TestServer) =>
      node.get('/configuration?path=/workspaces/moved', { accept: 'application/zip' });
    expect((await archive(one)).headers['warning']).toBeUndefined();
    expect((await archive(other)).headers['warning']).toContain(
      `The archive does not contain the edited features of ${path}`,
    );

    const body = await readFile(join(one.dataDir, 'data/moved/roads/1/roads.gpkg'));
    expect((await one.request('PUT', `${path}/file.gpkg`, { type: GPKG, body })).status).toBe(201);
    for (const node of nodes) {
      expect(await namesOn(node, 'moved:towns')).toEqual(['Bern']);
      expect(await found(node)).toEqual([]);
    }
  });

  test('any other file that a store references is reported on the node that lacks it', async () => {
    const [one, other] = nodes;
    const { shp } = pointShapefile();
    await mkdir(join(one.dataDir, 'data'), { recursive: true });
    await writeFile(join(one.dataDir, 'data/wells.shp'), shp ?? '');
    const connectionParameters = { url: 'file:data/wells.shp' };
    await one.post(
      '/workspaces/acme/datastores',
      JSON.stringify({ dataStore: { name: 'wells', connectionParameters } }),
    );
    const path = '/workspaces/acme/datastores/wells';
    const found = async (node: TestServer) => {
      const { problems: all } = (await node.get('/doctor')).json() as { problems: { path: string; code: string }[] };
      return all.filter((each) => each.path === path).map(({ code }) => code);
    };

    expect([await found(one), await found(other)]).toEqual([[], ['file-missing-on-node']]);
  });
});
