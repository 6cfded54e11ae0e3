/** Invalid mappings are rejected with file and line, and leave nothing behind. */
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  attribute,
  boreholes,
  createArchive,
  faults,
  files,
  mapping,
  samples,
  schema,
  schemas,
  store,
  surveyFiles,
  surveyMapping,
  tables,
  typeMapping,
  type UploadedFiles,
} from '../../../test/support/mapping-samples.ts';
import { type RawEntry, rawZip } from '../../../test/support/raw-zip.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { snapshot } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';

const placeholder = (name: string) => `$\{${name}}`;

const database = {
  dbtype: 'postgis',
  host: 'db.example',
  port: '5432',
  database: 'survey',
  user: 'reader',
  passwd: 'hunter2',
};

describe('an invalid mapping', () => {
  const outside = useTemporaryFolder('outside');
  const server = useTestServer({ flags: ['--database-hosts', 'db.example'] });
  let ann = '';
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
    ann = await addUser(server, 'ann', 'ROLE_ACME');
  });
  const send = (body: Buffer, as?: string) =>
    server.request('PUT', `${stores}/refused/file.appschema?configure=all`, {
      type: 'application/zip',
      body,
      accept: 'application/json',
      ...(as === undefined ? {} : { as }),
    });

  /** Returns the status and the message after a check that nothing was left behind. */
  async function refusalOf(body: UploadedFiles | Buffer, as?: string): Promise<string> {
    const before = await snapshot(server.dataDir);
    const reply = await send(Buffer.isBuffer(body) ? body : createArchive(body), as);
    expect((await server.get(`${stores}/refused`)).status).toBe(404);
    expect(await snapshot(server.dataDir)).toEqual(before);
    const { message } = reply.json() as { readonly message?: string };
    return `${reply.status} ${message}`;
  }

  const withMain = (main: string, more: UploadedFiles = {}): UploadedFiles => ({
    ...schemas,
    ...tables,
    ...more,
    'main.appschema': main,
  });
  const withType = (type: string, storesXml = files): UploadedFiles => withMain(surveyMapping([type], storesXml));

  it('reports every missing file with the file that refers to it', async () => {
    const refusal = await refusalOf({
      'main.appschema': mapping({ includes: ['one.xml', 'gone.xml'], stores: files, types: [boreholes] }),
      'one.xml': mapping({ includes: ['lost.xml'], schemas: ['survey.xsd', 'more.xsd'] }),
      'survey.xsd': schemas['survey.xsd'] ?? '',
    });

    expect(refusal).toMatch(/^400 The mapping is invalid\. /);
    expect(refusal).toContain(
      "main.appschema, line 8: The included mapping 'gone.xml' is missing from the uploaded files.",
    );
    expect(refusal).toContain("one.xml, line 8: The included mapping 'lost.xml' is missing from the uploaded files.");
    expect(refusal).toContain(
      "The schema 'more.xsd' is missing from the uploaded files. Referenced by one.xml, line 10.",
    );
    expect(refusal).toContain(
      "The schema 'parts/borehole.xsd' is missing from the uploaded files. Referenced by survey.xsd, line 4.",
    );
    expect(refusal).toContain(
      "The schema 'parts/sample.xsd' is missing from the uploaded files. Referenced by survey.xsd, line 5.",
    );
  });

  it('reports schemas with credentials in their URL', async () => {
    const refusal = await refusalOf(
      withMain(
        mapping({
          schemas: ['https://user:hunter2@schemas.example.com/far/survey.xsd'],
          stores: files,
          types: [faults],
        }),
      ),
    );

    expect(refusal).toMatch(/^400 /);
    expect(refusal).toContain("'https://schemas.example.com/far/survey.xsd' is unavailable");
    expect(refusal).toContain('it contains credentials');
    expect(refusal).toContain("app-schema-cache/com/example/schemas/far/survey.xsd'");
    expect(refusal).not.toContain('hunter2');
  });

  it.each([
    [
      'an element that no schema defines',
      withType(samples.replace('s:Sample', 's:Simple')),
      /main\.appschema, line \d+: The schemas define no element 'Simple' in the namespace 'http:\/\/example\.com\/survey'/,
    ],
    [
      'an unknown store',
      withType(samples.replace('>files<', '>fields<')),
      /main\.appschema, line 12: The mapping of 's:Sample' refers to the unknown source data store 'fields'/,
    ],
    [
      'an unknown table',
      withType(samples.replace('>cores<', '>crates<')),
      /main\.appschema, line 12: The mapping of 's:Sample' reads 'crates', which does not exist in the store 'files'/,
    ],
    [
      'an unknown column',
      withType(samples.replace('>grams<', '>grains<')),
      /main\.appschema, line 18: The mapping of 's:Sample'.*'grains'.*'cores'/,
    ],
    [
      'an unknown function',
      withType(samples.replace('>grams<', '>weigh(grams)<')),
      /main\.appschema, line 18: .*unknown function 'weigh'/,
    ],
    [
      'an unknown store type',
      withType(samples, store('files', { dbtype: 'oracle', host: 'db.example' })),
      /main\.appschema, line 9: The source data store 'files' has the unknown type 'oracle' \(dbtype\)\. Supported types: PostGIS, /,
    ],
    [
      'invalid parameters',
      withType(samples, store('files', { ...database, port: 'x' })),
      /main\.appschema, line 9: The source data store 'files' is unusable: The connection parameter 'port' is invalid: it must be an integer from 1 to 65535/,
    ],
    [
      'an undefined placeholder',
      withType(samples, store('files', { directory: `file:${placeholder('data.dir')}` })),
      /Unknown property 'data\.dir'/,
    ],
    [
      'no feature',
      withType(typeMapping('s:Event', 'holes', [attribute('s:by', 'company')])),
      /No mapped type is a feature/,
    ],
    ['no mapping', withMain('<mapping/>'), /main\.appschema, line 1: The root element must be AppSchemaDataAccess/],
    [
      'an invalid schema',
      withMain(surveyMapping([samples]), { 'parts/sample.xsd': '<xs:schema' }),
      /parts\/sample\.xsd, line 1: /,
    ],
  ] as const)('reports %s with file and line', async (_what, all, message) => {
    const refusal = await refusalOf(all);

    expect(refusal).toMatch(/^400 The mapping is invalid\. /);
    expect(refusal).toMatch(message);
  });

  it('is accepted with a warning while its databases are unreachable', async () => {
    const types = [typeMapping('s:Fault', 'lines', [attribute('s:trace', 'trace')], 'db')];
    const down = store('db', { ...database, host: '127.0.0.1', port: '1' });

    const reply = await send(createArchive(withMain(surveyMapping(types, down))));

    expect(reply.status).toBe(200);
    expect(reply.headers['warning']).toContain("The source data store 'db' of the mapping is unreachable");
    expect(reply.text).not.toContain('hunter2');
    await server.delete(`${stores}/refused?recurse=true`);
  });

  it('resolves placeholders from the properties in its archive', async () => {
    const main = surveyMapping(
      [samples],
      store('files', { directory: `file:${placeholder('config.parent')}/${placeholder('data.dir')}` }),
    );

    const reply = await send(
      createArchive({
        ...schemas,
        'main.appschema': main,
        'app-schema.properties': '# where data is\ndata.dir = tables\n',
        'tables/cores.properties': tables['cores.properties'] ?? '',
      }),
    );

    expect(reply.status).toBe(200);
    await server.delete(`${stores}/refused?recurse=true`);
  });

  it('resolves placeholders from the operator for a full administrator, after its own', async () => {
    await mkdir(join(server.dataDir, 'security'), { recursive: true });
    await writeFile(join(server.dataDir, 'security', 'app-schema.properties'), 'data.dir=tables\ndata.text=hunter2\n');
    const named = store('files', { directory: `file:${placeholder('data.dir')}` });
    const sample = samples.replace('>label<', `>'${placeholder('data.text')}'<`);
    const upload = (more: UploadedFiles = {}) =>
      createArchive({
        ...schemas,
        'main.appschema': surveyMapping([sample], named),
        'tables/cores.properties': tables['cores.properties'] ?? '',
        ...more,
      });
    const page = () => server.get(`${stores}/refused/featuretypes/Sample.html`);

    expect(await refusalOf(upload(), ann)).toMatch(/^400 .*Unknown property 'data\.dir'/);
    expect((await send(upload())).status).toBe(200);
    expect((await page()).text).toContain('hunter2');
    await server.delete(`${stores}/refused?recurse=true`);
    const own = { 'app-schema.properties': 'data.dir=tables\ndata.text=mine\n' };
    expect((await send(upload(own), ann)).status).toBe(200);
    const { text } = await page();
    expect(text).toContain('mine');
    expect(text).not.toContain('hunter2');
    await server.delete(`${stores}/refused?recurse=true`);
  });

  describe('a mapping with a forbidden target', () => {
    it.each(['file:../', '../../', 'file:./../../../', 'file:%2e%2e/', 'a/../../b'])(
      "is rejected for the data folder '%s'",
      async (directory) => {
        expect(await refusalOf(withType(samples, store('files', { directory })))).toMatch(/^40[03] /);
      },
    );

    it.each(['file:///etc/', '/etc/', 'file:/proc/self/', '//etc'])(
      "is rejected for the folder '%s' of a workspace administrator",
      async (directory) => {
        expect(await refusalOf(withType(samples, store('files', { directory })), ann)).toMatch(/^40[03] /);
      },
    );

    it('is rejected for files of the server itself', async () => {
      const own = store('files', { directory: `file://${server.dataDir}/security/` });

      expect(await refusalOf(withType(samples, own))).toMatch(/^40[03] /);
    });

    it('is rejected for hosts limited to full administrators', async () => {
      const types = [typeMapping('s:Fault', 'lines', [attribute('s:trace', 'trace')], 'db')];
      const foreign = surveyMapping(types, store('db', { ...database, host: 'internal.example' }));

      const refusal = await refusalOf(withMain(foreign), ann);

      expect(refusal).toMatch(/^403 .*'internal\.example'/);
      expect(refusal).not.toContain('hunter2');
    });

    it.each([
      ['a folder', { directory: 'file:///etc/' }],
      ['a host', { ...database, host: 'internal.example' }],
      ['a document database', { data_store: 'mongodb://internal.example/x', schema_store: 'file:./s' }],
      ['a schema location', { data_store: 'mongodb://db.example/x', schema_store: 'file:///etc/' }],
    ])('is rejected for %s in an unused store of a workspace administrator', async (_, evil) => {
      const main = surveyMapping([samples], files + store('unused', evil));

      expect(await refusalOf(withMain(main), ann)).toMatch(/^403 .*(?:internal\.example|\/etc)/);
    });

    it.each([
      ['main', 'more'],
      ['more', 'main'],
    ])('is rejected for a store of the %s mapping with the same id as one in the %s mapping', async (evil) => {
      const elsewhere = store('files', { directory: 'file:///etc/' });
      const main = mapping({ includes: ['more.xml'], stores: evil === 'main' ? elsewhere : files, types: [samples] });
      const more = mapping({ stores: evil === 'main' ? files : elsewhere, types: [faults] });

      expect(await refusalOf(withMain(main, { 'more.xml': more }), ann)).toMatch(/^403 .*\/etc/);
    });

    it.each(['../up.xsd', '/etc/passwd', 'file:///etc/passwd', '..\\up.xsd', 'a/../../up.xsd'])(
      "is rejected for the schema '%s'",
      async (uri) => {
        const refusal = await refusalOf(withMain(mapping({ schemas: [uri], stores: files, types: [samples] })));

        expect(refusal).toMatch(/^400 /);
        expect(refusal).not.toContain('root:');
      },
    );

    it('is rejected for a symbolic link into the files of the server itself', async () => {
      const beside = join(server.dataDir, 'data', 'beside.appschema');
      const folder = join(server.dataDir, 'data', 'tables');
      await symlink(join(server.dataDir, 'security'), folder);
      await writeFile(join(server.dataDir, 'data', 'survey.xsd'), schemas['parts/sample.xsd'] ?? '');
      await writeFile(beside, surveyMapping([samples], store('files', { directory: 'file:./tables/' })));

      const reply = await server.request('PUT', `${stores}/beside/external.appschema`, {
        type: 'text/plain',
        body: 'data/beside.appschema',
      });

      expect([400, 403]).toContain(reply.status);
      expect(reply.text).not.toContain('does not exist in the store');
      await rm(folder);
    });

    it('is rejected for a symbolic link in a folder of the server', async () => {
      const folder = join(outside, 'linked');
      await mkdir(folder);
      await writeFile(join(outside, 'secret.xsd'), schemas['survey.xsd'] ?? '');
      await writeFile(join(folder, 'main.appschema'), surveyMapping([samples]));
      await symlink(join(outside, 'secret.xsd'), join(folder, 'survey.xsd'));

      const reply = await server.request('PUT', `${stores}/linked/external.appschema`, {
        type: 'text/plain',
        body: join(folder, 'main.appschema'),
      });

      expect([reply.status, reply.text]).toEqual([
        400,
        expect.stringContaining("The schema 'survey.xsd' is missing from the uploaded files"),
      ]);
    });
  });

  describe('a malicious mapping', () => {
    const hostile = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "&a;&a;">]>';

    it('is rejected with a DOCTYPE, in a mapping or in a schema', async () => {
      const main = surveyMapping([samples]).replace(/^<\?xml.*?\?>/, hostile);
      const part = (schemas['parts/sample.xsd'] ?? '').replace(/^<\?xml.*?\?>/, hostile);

      const refusals = [
        await refusalOf(withMain(main)),
        await refusalOf(withMain(surveyMapping([samples]), { 'parts/sample.xsd': part })),
      ];

      for (const refusal of refusals) expect(refusal).toMatch(/^400 .*DOCTYPE/);
    });

    it('is rejected with circular includes', async () => {
      const refusal = await refusalOf({
        ...surveyFiles,
        'samples.xml': mapping({ includes: ['faults.xml'], types: [samples] }),
        'faults.xml': mapping({ includes: ['samples.xml'], types: [faults] }),
      });

      expect(refusal).toMatch(
        /^400 .*Mappings include each other in a cycle: samples\.xml -> faults\.xml -> samples\.xml/,
      );
    });

    it('is rejected over the size limit', async () => {
      const long = withType(samples.replace('>label<', `>'${'x'.repeat(5_000_000)}'<`));

      expect(await refusalOf(long)).toMatch(/^400 .*'main\.appschema' may have at most 4194304 bytes/);
    });

    it('is rejected with ten thousand includes', { timeout: 180_000 }, async () => {
      const names = Array.from({ length: 10_000 }, (_, index) => `m${index}.xml`);
      const empty = mapping({});
      const all = Object.fromEntries(names.slice(0, 600).map((name) => [name, empty]));

      const refusal = await refusalOf({
        ...all,
        ...withMain(mapping({ includes: names, stores: files, types: [samples] })),
      });

      expect(refusal).toMatch(/^400 .*The mapping consists of more than 500 files/);
    });

    it('is rejected with exponentially growing schema groups or more than a thousand schema includes', {
      timeout: 180_000,
    }, async () => {
      const groups = Array.from(
        { length: 40 },
        (_, index) =>
          `<xs:group name="g${index + 1}"><xs:sequence><xs:group ref="s:g${index}"/><xs:group ref="s:g${index}"/><xs:element name="e${index}" type="xs:string"/></xs:sequence></xs:group>`,
      );
      const many = Array.from({ length: 1_100 }, (_, index) => `p${index}.xsd`);
      const including = many.map((name) => `<xs:include schemaLocation="${name}"/>`).join('');
      const bomb = schema(
        `${groups.join('')}<xs:group name="g0"><xs:sequence>${Array.from({ length: 60_000 }, (_, index) => `<xs:element name="x${index}" type="xs:string"/>`).join('')}</xs:sequence></xs:group>`,
      );

      const refusals = [
        await refusalOf(withMain(surveyMapping([samples]), { 'parts/sample.xsd': bomb })),
        await refusalOf(
          withMain(surveyMapping([samples]), {
            'parts/sample.xsd': schema(including),
            ...Object.fromEntries(many.map((name) => [`parts/${name}`, schema('')])),
          }),
        ),
      ];

      expect(refusals[0]).toMatch(/^400 /);
      expect(refusals[1]).toMatch(/^400 .*The schema consists of more than 1000 files/);
    });

    it.each<readonly [string, RawEntry]>([
      ['a parent path', { name: '../evil.appschema', data: 'x' }],
      ['an absolute path', { name: '/tmp/evil.appschema', data: 'x' }],
      ['backslashes in a path', { name: '..\\evil.appschema', data: 'x' }],
    ])('is rejected in an archive with %s', async (_what, entry) => {
      const entries = Object.entries(surveyFiles).map(([name, data]) => ({ name, data }));

      expect(await refusalOf(rawZip([...entries, entry]))).toMatch(/^400 /);
    });
  });

  it('never reveals passwords in responses, lists, documents, pages or logs', async () => {
    const types = [typeMapping('s:Fault', 'lines', [attribute('s:trace', 'trace')], 'db')];
    const parameters = store('db', { ...database, host: '127.0.0.1', port: '1' });
    const broken = [
      parameters.replace('</value></Parameter></parameters>', '</value>hunter2</Parameter>hunter2</parameters>'),
      parameters.replace('<name>passwd</name><value>hunter2</value>', '<passwd>hunter2</passwd>hunter2'),
      parameters.replace('<value>hunter2</value>', '<value><b>hunter2</b></value>'),
      parameters.replace('</DataStore>', 'hunter2</DataStore>'),
      store('db', { ...database, host: 'hunter2@x' }),
    ];

    for (const each of broken)
      expect(await refusalOf(withMain(surveyMapping(types, each)))).toMatch(/^400 (?!.*hunter2)/s);
    const made = await send(createArchive(withMain(surveyMapping(types, parameters))));
    const type = `${stores}/refused/featuretypes/Fault`;
    const replies = [
      made,
      ...(await Promise.all(
        [`${stores}/refused`, `${stores}/refused/featuretypes`, type, '/layers/acme:Fault'].flatMap((path) =>
          ['xml', 'json', 'html'].map((format) => server.get(`${path}.${format}`)),
        ),
      )),
      await server.get(`${stores}/refused/featuretypes.json?list=all`),
      await server.put(type, '<featureType><title>x</title></featureType>'),
      await server.put(`${type}?recalculate=nativebbox,latlonbbox`, '<featureType/>'),
      await server.post(`${stores}/refused/reset`, ''),
      await server.delete(`${stores}/refused?recurse=true`),
    ];

    expect(replies.map(({ status }) => status).filter((status) => status >= 500 && status !== 502)).toEqual([]);
    for (const { text, headers } of replies) expect(`${text}${JSON.stringify(headers)}`).not.toContain('hunter2');
    expect(server.log.join('\n')).not.toContain('hunter2');
  });
});
