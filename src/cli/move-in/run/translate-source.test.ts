/** Translates hostile and large sources in memory, without a server. */
import { describe, expect, it } from 'vitest';
import type { DirectoryFiles } from '../../../../test/support/source-directories/documents.ts';
import {
  createDanglingFiles,
  createUnsupportedFiles,
  hostileContents,
} from '../../../../test/support/source-directories/faults.ts';
import { createSampleDirectory } from '../../../../test/support/source-directories/sample.ts';
import { createSecurityFiles } from '../../../../test/support/source-directories/security.ts';
import { createSettingsFiles } from '../../../../test/support/source-directories/settings.ts';
import { KeyRing, openKeyRing } from '../security/key-ring.ts';
import type { Source } from '../source/source.ts';
import type { MoveOptions } from '../translate/options.ts';
import { Renames } from '../translate/renames.ts';
import { type Translation, translateSource } from './translate-source.ts';

const options: MoveOptions = {
  only: [],
  renames: new Renames(),
  paths: [],
  databases: new Map(),
  secrets: new Map(),
  keepsPlaceholders: false,
  withSecrets: false,
  environment: {},
  addsUrlChecks: false,
  opensRestRules: false,
  masterPassword: undefined,
  contextPath: '/geoserver',
  targetUrlChecks: [],
  rejections: new Map(),
};

const everything: DirectoryFiles = {
  ...createSampleDirectory(),
  ...createSettingsFiles(),
  ...createSecurityFiles(),
  ...createUnsupportedFiles(),
  ...createDanglingFiles(),
};

/** A source in memory, which records the paths that are read. */
function createSource(files: DirectoryFiles, read: string[] = []): Source {
  return {
    kind: 'directory',
    label: 'memory',
    version: null,
    files: Object.keys(files).sort(),
    unvisited: [],
    directory: '/srv/data_dir',
    read: async (path, maxBytes) => {
      read.push(path);
      const content = Buffer.from(files[path] as Buffer);
      return content.length > maxBytes ? undefined : content;
    },
    close: async () => undefined,
  };
}

async function translate(files: DirectoryFiles, further: Partial<MoveOptions> = {}): Promise<Translation> {
  const source = createSource(files);
  return translateSource(source, await openKeyRing(source, undefined), { ...options, ...further });
}

function readArchive({ archive }: Translation): { readonly resources: readonly { readonly path: string }[] } {
  return JSON.parse(Buffer.concat([...archive.encode('x')]).toString());
}

/** Whether each file is replaced by each content, instead of by one of them. */
const IS_CAMPAIGN = process.env['MOVE_IN_FAULTS'] !== undefined;

describe('a source with a malformed file', () => {
  it('is translated without a crash, and nothing outside of its files is read', async () => {
    const contents = Object.entries(hostileContents);
    const keys = new KeyRing(new Map(), 'it is not opened');
    const files = Object.keys(everything);
    for (const [index, file] of files.entries()) {
      for (const [name, content] of IS_CAMPAIGN ? contents : contents.slice(index % contents.length).slice(0, 1)) {
        const read: string[] = [];
        const source = createSource({ ...everything, [file]: content }, read);
        const translation = await translateSource(source, keys, options);

        const { resources } = readArchive(translation);
        const what = `${file}: ${name}`;
        expect(resources.length, what).toBeGreaterThan(5);
        expect(new Set(resources.map(({ path }) => path)).size, what).toBe(resources.length);
        expect(
          read.filter((path) => !Object.hasOwn(everything, path)),
          what,
        ).toEqual([]);
        for (const { message, source: place } of translation.report.entries) {
          expect(`${place}${message}`, what).not.toMatch(/[\n\r]|\bat \S+:\d+:\d+/);
        }
      }
    }
  });

  it('names malformed documents, DOCTYPEs and files above the limit', async () => {
    const { report } = await translate({
      ...everything,
      'styles/dots.xml': hostileContents['a DOCTYPE'] ?? '',
      'styles/line.xml': '<style><name>line',
      'layergroups/base.xml': Buffer.alloc(10_485_761, ' '),
    });

    const codes = report.entries.map(({ source, code }) => `${source} ${code}`);
    expect(codes).toEqual(
      expect.arrayContaining([
        'styles/dots.xml xml-doctype',
        'styles/line.xml xml-malformed',
        'layergroups/base.xml file-too-large',
      ]),
    );
  });
});

