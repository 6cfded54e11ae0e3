import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { store } from '../../../test/support/mapping-samples.ts';
import { startDocumentServer } from '../../../test/support/services/document-server.ts';
import { stationArchive, stationDocuments, WEATHER, withStations } from '../../../test/support/station-mapping.ts';
import { type Reply, type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { pointShapefile, zipOf } from '../../../test/support/vector-samples.ts';
import { describeWithDocuments } from '../../../test/support/with-documents.ts';

const stores = '/workspaces/w/datastores';
const maintained = '/workspaces/w/appschemastores';

const zip = (body: Buffer) => ({ type: 'application/zip', body });

async function addWorkspace(server: TestServer): Promise<void> {
  await server.post('/namespaces', JSON.stringify({ namespace: { prefix: 'w', uri: WEATHER } }), { type: 'json' });
}

/** A folder with a file that the server does not own. */
function schemaFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'graticule-schemas-'));
  writeFileSync(join(folder, 'package.json'), '{"name":"another package"}');
  return folder;
}

function attributesIn(folder: string): readonly string[] {
  const schema = JSON.parse(readFileSync(join(folder, 'stations.json'), 'utf8'));
  return schema.attributeDescriptors.map((each: { localName: string }) => each.localName);
}

describeWithDocuments('persisted schemas of document stores', (documents) => {
  const server = useTestServer({ flags: ['--store-timeout-ms', '5000'] });
  const folder = schemaFolder();
  const uploaded: Reply[] = [];
  beforeAll(async () => {
    await documents.insert('stations', stationDocuments);
    await addWorkspace(server);
    const files = store('files', { directory: 'file:./' });
    const archive = stationArchive({ dataStore: documents.uri(), schemaStore: `file:${folder}`, more: files });
    uploaded.push(await server.request('PUT', `${stores}/stations/file.appschema?configure=all`, zip(archive)));
    await server.request('PUT', `${stores}/towns/file.shp`, zip(zipOf({ towns: pointShapefile() })));
  });
  const post = (path: string, options = {}) => server.post(`${maintained}/${path}`, '', options);
  const rebuild = (query: string) => post(`stations/datastores/weather/rebuildMongoSchemas?${query}`);

  it('belong to a published mapping', async () => {
    expect(uploaded.map(({ status, text }) => [status, text])).toEqual([[200, expect.anything()]]);
    const type = await server.get('/workspaces/w/featuretypes/Station.json');
    expect(type.json()).toMatchObject({
      featureType: { srs: 'EPSG:4326', nativeBoundingBox: { minx: 7.5, maxx: 8.25, miny: 46.5, maxy: 47 } },
    });
  });

  it('are rebuilt from the requested number of documents', async () => {
    const one = await rebuild('max=1');
    const ofOne = attributesIn(folder);
    const all = await rebuild('max=-1');

    expect([one.status, one.text, all.status, all.text]).toEqual([200, '', 200, '']);
    expect(ofOne).not.toContain('established');
    expect(attributesIn(folder)).toEqual([
      'place',
      'name',
      'contact.mail',
      'measurements.name',
      'measurements.unit',
      'measurements.values.time',
      'measurements.values.value',
      'established',
      'measurements',
    ]);
    expect(readdirSync(folder).sort()).toEqual(['package.json', 'stations.json']);
  });

  it('are rebuilt from the named documents and one more', async () => {
    expect((await rebuild('ids=s2')).status).toBe(200);
    expect(attributesIn(folder)).toContain('established');
    expect((await rebuild('ids=s2,s1&max=1&schema=stations')).status).toBe(200);
  });

  it('are deleted for one store or all, and inferred again on the next use', async () => {
    await rebuild('max=-1');

    const cleaned = await post('stations/datastores/weather/cleanSchemas');

    expect([cleaned.status, cleaned.text]).toEqual([200, '']);
    expect(readdirSync(folder)).toEqual(['package.json']);
    expect((await server.get(`${stores}/stations/featuretypes.json?list=all`)).status).toBe(200);
    await server.put('/workspaces/w/featuretypes/Station?recalculate=nativebbox', '{"featureType":{}}', {
      type: 'json',
    });
    expect(readdirSync(folder)).toContain('stations.json');
    expect((await post('stations/cleanSchemas')).status).toBe(200);
    expect(readdirSync(folder)).toEqual(['package.json']);
    expect((await post('stations/rebuildMongoSchemas?max=2')).status).toBe(200);
    expect(readdirSync(folder)).toContain('stations.json');
  });

  it('are recorded in the history, and unchanged by a dry run', async () => {
    await post('stations/cleanSchemas');

    const accept = 'application/vnd.graticule.change+json';
    const tried = await post('stations/rebuildMongoSchemas?max=-1&dryRun=true', { accept });
    const made = await post('stations/rebuildMongoSchemas?max=-1', { accept: 'json' });

    expect([tried.status, made.status]).toEqual([200, 200]);
    expect(tried.text).toContain('rebuild document schemas of stations in w');
    expect(made.headers['graticule-change']).toMatch(/^\d+$/);
    const dry = await post('stations/cleanSchemas?dryRun=true');
    expect(dry.status).toBe(200);
    expect(existsSync(join(folder, 'stations.json'))).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it.each([
    ['nowhere/appschemastores/stations/cleanSchemas', 404, /nowhere/],
    ['w/appschemastores/nothing/cleanSchemas', 404, /No such store: 'nothing'/],
    ['w/appschemastores/stations/datastores/none/cleanSchemas', 404, /no source data store 'none'/],
    ['w/appschemastores/towns/cleanSchemas', 400, /is a Shapefile store\. Only app-schema stores/],
    ['w/appschemastores/stations/datastores/files/cleanSchemas', 400, /'files' of the mapping is not a document store/],
    ['w/appschemastores/stations/rebuildMongoSchemas', 400, /'ids'.*'max'/],
    ['nowhere/appschemastores/none/rebuildMongoSchemas', 400, /'ids'.*'max'/],
    ['w/appschemastores/stations/rebuildMongoSchemas?max=few', 400, /max/],
    ['w/appschemastores/stations/rebuildMongoSchemas?max=0', 400, /max/],
    ['w/appschemastores/stations/rebuildMongoSchemas?max=-2', 400, /max/],
    ['w/appschemastores/stations/rebuildMongoSchemas?ids=a,,b', 400, /ids/],
    ['w/appschemastores/stations/rebuildMongoSchemas?ids=s1,missing', 400, /No document with the id 'missing' exists/],
    [
      'w/appschemastores/stations/datastores/weather/rebuildMongoSchemas?max=1&schema=x',
      400,
      /No such collection: 'x'/,
    ],
  ])('are unchanged after %s', async (path, status, reason) => {
    await rebuild('max=-1');
    const before = readFileSync(join(folder, 'stations.json'), 'utf8');

    const reply = await server.post(`/workspaces/${path}`, '');

    expect([reply.status, reply.text]).toEqual([status, expect.stringMatching(reason)]);
    expect(readFileSync(join(folder, 'stations.json'), 'utf8')).toBe(before);
  });

  it('are writable by administrators of the workspace only', async () => {
    await server.post('/security/acl/layers', '{"w.*.a":"ROLE_W"}');
    const ann = await addUser(server, 'ann', 'ROLE_W');
    const bob = await addUser(server, 'bob', 'ROLE_B');

    expect((await post('stations/cleanSchemas', { as: bob })).status).toBe(403);
    expect((await post('stations/cleanSchemas', { as: ann })).status).toBe(200);
    expect((await post('stations/cleanSchemas', { as: null })).status).toBe(401);
  });

  it('may be in a database or in one file', async () => {
    const places = [`${documents.uri('_schemas')}.kept`, `file:${join(folder, 'inner', 'all.json')}`];
    for (const [index, schemaStore] of places.entries()) {
      const archive = stationArchive({ dataStore: documents.uri(), schemaStore });
      const name = `other${index}`;
      expect(
        (await server.request('PUT', `${stores}/${name}/file.appschema?configure=none`, zip(archive))).status,
      ).toBeLessThan(300);
      expect((await post(`${name}/rebuildMongoSchemas?max=-1`)).status).toBe(200);
    }

    expect((await documents.all('kept', '_schemas')).map((each) => each['typeName'])).toEqual(['stations']);
    expect(JSON.parse(readFileSync(join(folder, 'inner', 'all.json'), 'utf8'))).toMatchObject({ typeName: 'stations' });
    for (const index of places.keys()) expect((await post(`other${index}/cleanSchemas`)).status).toBe(200);
    expect(await documents.all('kept', '_schemas')).toEqual([]);
    expect(readdirSync(join(folder, 'inner'))).toEqual([]);
  });

  it('are used and kept if they were uploaded', async () => {
    const schema =
      '{"typeName":"stations","attributeDescriptors":[{"localName":"name","type":{"binding":"java.lang.String"}}]}';
    const archive = stationArchive(
      { dataStore: documents.uri(), schemaStore: 'file:./schemas' },
      { 'schemas/stations.json': schema },
    );
    await server.request('PUT', `${stores}/fixed/file.appschema?configure=none`, zip(archive));

    const reply = await post('fixed/rebuildMongoSchemas?max=1');

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('were uploaded with the store')]);
  });

  it('are replaced if they are damaged', async () => {
    writeFileSync(join(folder, 'stations.json'), '{"typeName":');

    expect((await rebuild('max=-1')).status).toBe(200);
    expect(attributesIn(folder)).toContain('name');
  });

  it('are reported if they cannot be written', async () => {
    const place = join(folder, 'taken');
    mkdirSync(place);
    writeFileSync(join(place, 'inner'), '');
    const archive = stationArchive({ dataStore: documents.uri(), schemaStore: `file:${join(place, 'inner')}` });
    await server.request('PUT', `${stores}/unwritable/file.appschema?configure=none`, zip(archive));

    const reply = await post('unwritable/rebuildMongoSchemas?max=1');

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("'inner' cannot be read or written")]);
    expect(reply.text).not.toContain(tmpdir());
  });
});

