/** Mappings whose schemas are not part of the upload: on the disk of the server, on other servers, and in the cache. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  attribute,
  boreholes,
  createArchive,
  files,
  mapping,
  samples,
  schema,
  schemas,
  store,
  surveyMapping,
  tables,
  typeMapping,
  type UploadedFiles,
} from '../../../test/support/mapping-samples.ts';
import { startRemoteServer } from '../../../test/support/remote-server.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const stores = '/workspaces/acme/datastores';

async function writeFiles(folder: string, all: UploadedFiles): Promise<void> {
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

describe('a mapping with schemas outside of its upload', () => {
  const outside = useTemporaryFolder('schemas-elsewhere');
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  let ann = '';
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
    ann = await addUser(server, 'ann', 'ROLE_ACME');
    await writeFiles(join(outside, 'tables'), tables);
  });

  /** The names of layers are unique in a workspace. */
  const used = new Set<string>();
  afterEach(async () => {
    for (const name of used) await server.delete(`${stores}/${name}?recurse=true`);
    used.clear();
  });
  const put = (name: string, body: string | Buffer, as?: string) => {
    used.add(name);
    return server.request('PUT', `${stores}/${name}/file.appschema`, {
      type: typeof body === 'string' ? 'text/xml' : 'application/zip',
      body,
      accept: 'application/json',
      ...(as === undefined ? {} : { as }),
    });
  };
  const oneMapping = (schemaUri: string): string =>
    mapping({
      schemas: [schemaUri],
      stores: store('files', { directory: `file://${outside}/tables` }),
      types: [boreholes],
    });
  const featurePage = async (name: string): Promise<string> =>
    (await server.get(`${stores}/${name}/featuretypes/Borehole.html`)).text;
  const allow = (name: string, regex: string) =>
    server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name, enabled: true, regex } }));

  it('reads a file: URL with its includes, and keeps a copy of them for every node', async () => {
    const folder = join(outside, 'original');
    await writeFiles(folder, schemas);

    const reply = await put('absolute', oneMapping(`file://${folder}/survey.xsd`));
    await rm(folder, { recursive: true });
    await server.post('/reset', '');

    expect([reply.status, reply.text]).toEqual([201, expect.stringContaining('Borehole')]);
    expect(await featurePage('absolute')).toContain('Deep Ltd');
  });

  it('reads the changed schema when the mapping is uploaded again', async () => {
    const folder = join(outside, 'changed');
    await writeFiles(folder, schemas);
    const main = oneMapping(`${folder}/survey.xsd`);
    await put('changed', main);
    const part = schemas['parts/borehole.xsd'] ?? '';
    const more = part.replace('<xs:element name="depth"', '<xs:element name="core" type="xs:string"/>$&');
    await writeFiles(folder, { 'parts/borehole.xsd': more });

    const reply = await put('changed', main);

    expect(reply.status).toBe(200);
    expect((await server.get(`${stores}/changed/featuretypes/Borehole.xml`)).text).toContain('<name>core</name>');
  });

  it.each(['schemas/survey.xsd', 'file:schemas/survey.xsd'])('reads %s in the data directory', async (uri) => {
    await writeFiles(join(server.dataDir, 'schemas'), schemas);

    const name = uri.replaceAll(/\W/g, '_');

    expect((await put(name, oneMapping(uri))).status).toBe(201);
    expect(await featurePage(name)).toContain('Deep Ltd');
  });

  it('is rejected for a file that the client may not read', async () => {
    const folder = join(outside, 'secret');
    await writeFiles(folder, schemas);
    const main = mapping({ schemas: [`file://${folder}/survey.xsd`], stores: files, types: [boreholes] });

    const refused = await put('secret', createArchive({ ...tables, 'main.appschema': main }), ann);
    const missing = await put('secret', oneMapping('file:///nowhere/survey.xsd'));

    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining(`The schema 'file://${folder}/survey.xsd' is unavailable: only administrators`),
    ]);
    expect([missing.status, missing.text]).toEqual([
      400,
      expect.stringContaining("The schema 'file:///nowhere/survey.xsd' is unavailable: the file does not exist."),
    ]);
  });

  it('downloads schemas that URL checks allow, once', async () => {
    const remote = await startRemoteServer((request, response) => response.end(schemas[request.url?.slice(4) ?? '']));
    const host = `schemas.example.com:${remote.port}`;
    const url = `http://${host}/v1/survey.xsd`;

    const refused = await put('remote', oneMapping(url));
    await allow('schemas', `^http://schemas[.]example[.]com:${remote.port}/.*$`);
    const created = await put('remote', oneMapping(url));
    const again = await put('again', oneMapping(url));

    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining(
        `The schema '${url}' is unavailable: no enabled URL check matches it; an administrator can allow it with a check at /urlchecks, such as ^http://schemas[.]example[.]com:${remote.port}/.*$`,
      ),
    ]);
    expect([created.status, again.status]).toEqual([201, 201]);
    expect(remote.asked).toEqual([
      `GET ${host} /v1/survey.xsd`,
      `GET ${host} /v1/parts/borehole.xsd`,
      `GET ${host} /v1/parts/sample.xsd`,
    ]);
    const cached = `app-schema-cache/com/example/schemas/_${remote.port}/v1/survey.xsd`;
    expect(await readFile(join(server.dataDir, cached), 'utf8')).toBe(schemas['survey.xsd']);
    await rm(join(server.dataDir, 'app-schema-cache'), { recursive: true });
    await server.post('/reset', '');
    expect(await featurePage('remote')).toContain('Deep Ltd');
    expect(remote.asked).toHaveLength(3);
  });

  it('reports remote schemas that are missing, not schemas or too large, and does not cache them', async () => {
    const remote = await startRemoteServer((request, response) => {
      if (request.url === '/page.xsd') response.end('<html>Sign in</html>');
      else if (request.url === '/large.xsd') response.end('<schema >'.padEnd(17_000_000));
      else response.writeHead(404).end();
    });
    const origin = `http://other.example.com:${remote.port}`;
    await allow('other', `^http://other[.]example[.]com:${remote.port}/.*$`);
    const main = mapping({ schemas: ['gone', 'page', 'large'].map((name) => `${origin}/${name}.xsd`) });

    const { status, text } = await put('faulty', main);

    expect(status).toBe(400);
    expect(text).toContain(`The schema '${origin}/gone.xsd' is unavailable: it returned status 404.`);
    expect(text).toContain(`The schema '${origin}/page.xsd' is unavailable: its response is not an XML schema.`);
    expect(text).toMatch(/The schema '[^']+large\.xsd' is unavailable: .*16777216 bytes/);
    await expect(readFile(join(server.dataDir, 'app-schema-cache/com/example/other'))).rejects.toThrow('ENOENT');
  });

  it('works offline with schemas of GeoSciML from the cache', async () => {
    const address = 'https://schemas.geosciml.org/survey/4.1/';
    await writeFiles(join(server.dataDir, 'app-schema-cache/org/geosciml/schemas/survey/4.1'), {
      ...schemas,
      'survey.xsd': (schemas['survey.xsd'] ?? '').replace('parts/borehole.xsd', `${address}parts/borehole.xsd`),
    });

    const reply = await put('geosciml', oneMapping(`${address}survey.xsd`));

    expect(reply.status).toBe(201);
    expect(await featurePage('geosciml')).toContain('Deep Ltd');
  });

  it('works offline with schemas of INSPIRE from the cache', async () => {
    const inspire = 'http://inspire.ec.europa.eu/schemas';
    const root = (prefix: string, content: string): string =>
      `<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:base="${inspire}/base/4.0" xmlns:gn="${inspire}/gn/4.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:gmd="http://www.isotc211.org/2005/gmd" targetNamespace="${inspire}/${prefix}/4.0" elementFormDefault="qualified">
<import namespace="http://www.isotc211.org/2005/gmd" schemaLocation="http://schemas.opengis.net/iso/19139/20070417/gmd/gmd.xsd"/>
<import namespace="http://www.opengis.net/gml/3.2" schemaLocation="http://schemas.opengis.net/gml/3.2.1/gml.xsd"/>
${content}
</schema>`;
    const sequence = (content: string): string => `<sequence>${content}</sequence>`;
    await writeFiles(join(server.dataDir, 'app-schema-cache/eu/europa/ec/inspire/schemas'), {
      'base/4.0/BaseTypes.xsd': root(
        'base',
        `<element name="Identifier" type="base:IdentifierType" substitutionGroup="gml:AbstractObject"/>
<complexType name="IdentifierType">${sequence('<element name="localId" type="string"/>')}</complexType>
<complexType name="IdentifierPropertyType">${sequence('<element ref="base:Identifier"/>')}</complexType>`,
      ),
      'gn/4.0/GeographicalNames.xsd': root(
        'gn',
        `<import namespace="${inspire}/base/4.0" schemaLocation="https://inspire.ec.europa.eu/schemas/base/4.0/BaseTypes.xsd"/>
<element name="NamedPlace" type="gn:NamedPlaceType" substitutionGroup="gml:AbstractFeature"/>
<complexType name="NamedPlaceType"><complexContent><extension base="gml:AbstractFeatureType">${sequence(`
<element name="geometry" type="gml:GeometryPropertyType"/>
<element name="inspireId" type="base:IdentifierPropertyType"/>
<element name="resolution" nillable="true" minOccurs="0"><complexType><complexContent><extension base="gml:AbstractMetadataPropertyType">${sequence('<element ref="gmd:MD_Resolution"/>')}<attribute name="nilReason" type="gml:NilReasonType"/></extension></complexContent></complexType></element>
<element name="localType" type="gmd:LocalisedCharacterString_PropertyType" nillable="true" minOccurs="0"/>
<element name="type" type="gml:ReferenceType" nillable="true" minOccurs="0"/>`)}</extension></complexContent></complexType>`,
      ),
    });
    const place = typeMapping('gn:NamedPlace', 'holes', [
      attribute('gn:geometry', 'place'),
      attribute('gn:inspireId/base:Identifier/base:localId', "strConcat('place.', code)"),
    ]);
    const namespaces = ['gn', 'base'].map(
      (prefix) => `<Namespace><prefix>${prefix}</prefix><uri>${inspire}/${prefix}/4.0</uri></Namespace>`,
    );
    const main = mapping({
      schemas: [`${inspire}/gn/4.0/GeographicalNames.xsd`],
      stores: store('files', { directory: `file://${outside}/tables` }),
      types: [place],
    }).replace('<namespaces>', `$&${namespaces.join('')}`);

    const reply = await put('inspire', main);

    expect([reply.status, reply.text]).toEqual([201, expect.stringContaining('NamedPlace')]);
    const { text } = await server.get(`${stores}/inspire/featuretypes/NamedPlace.html`);
    expect(text).toContain('place.A1');
  });

  it('ignores unknown elements with a warning', async () => {
    const grouped = samples.replace('<targetElement>', '<groupBy>label</groupBy>$&');

    const reply = await put(
      'grouped',
      createArchive({ ...schemas, ...tables, 'm.appschema': surveyMapping([grouped]) }),
    );

    expect(reply.status).toBe(200);
    expect(reply.headers['warning']).toContain(
      "m.appschema, line 15: Ignored the unknown element 'groupBy' in 'FeatureTypeMapping'.",
    );
  });

  it('chains features under a condition, and skips the property otherwise', async () => {
    const link = `<AttributeMapping><targetAttribute>s:drilled</targetAttribute><sourceExpression><linkElement>if_then_else(equalTo(code, 'A1'), 's:Event', Expression.NIL)</linkElement></sourceExpression></AttributeMapping>`;
    const holes = boreholes.replace(attribute('s:drilled/s:Event/s:by', 'company'), link);
    const event = typeMapping('s:Event', 'holes', [attribute('s:by', "strConcat('by ', code)")]);

    const all = { ...schemas, ...tables, 'm.appschema': surveyMapping([holes, event]) };
    const reply = await put('nested', createArchive(all));

    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('Borehole')]);
    const page = await featurePage('nested');
    expect([page.includes('by A1'), page.includes('by A2')]).toEqual([true, false]);
  });

  it('reads built-in types of schemas that declare neither a prefix nor a default namespace for them', async () => {
    const part = schema(`<xs:element name="Sample" type="s:SampleType" substitutionGroup="gml:AbstractFeature"/>
<xs:complexType name="SampleType"><xs:complexContent><xs:extension base="gml:AbstractFeatureType"><xs:sequence>
<xs:element name="label" type="string"/><xs:element name="weight" type="xsd:double"/>
</xs:sequence></xs:extension></xs:complexContent></xs:complexType>`);
    const main = mapping({ schemas: ['sample.xsd'], stores: files, types: [samples] });

    const reply = await put('builtin', createArchive({ ...tables, 'sample.xsd': part, 'm.appschema': main }));

    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('Sample')]);
    const { text } = await server.get(`${stores}/builtin/featuretypes/Sample.xml`);
    expect(text).toMatch(/<name>weight<\/name>[\s\S]*?<binding>java\.lang\.Double<\/binding>/);
  });
});