describe('a translation', () => {
  it('accounts for every file: in the archive, or in an entry of the report', async () => {
    const stray = { 'unknown/deep/file.bin': 'x', 'stray.xml': '<stray/>', 'workspaces/acme/stray/x.xml': '<x/>' };

    const { report } = await translate({ ...everything, ...stray });

    expect(
      report.entries.filter(({ source }) => /stray|unknown/.test(source)).map(({ source, code }) => [source, code]),
    ).toEqual(
      expect.arrayContaining([
        ['stray.xml', 'file-unused'],
        ['unknown', 'data-file'],
        ['workspaces/acme/stray/x.xml', 'file-unused'],
      ]),
    );
  });

  it('writes the same bytes for the same source', async () => {
    const [one, other] = [await translate(everything), await translate(everything)];

    expect(Buffer.concat([...one.archive.encode('x')])).toEqual(Buffer.concat([...other.archive.encode('x')]));
  });

  it('leaves out fields and resources that the target rejects', async () => {
    const style = '/styles/dots';
    const rejections = new Map([
      [style, { fields: new Map<string, string>(), message: 'it is invalid' }],
      ['/layergroups/base', { fields: new Map([['bounds', 'its CRS is unknown']]) }],
    ]);

    const translation = await translate(createSampleDirectory(), { rejections });

    const { resources } = readArchive(translation);
    expect(resources.map(({ path }) => path)).not.toContain(style);
    expect(JSON.stringify(resources.find(({ path }) => path === '/layergroups/base'))).not.toContain('bounds');
    expect(JSON.stringify(resources.find(({ path }) => path === '/workspaces/acme/layers/towns'))).toContain(
      '"generic"',
    );
    expect(translation.report.entries.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['target-rejected', 'field-rejected', 'style-dangling', 'style-replaced']),
    );
  });

  it('names tile settings without effect, and adds the filter of all styles', async () => {
    const layer = `<GeoServerTileLayer><name>acme:towns</name><inMemoryCached>false</inMemoryCached><blobStoreId>s3</blobStoreId>
      <mimeFormats><string>image/png</string></mimeFormats><autoCacheStyles>true</autoCacheStyles>
      <parameterFilters><sqlParameterFilter><key>CQL</key></sqlParameterFilter><regexParameterFilter><key>TIME</key>
      <defaultValue>now</defaultValue><regex>\\d+</regex></regexParameterFilter></parameterFilters></GeoServerTileLayer>`;

    const translation = await translate({
      ...createSampleDirectory(),
      'gwc-layers/x.xml': layer,
      'gwc-gs.xml':
        '<GeoServerGWCConfig><version>1.1.0</version><WMSCEnabled>true</WMSCEnabled><TMSEnabled>false</TMSEnabled><defaultVectorCacheFormats><string>image/gif</string></defaultVectorCacheFormats></GeoServerGWCConfig>',
      'gwc/geowebcache.xml':
        '<gwcConfiguration><version>1.26.0</version><blobStores><S3BlobStore><id>s3</id></S3BlobStore></blobStores><layers><wmsLayer/></layers></gwcConfiguration>',
      'gwc/geowebcache-diskquota.xml':
        '<gwcQuotaConfiguration><enabled>true</enabled><globalQuota><value>2</value><units>GiB</units></globalQuota></gwcQuotaConfiguration>',
      'gwc/geowebcache-diskquota-jdbc.xml': '<gwcJdbcConfiguration/>',
    });

    const { report } = translation;
    expect(
      report.entries.filter(({ source }) => source.startsWith('gwc')).map(({ source, code }) => `${source} ${code}`),
    ).toEqual([
      'gwc-gs.xml#TMSEnabled tile-settings-ignored',
      'gwc-gs.xml#defaultVectorCacheFormats tile-settings-ignored',
      'gwc-layers/x.xml#blobStoreId tile-settings-ignored',
      'gwc-layers/x.xml#inMemoryCached tile-settings-ignored',
      'gwc-layers/x.xml#sqlParameterFilter tile-settings-ignored',
      'gwc/geowebcache-diskquota-jdbc.xml not-configuration',
      'gwc/geowebcache-diskquota.xml tile-settings-ignored',
      'gwc/geowebcache.xml#blobStores tile-settings-ignored',
      'gwc/geowebcache.xml#layers tile-settings-ignored',
    ]);
    expect(report.entries.find(({ source }) => source.endsWith('diskquota.xml'))).toMatchObject({
      message: 'The disk quota of 2 GiB is not imported.',
      remedy: 'Set tileCacheMb of the WMTS settings.',
    });
    expect(readArchive(translation).resources.find(({ path }) => path.includes('tilelayers'))).toMatchObject({
      fields: {
        mimeFormats: ['image/png'],
        parameterFilters: {
          regexParameterFilter: { key: 'TIME', defaultValue: 'now', regex: '\\d+' },
          styleParameterFilter: { key: 'STYLES', defaultValue: '' },
        },
      },
    });
  });

  it('refers to built-in styles by name, and replaces the missing style of a root layer', async () => {
    const group = (name: string, style: string) =>
      `<layerGroup><name>${name}</name><mode>EO</mode><publishables><published type="layer"><name>acme:towns</name></published></publishables>` +
      `<styles><style><name>polygon</name></style></styles><rootLayer><name>acme:heights</name></rootLayer>${style}</layerGroup>`;

    const translation = await translate({
      ...createSampleDirectory(),
      'layergroups/rooted.xml': group('rooted', '<rootLayerStyle><name>raster</name></rootLayerStyle>'),
      'layergroups/dangling.xml': group('dangling', '<rootLayerStyle><id>gone</id></rootLayerStyle>'),
    });

    const { resources } = readArchive(translation);
    const fields = (name: string) => resources.find(({ path }) => path === `/layergroups/${name}`);
    expect(fields('rooted')).toMatchObject({
      fields: { rootLayerStyle: { name: 'raster' }, styles: { style: [{ name: 'polygon' }] } },
    });
    expect(fields('dangling')).toMatchObject({ fields: { rootLayerStyle: { name: 'generic' } } });
    const entries = translation.report.entries.filter(({ source }) => /rooted|dangling/.test(source));
    expect(entries.map(({ source, code }) => [source, code])).toEqual([
      ['layergroups/dangling.xml', 'style-dangling'],
      ['layergroups/dangling.xml', 'style-replaced'],
    ]);
  });

  it('orders a long chain of groups without recursion', async () => {
    const count = 5_000;
    const group = (index: number) =>
      `<layerGroup><id>g${index}</id><name>g${index}</name><publishables>` +
      (index === 0
        ? '<published type="layer"><id>LayerInfoImpl-4c:acme.towns</id></published>'
        : `<published type="layerGroup"><id>g${index - 1}</id></published>`) +
      '</publishables></layerGroup>';
    const groups = Array.from({ length: count }, (_, index) => [`layergroups/g${index}.xml`, group(index)] as const);

    const { report } = await translate({ ...createSampleDirectory(), ...Object.fromEntries(groups) });

    expect(report.imported['layerGroup']).toBe(count + 3);
  });
});