describe('a faulty document database', () => {
  const server = useTestServer({ flags: ['--store-timeout-ms', '6000'] });

  it.each(['hang', 'drop', 'no length', 'negative length', 'huge length', 'broken document'] as const)(
    'returns 502 with the reason within the deadline when the database: %s',
    async (how) => {
      await addWorkspace(server);
      const folder = schemaFolder();
      const name = how.replace(' ', '-');
      await withStations(async (uri, database) => {
        const archive = stationArchive({ dataStore: `${uri}?connectTimeoutMS=1000`, schemaStore: `file:${folder}` });
        const sent = await server.request('PUT', `${stores}/${name}/file.appschema?configure=none`, zip(archive));
        database.misbehave(how);

        const reply = await server.post(`${maintained}/${name}/rebuildMongoSchemas?max=1`, '');

        expect(sent.status).toBeLessThan(300);
        expect([reply.status, reply.text]).toEqual([502, expect.stringContaining(`'${name}' is unavailable: `)]);
        expect(readdirSync(folder)).toEqual(['package.json']);
      });
    },
  );

  it('never reveals the password of its URI', async () => {
    await addWorkspace(server);
    const database = await startDocumentServer();
    const dataStore = database.uri('x').replace('//', '//jane:hunter2@');
    const archive = stationArchive({ dataStore, schemaStore: `file:${schemaFolder()}` });

    const sent = await server.request('PUT', `${stores}/secret/file.appschema?configure=none`, zip(archive));
    const reply = await server.post(`${maintained}/secret/rebuildMongoSchemas?max=1`, '');
    const shown = await server.get(`${stores}/secret.json`);

    await database.close();
    expect([sent.status < 300, reply.status, shown.status]).toEqual([true, 502, 200]);
    expect(JSON.stringify([sent.headers, sent.text, reply.headers, reply.text, shown.text, server.log])).not.toContain(
      'hunter2',
    );
  });
});

describeWithDocuments('persisted schemas of document stores in the reference dialect', (documents) => {
  const server = useTestServer({ compat: 'geoserver' });

  it('return 400 if they are missing', async () => {
    await addWorkspace(server);
    const archive = stationArchive({ dataStore: documents.uri(), schemaStore: `file:${schemaFolder()}` });
    await server.request('PUT', `${stores}/stations/file.appschema?configure=none`, zip(archive));

    for (const path of [
      'nowhere/appschemastores/x',
      'w/appschemastores/x',
      'w/appschemastores/stations/datastores/x',
    ]) {
      expect((await server.post(`/workspaces/${path}/cleanSchemas`, '')).status).toBe(400);
    }
  });
});
