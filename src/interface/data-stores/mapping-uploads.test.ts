/** App-schema mappings uploaded with their schemas: publication and replacement. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  attribute,
  boreholes,
  changedSurveyMapping,
  createArchive,
  faults,
  files,
  mapping,
  samples,
  schemas,
  store,
  surveyFiles,
  surveyMapping,
  tables,
  typeMapping,
  type UploadedFiles,
} from '../../../test/support/mapping-samples.ts';
import { startRemoteServer } from '../../../test/support/remote-server.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { featureTypes, readResource, snapshot } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';

function uploadsTo(server: TestServer) {
  const put = (path: string, body: string | Buffer, type = 'text/xml', accept?: string) =>
    server.request('PUT', `${stores}/${path}`, { type, body, ...(accept === undefined ? {} : { accept }) });
  return { put, putFiles: (path: string, all: UploadedFiles) => put(path, createArchive(all), 'application/zip') };
}

async function writeFiles(folder: string, all: UploadedFiles): Promise<void> {
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

describe('a mapping', () => {
  const server = useTestServer();
  const { put, putFiles } = uploadsTo(server);
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  it('is uploaded in an archive with its includes and schemas, and yields a feature type for each feature', async () => {
    const archive = createArchive(surveyFiles);

    const reply = await put('survey/file.appschema?configure=all', archive, 'application/zip', 'application/json');

    expect(reply.status).toBe(200);
    expect(reply.json()).toMatchObject({
      upload: {
        featureTypes: {
          featureType: [
            { name: 'Borehole', outcome: 'published', srs: 'EPSG:4326' },
            { name: 'Fault', outcome: 'published' },
            { name: 'Sample', outcome: 'published' },
          ],
        },
        unpublished: { string: [] },
        warnings: { string: [] },
      },
    });
    const listing = await server.get(`${stores}/survey/featuretypes.xml`);
    for (const name of ['Borehole', 'Fault', 'Sample']) {
      expect(listing.text).toContain(`${stores}/survey/featuretypes/${name}.xml"`);
      expect((await server.get(`/layers/acme:${name}`)).status).toBe(200);
    }
    await server.delete(`${stores}/survey?recurse=true`);
  });

  it('creates a store of the app-schema type, in XML and in JSON', async () => {
    await putFiles('shaped/file.appschema?configure=none', surveyFiles);

    const { text } = await server.get(`${stores}/shaped.xml`);

    expect(text).toContain('<type>Application Schema DataAccess</type>');
    expect(text).toContain('<entry key="dbtype">app-schema</entry>');
    expect(text).toContain('<entry key="url">file:data/acme/shaped/1/survey.appschema</entry>');
    expect(text).toContain('<entry key="namespace">http://acme</entry>');
    expect(await readResource(server, `${stores}/shaped`)).toMatchObject({
      type: 'Application Schema DataAccess',
      enabled: true,
      connectionParameters: {
        entry: expect.arrayContaining([
          { '@key': 'dbtype', $: 'app-schema' },
          { '@key': 'url', $: 'file:data/acme/shaped/1/survey.appschema' },
          { '@key': 'namespace', $: 'http://acme' },
        ]),
      },
    });
  });

  it('shows the nested structure of its types', async () => {
    await putFiles('nested/file.appschema?configure=none', surveyFiles);
    await server.post(`${stores}/nested/featuretypes`, '<featureType><name>Borehole</name></featureType>');

    const type = await readResource(server, `${stores}/nested/featuretypes/Borehole`);
    const { text } = await server.get(`${stores}/nested/featuretypes/Borehole.xml`);

    expect(type).toMatchObject({
      nativeName: 'Borehole',
      srs: 'EPSG:4326',
      nativeBoundingBox: { minx: 7, maxx: 8, miny: 49, maxy: 50 },
      attributes: {
        attribute: expect.arrayContaining([
          { name: 'gml:name', minOccurs: 0, maxOccurs: -1, nillable: false, binding: 'java.lang.String' },
          { name: 'depth', minOccurs: 1, maxOccurs: 1, nillable: false, binding: 'java.lang.Double' },
          {
            name: 'place',
            minOccurs: 1,
            maxOccurs: 1,
            nillable: false,
            binding: 'org.locationtech.jts.geom.Point',
          },
          {
            name: 'drilled',
            minOccurs: 0,
            maxOccurs: -1,
            nillable: false,
            binding: 'java.util.Collection',
            attributes: {
              attribute: [
                {
                  name: 'Event',
                  minOccurs: 1,
                  maxOccurs: 1,
                  nillable: false,
                  binding: 'java.util.Collection',
                  attributes: {
                    attribute: [
                      { name: 'by', minOccurs: 1, maxOccurs: 1, nillable: false, binding: 'java.lang.String' },
                      { name: 'on', minOccurs: 0, maxOccurs: 1, nillable: false, binding: expect.any(String) },
                    ],
                  },
                },
              ],
            },
          },
        ]),
      },
    });
    expect(text).toMatch(/<name>drilled<\/name>[\s\S]*?<attributes>\s*<attribute>\s*<name>Event<\/name>/);
    expect(await readResource(server, '/layers/acme:Borehole')).toMatchObject({ defaultStyle: { name: 'point' } });
  });

  it('keeps the nested structure when its document is sent back', async () => {
    await putFiles('sent/file.appschema?configure=none', surveyFiles);
    const path = `${stores}/sent/featuretypes/back`;
    await server.post(
      `${stores}/sent/featuretypes`,
      '<featureType><name>back</name><nativeName>Borehole</nativeName></featureType>',
    );
    const before = await server.get(`${path}.json`);

    const reply = await server.put(path, before.text);

    expect([reply.status, reply.headers['warning']]).toEqual([200, undefined]);
    expect((await server.get(`${path}.json`)).json()).toEqual(before.json());
  });

  it('publishes the first type of its main file by default and lists the others as available', async () => {
    const reply = await putFiles('first/file.appschema', surveyFiles);

    expect(reply).toMatchObject({ status: 200, text: expect.stringContaining('Not published: Fault, Sample.') });
    const available = await server.get(`${stores}/first/featuretypes.xml?list=available`);
    expect(available.text).toMatch(/<featureTypeName>Fault<\/featureTypeName>\s*<featureTypeName>Sample</);
    expect((await server.post(`${stores}/first/reset`, '')).status).toBe(200);
  });

  it('prefers the stores of its own file where two files use the same store id', async () => {
    const other = { 'other/cores.properties': '_=label:String,grams:Double\ncores.1=from the other folder|1\n' };
    const more = mapping({ stores: store('files', { directory: 'file:./other/' }), types: [samples] });
    const main = mapping({ includes: ['samples.xml'], stores: files, types: [boreholes] });

    const reply = await putFiles('namesakes/file.appschema?configure=all', {
      ...schemas,
      ...tables,
      ...other,
      'main.appschema': main,
      'samples.xml': more,
    });

    expect(reply.status).toBe(200);
    const [type] = (await featureTypes(server, 'acme/namesakes')).filter((name) => name.startsWith('Sample'));
    const page = await server.get(`${stores}/namesakes/featuretypes/${type}.html`);
    expect(page.text).toContain('from the other folder');
    await server.delete(`${stores}/namesakes?recurse=true`);
  });

  it('publishes no mapped element that is not a feature', async () => {
    const event = typeMapping('s:Event', 'holes', [attribute('s:by', 'company'), attribute('FEATURE_LINK', 'code')]);

    await putFiles('parts/file.appschema?configure=all', {
      ...schemas,
      ...tables,
      'parts.appschema': surveyMapping([samples, event]),
    });

    expect(await featureTypes(server, 'acme/parts')).toEqual(['Sample']);
  });

  it('creates a store from a single file if the operator provides its schemas', async () => {
    await writeFiles(join(server.dataDir, 'app-schema-cache', 'com', 'example', 'schemas'), schemas);
    const single = mapping({
      schemas: ['http://schemas.example.com/survey.xsd'],
      stores:
        '<DataStore><id>db</id><parameters><Parameter><name>dbtype</name><value>postgis</value></Parameter><Parameter><name>host</name><value>127.0.0.1</value></Parameter><Parameter><name>port</name><value>1</value></Parameter><Parameter><name>database</name><value>d</value></Parameter><Parameter><name>user</name><value>u</value></Parameter><Parameter><name>passwd</name><value>hunter2</value></Parameter></parameters></DataStore>',
      types: [typeMapping('s:Fault', 'lines', [attribute('s:trace', 'trace')], 'db')],
    });

    const reply = await put('single/file.appschema?configure=all', single);

    expect(reply.status).toBe(201);
    expect(reply.headers['location']).toMatch(/\/datastores\/single$/);
    expect(reply.headers['warning']).toContain("The source data store 'db' of the mapping is unreachable");
    expect(reply.text).not.toContain('hunter2');
    expect(await featureTypes(server, 'acme/single')).toEqual([expect.stringMatching(/^Fault/)]);
    await server.delete(`${stores}/single?recurse=true`);
  });

  it('replaces the previous mapping as a single file with the same schemas and changes nothing else', async () => {
    await putFiles('replaced/file.appschema?configure=all', surveyFiles);
    const types = await server.get(`${stores}/replaced/featuretypes.json`);
    const [name] = await featureTypes(server, 'acme/replaced');
    const box = { minx: 0, maxx: 90, miny: 0, maxy: 80, crs: 'EPSG:4326' };
    const own = {
      nativeBoundingBox: box,
      latLonBoundingBox: box,
      attributes: { attribute: [{ name: 'gml:name', binding: 'java.lang.String' }] },
    };
    await server.put(`${stores}/replaced/featuretypes/${name}`, JSON.stringify({ featureType: own }), { type: 'json' });
    const before = await server.get(`${stores}/replaced/featuretypes/${name}.json`);

    const reply = await put('replaced/file.appschema?configure=none', changedSurveyMapping);

    expect(reply.status).toBe(200);
    expect((await server.get(`${stores}/replaced/featuretypes.json`)).text).toBe(types.text);
    expect((await server.get(`${stores}/replaced/featuretypes/${name}.json`)).text).toBe(before.text);
    expect(before.json()).toMatchObject({ featureType: { nativeBoundingBox: box } });
    expect((await server.get(`${stores}/replaced/featuretypes/${name}.html`)).text).toContain('hole North');
    await server.delete(`${stores}/replaced?recurse=true`);
  });

  it('is replaced as a whole by an archive', async () => {
    await putFiles('whole/file.appschema?configure=none', surveyFiles);

    const reply = await putFiles('whole/file.appschema?configure=none', {
      ...schemas,
      ...tables,
      'maps/other.appschema': mapping({
        schemas: ['../survey.xsd'],
        stores: files.replace('file:./', 'file:../'),
        types: [boreholes, samples, faults],
      }),
    });

    expect(reply.status).toBe(200);
    const { text } = await server.get(`${stores}/whole.xml`);
    expect(text).toContain('<entry key="url">file:data/acme/whole/1/maps/other.appschema</entry>');
  });

  it('is rejected with configure=none if its types differ, with the advice to recreate the store', async () => {
    await putFiles('fixed/file.appschema?configure=none', surveyFiles);
    const before = await server.get(`${stores}/fixed.json`);

    const reply = await put('fixed/file.appschema?configure=none', mapping({ stores: files, types: [boreholes] }));

    expect(reply.status).toBe(400);
    expect(reply.text).toContain('(without Fault, Sample)');
    expect(reply.text).toContain('Delete the store, and create it again with a PUT.');
    const after = await server.get(`${stores}/fixed.json`);
    expect(after.headers['etag']).toBe(before.headers['etag']);
  });

  it('keeps the previous mapping if the new one is invalid', async () => {
    await putFiles('working/file.appschema?configure=none', surveyFiles);
    const [before, disk] = [await server.get(`${stores}/working.json`), await snapshot(server.dataDir)];

    const replies = [
      await put('working/file.appschema?configure=none', surveyMapping([boreholes.replace('holes', 'gone')])),
      await put('working/file.appschema?configure=none', '<no/>'),
      await putFiles('working/file.appschema?configure=all', { 'x.appschema': surveyMapping() }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await server.get(`${stores}/working.json`)).text).toBe(before.text);
    expect((await server.get(`${stores}/working/featuretypes.json?list=all`)).json()).toEqual({
      list: { string: ['Borehole', 'Fault', 'Sample'] },
    });
    expect(await snapshot(server.dataDir)).toEqual(disk);
  });

  it('is rejected for a store of another type, and is never imported', async () => {
    await put('plain/file.properties', tables['cores.properties'] ?? '', 'text/plain');

    const into = await putFiles('plain/file.appschema', surveyFiles);
    const imported = await putFiles('imported/file.appschema?target=gpkg', surveyFiles);

    expect([into.status, into.text]).toEqual([400, expect.stringContaining("'plain' is a Properties store")]);
    expect([imported.status, imported.text]).toEqual([400, expect.stringContaining('Set target to appschema')]);
  });

  it('must be in a file with the extension .appschema if there are several files', async () => {
    const { 'survey.appschema': main = '', ...others } = surveyFiles;

    const reply = await putFiles('ending/file.appschema', { ...others, 'survey.xml': main });

    expect(reply.status).toBe(400);
    expect(reply.text).toContain('no file has the extension .appschema');
    expect((await server.get(`${stores}/ending`)).status).toBe(404);
  });

  it('leaves nothing behind after a dry run', async () => {
    const before = await snapshot(server.dataDir);

    const reply = await putFiles('tried/file.appschema?configure=all&dryRun=true', surveyFiles);

    expect(reply.status).toBe(200);
    expect((await server.get(`${stores}/tried`)).status).toBe(404);
    expect(await snapshot(server.dataDir)).toEqual(before);
  });
});

describe('a mapping outside the store', () => {
  const outside = useTemporaryFolder('mappings');
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  const { put } = uploadsTo(server);
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await writeFiles(outside, surveyFiles);
  });

  it('is used in place on the server', async () => {
    const path = join(outside, 'survey.appschema');

    const reply = await put('outside/external.appschema?configure=all', path, 'text/plain');

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, 'acme/outside')).toEqual(['Borehole', 'Fault', 'Sample']);
    expect((await server.get(`${stores}/outside.xml`)).text).toContain(`<entry key="url">file://${path}</entry>`);
  });

  it('can be a store with connection parameters', async () => {
    const parameters = {
      dbtype: 'app-schema',
      url: `file://${join(outside, 'survey.appschema')}`,
      namespace: 'http://x',
    };
    const entry = Object.entries(parameters).map(([key, value]) => ({ '@key': key, $: value }));

    const reply = await server.post(
      `${stores}?validate=connect`,
      JSON.stringify({ dataStore: { name: 'posted', connectionParameters: { entry } } }),
    );

    expect([reply.status, reply.headers['warning']]).toEqual([201, undefined]);
    expect(await readResource(server, `${stores}/posted`)).toMatchObject({ type: 'Application Schema DataAccess' });
    const published = await server.post(
      `${stores}/posted/featuretypes`,
      '<featureType><name>Hole</name><nativeName>Borehole</nativeName></featureType>',
    );
    expect(published.status).toBe(201);
  });

  it('reports missing parts when the store is tested', async () => {
    const store = (name: string, url: string) =>
      `<dataStore><name>${name}</name><connectionParameters><entry key="dbtype">app-schema</entry><entry key="url">${url}</entry></connectionParameters></dataStore>`;
    await writeFile(
      join(outside, 'broken.appschema'),
      mapping({ schemas: ['none.xsd'], stores: files, types: [faults] }),
    );

    const broken = await server.post(
      `${stores}?validate=connect`,
      store('broken', `file://${outside}/broken.appschema`),
    );
    const none = await server.post(`${stores}?validate=connect`, store('none', ''));
    const remote = await server.post(`${stores}?validate=connect`, store('far', 'http://example.com/x.appschema'));

    expect([broken.status, broken.text]).toEqual([
      400,
      expect.stringContaining("The schema 'none.xsd' is missing from the uploaded files"),
    ]);
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('requires the path of its main mapping')]);
    expect([remote.status, remote.text]).toEqual([400, expect.stringContaining('must be a path or a file: URL')]);
  });

  it('is fetched from a URL that a check allows', async () => {
    const remote = await startRemoteServer((_request, response) => response.end(createArchive(surveyFiles)));
    const url = `http://maps.example.com:${remote.port}/survey.zip`;

    const refused = await put('fetched/url.appschema?configure=none', url, 'text/plain');
    const check = { regexUrlCheck: { name: 'maps', enabled: true, regex: '^http://maps\\.example\\.com:\\d+/.*$' } };
    await server.post('/urlchecks', JSON.stringify(check));
    const reply = await put('fetched/url.appschema?configure=none', url, 'text/plain');

    expect([refused.status, reply.status]).toEqual([403, 200]);
    expect(remote.asked).toHaveLength(1);
  });
});

describe('a mapping in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });
  const { put, putFiles } = uploadsTo(server);
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  it('is always answered with 201 and an empty body', async () => {
    const created = await putFiles('survey/file.appschema?configure=all', surveyFiles);
    const replaced = await put('survey/file.appschema?configure=none', surveyFiles['survey.appschema'] ?? '');

    expect([created.status, created.text, replaced.status, replaced.text]).toEqual([201, '', 201, '']);
  });

  it('publishes only the types of its main file', async () => {
    await putFiles('main/file.appschema?configure=all', surveyFiles);

    const { text } = await server.get(`${stores}/main/featuretypes.xml`);
    expect([...text.matchAll(/<name>(\w+)<\/name>/g)].map(([, name]) => name)).toEqual(['Borehole1']);
  });
});