describe('renames', () => {
  it('change the names of types in stored queries, with their paths and ids', async () => {
    const query = (content: string, scope = '') =>
      `<wfs:StoredQueryDescription id="q" xmlns:wfs="http://www.opengis.net/wfs/2.0" ${scope}>
        <wfs:QueryExpressionText returnFeatureTypes="">${content}</wfs:QueryExpressionText></wfs:StoredQueryDescription>`;
    const join = `<wfs:Query typeNames="schema-element(acme:towns) acme:lakes other:towns \${type}"><fes:Filter>
      <fes:ValueReference>acme:towns/name</fes:ValueReference><fes:ValueReference>name</fes:ValueReference>
      <fes:ResourceId rid="towns.2"/><fes:Literal>acme:towns</fes:Literal></fes:Filter></wfs:Query>`;
    const files = {
      ...createSampleDirectory(),
      'wfs/query/global.xml': query(join, 'xmlns:fes="http://www.opengis.net/fes/2.0"'),
      'workspaces/acme/wfs/query/own.xml': query(
        '<wfs:Query typeNames="towns a:towns" xmlns:a="http://acme.example/features"/>',
      ).replace('id="q"', 'id="own"'),
      'wfs/query/text.xml': query('&lt;Query typeName="acme:towns"/&gt;').replace('id="q"', 'id="text"'),
      'wfs/query/broken.xml': query('&lt;Query typeName="acme:towns"').replace('id="q"', 'id="broken"'),
    };
    const renames = new Renames(['acme=shore', 'layer:acme:towns=acme:cities']);

    const { archive } = await translateSource(createSource(files), await openKeyRing(createSource(files), undefined), {
      ...options,
      renames,
    });
    const document = Buffer.concat([...archive.encode('test')]).toString();
    const { resources } = JSON.parse(document) as {
      readonly resources: readonly {
        readonly path: string;
        readonly fields: { readonly queries?: readonly string[] };
      }[];
    };
    const findQuery = (path: string) => resources.find((each) => each.path === path)?.fields.queries?.[0];

    expect(findQuery('/storedqueries/q')).toContain(
      'typeNames="schema-element(shore:cities) shore:lakes other:towns ${type}"',
    );
    expect(findQuery('/storedqueries/q')).toContain('<fes:ValueReference>shore:cities/name</fes:ValueReference>');
    expect(findQuery('/storedqueries/q')).toContain('<fes:ValueReference>name</fes:ValueReference>');
    expect(findQuery('/storedqueries/q')).toContain('rid="cities.2"');
    expect(findQuery('/storedqueries/q')).toContain('<fes:Literal>acme:towns</fes:Literal>');
    expect(findQuery('/workspaces/shore/storedqueries/own')).toContain('typeNames="cities a:cities"');
    expect(findQuery('/workspaces/shore/storedqueries/own')).toContain('xmlns:a="http://acme.example/features"');
    expect(findQuery('/storedqueries/text')).toBe('<Query typeName="shore:cities"></Query>');
    expect(findQuery('/storedqueries/broken')).toBe('<Query typeName="acme:towns"');
  });
});
