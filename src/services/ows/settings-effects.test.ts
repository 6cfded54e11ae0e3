/** Sets each service setting over REST and checks its effect on the service, or the warning that it has none. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishSquares, SMALL_MAP } from '../../../test/support/maps.ts';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { geotiffBytes, granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { getDefaultValue, type Setting, type Settings } from '../../catalog/kinds/setting.ts';
import { contactSettings, globalSettings, workspaceSettings } from '../../catalog/settings/server-settings.ts';
import { type ServiceName, serviceNames, serviceSettings } from '../../catalog/settings/service-settings.ts';

const server = useTestServer();

type Values = Readonly<Record<string, unknown>>;

/** The text that a response contains once the settings are set, and did not contain before; or vice versa. */
interface Effect {
  readonly service: ServiceName;
  readonly sets: Values;
  /** Settings that apply before and after. */
  readonly given?: Values;
  readonly ask: string;
  readonly has?: string;
  readonly lacks?: string;
  /** The reason why the effect is independent of the value. */
  readonly always?: string;
}

const capabilitiesOf: Readonly<Record<ServiceName, string>> = {
  wms: 'wms?service=WMS&version=1.3.0&request=GetCapabilities',
  wfs: 'wfs?service=WFS&version=2.0.0&request=GetCapabilities',
  wcs: 'wcs?service=WCS&request=GetCapabilities',
  wmts: 'gwc/service/wmts?service=WMTS&request=GetCapabilities',
};

const common = (service: ServiceName): readonly Effect[] =>
  (
    [
      [{ enabled: false }, 'services are disabled'],
      [{ title: 'A title of ours' }, 'A title of ours'],
      [{ abstrct: 'What it is about' }, 'What it is about'],
      [{ keywords: { string: ['wayside'] } }, 'wayside'],
      [{ fees: 'A cake a year' }, 'A cake a year'],
      [{ accessConstraints: 'Friends first' }, 'Friends first'],
      [{ onlineResource: 'http://about.example/it' }, 'http://about.example/it'],
    ] as const
  ).map(([sets, has]) => ({ service, sets, ask: capabilitiesOf[service], has }));

/** The samples of the coverage as they appear in an uncompressed file. */
const FIRST_SAMPLES = 'ABCDEFGHIJ';

const map = `wms?${SMALL_MAP}&layers=topo:west`;
const far =
  'wms?service=WMS&version=1.1.1&request=GetFeatureInfo&srs=EPSG:4326&bbox=0,0,20,20&width=20&height=20&styles=';
const features = (version: string) =>
  `wfs?service=WFS&version=${version}&request=GetFeature&typeName=topo:west&typeNames=topo:west`;
const coverage = 'wcs?service=WCS&version=2.0.1&request=GetCoverage&coverageId=topo__';
const { wms, wfs, wcs, wmts } = capabilitiesOf;

const effects: readonly Effect[] = [
  ...serviceNames.flatMap(common),
  {
    service: 'wmts',
    sets: { gridSets: { string: ['GoogleCRS84Quad'] } },
    ask: wmts,
    has: '<ows:Identifier>GoogleCRS84Quad</ows:Identifier>',
  },
  {
    service: 'wmts',
    sets: { mimeFormats: { string: ['image/png'] } },
    ask: wmts,
    lacks: '<Format>image/jpeg</Format>',
  },
  {
    service: 'wmts',
    sets: { cacheLayersByDefault: false },
    ask: wmts,
    lacks: '<ows:Identifier>topo:west</ows:Identifier>',
  },
  {
    service: 'wms',
    sets: { getMapMimeTypeCheckingEnabled: true, getMapMimeTypes: { string: ['image/png'] } },
    ask: wms,
    lacks: '<Format>image/svg+xml</Format>',
  },
  {
    service: 'wms',
    sets: { getFeatureInfoMimeTypeCheckingEnabled: true, getFeatureInfoMimeTypes: { string: ['text/plain'] } },
    ask: wms,
    lacks: '<Format>text/html</Format>',
  },
  {
    service: 'wms',
    sets: { dynamicStylingDisabled: true },
    ask: `${map}&sld_body=%3CStyledLayerDescriptor/%3E`,
    has: 'OperationNotSupported',
  },
  {
    service: 'wms',
    sets: { maxBuffer: 1 },
    ask: `${far}&layers=topo:east&query_layers=topo:east&x=15&y=15&buffer=10&info_format=text/plain`,
    has: 'no features were found',
    lacks: 'kind = whole',
  },
  { service: 'wms', sets: { maxRequestMemory: 1 }, ask: map, has: 'ServiceException' },
  {
    service: 'wms',
    sets: { maxRequestedDimensionValues: 1 },
    ask: `${map}&elevation=1,2`,
    has: 'ServiceException',
  },
  {
    service: 'wms',
    sets: { exceptionOnInvalidDimension: true },
    ask: `${map}&elevation=99`,
    has: 'InvalidDimensionValue',
  },
  { service: 'wms', sets: { srs: { string: ['2056'] } }, ask: wms, has: '<CRS>EPSG:2056</CRS>' },
  { service: 'wms', sets: { bboxForEachCRS: true }, ask: wms, has: '<BoundingBox CRS="EPSG:3857"' },
  { service: 'wms', sets: { rootLayerTitle: 'All of it' }, ask: wms, has: 'All of it' },
  { service: 'wms', sets: { rootLayerAbstract: 'And more' }, ask: wms, has: 'And more' },
  { service: 'wfs', sets: { serviceLevel: 'BASIC' }, ask: wfs, lacks: '<ows:Operation name="Transaction">' },
  {
    service: 'wfs',
    sets: { maxFeatures: 1 },
    ask: `${features('2.0.0')}&outputFormat=json`,
    has: '"numberReturned":1',
  },
  {
    service: 'wfs',
    given: { maxFeatures: 1 },
    sets: { hitsIgnoreMaxFeatures: true },
    ask: `${features('1.1.0')}&resultType=hits`,
    has: 'numberOfFeatures="2"',
  },
  { service: 'wfs', sets: { featureBounding: true }, ask: features('2.0.0'), has: '<gml:boundedBy><gml:Envelope' },
  { service: 'wfs', sets: { featureBounding: true }, ask: features('1.0.0'), has: '<gml:boundedBy><gml:Box' },
  {
    service: 'wfs',
    sets: { encodeFeatureMember: true },
    ask: features('1.1.0'),
    has: '<gml:featureMember>',
    lacks: '<gml:featureMembers>',
  },
  {
    service: 'wfs',
    sets: { canonicalSchemaLocation: true },
    ask: features('2.0.0'),
    always: 'http://schemas.opengis.net/wfs/2.0/wfs.xsd',
  },
  {
    service: 'wfs',
    sets: { disableStoredQueriesManagement: true },
    ask: 'wfs?service=WFS&version=2.0.0&request=DropStoredQuery&id=x',
    has: 'OperationNotSupported',
  },
  {
    service: 'wfs',
    sets: { getFeatureOutputTypeCheckingEnabled: true, getFeatureOutputTypes: { string: ['application/json'] } },
    ask: wfs,
    lacks: 'text/csv',
  },
  { service: 'wfs', sets: { srs: { string: ['2056'] } }, ask: wfs, has: 'EPSG::2056' },
  { service: 'wcs', sets: { maxInputMemory: 1 }, ask: `${coverage}hills`, has: 'samples of the data' },
  {
    service: 'wcs',
    sets: { maxOutputMemory: 1 },
    ask: `${coverage}hills`,
    has: 'The response would contain 60 by 40 samples',
  },
  {
    service: 'wcs',
    sets: { maxRequestedDimensionValues: 1 },
    ask: `${coverage}days&subset=time("2024-01-01","2024-01-02")`,
    has: 'contains more than 1 value',
  },
  { service: 'wcs', sets: { defaultDeflateCompressionLevel: 0 }, ask: `${coverage}hills`, has: FIRST_SAMPLES },
  { service: 'wcs', sets: { srs: { string: ['2056'] } }, ask: wcs, has: 'EPSG/0/2056' },
];

beforeAll(async () => {
  await publishSquares(server);
  const elevation =
    '<entry key="elevation"><dimensionInfo><enabled>true</enabled><attribute>rank</attribute><presentation>LIST</presentation><nearestMatchEnabled>true</nearestMatchEnabled><acceptableInterval>1</acceptableInterval></dimensionInfo></entry>';
  const dated = await server.put(
    '/workspaces/topo/featuretypes/west',
    `<featureType><metadata>${elevation}</metadata></featureType>`,
    { type: 'xml' },
  );
  expect(dated.status, dated.text).toBe(200);
  const put = (path: string, type: string, body: Buffer) =>
    server.request('PUT', `/workspaces/topo/coveragestores/${path}`, { type, body });
  const hills = await put(
    'hills/file.geotiff',
    'image/tiff',
    geotiffBytes(60, 40, (index) => (index % 60) + 65),
  );
  const days = await put(
    'days/file.imagemosaic',
    'application/zip',
    zipOfFiles({
      'indexer.properties': Buffer.from(
        'TimeAttribute=day\nSchema=*the_geom:Polygon,location:String,day:java.util.Date\nPropertyCollectors=TimestampFileNameExtractorSPI[days](day)\n',
      ),
      'days.properties': Buffer.from('regex=[0-9]{8}'),
      'a_20240101.tif': granuleBytes({ left: 0, top: 45, pixel: 1, epsg: 4326 }),
      'b_20240102.tif': granuleBytes({ left: 2, top: 45, pixel: 1, epsg: 4326 }),
    }),
  );
  expect([hills.status, days.status], hills.text + days.text).toEqual([201, 200]);
});

async function set(service: ServiceName, values: Values): Promise<string> {
  const reply = await server.put(`/services/${service}/settings`, JSON.stringify({ [service]: values }));
  expect(reply.status, reply.text).toBe(200);
  return reply.headers['warning'] ?? '';
}

async function ask(path: string): Promise<string> {
  return (await server.get(`//geoserver/${path}`, { as: null })).bytes.toString('latin1');
}

function cleared(values: Values): Values {
  return Object.fromEntries(Object.keys(values).map((name) => [name, null]));
}

describe('service setting', () => {
  it.each(effects.map((effect) => [effect.service, JSON.stringify(effect.sets), effect] as const))(
    'of %s has its effect: %s',
    async (service, _, { sets, given = {}, ask: question, has, lacks, always }) => {
      await set(service, given);
      const before = await ask(question);
      const warned = await set(service, sets);
      const after = await ask(question);
      await set(service, cleared({ ...given, ...sets }));

      expect(warned).toBe('');
      for (const text of [has ?? []].flat()) {
        expect(after).toContain(text);
        expect(before).not.toContain(text);
      }
      for (const text of [lacks ?? []].flat()) {
        expect(after).not.toContain(text);
        expect(before).toContain(text);
      }
      for (const text of [always ?? []].flat()) {
        expect(after).toContain(text);
        expect(before).toContain(text);
      }
    },
  );

  it('has an effect or a warning that it has none', () => {
    const tried = new Set([
      ...effects.flatMap(({ service, sets }) => Object.keys(sets).map((field) => `${service}.${field}`)),
      // Covered where maps are drawn: time-limits, settings, animation and decorations.test.ts in src/services/wms.
      ...[
        'maxRenderingTime',
        'remoteStyleTimeout',
        'remoteStyleMaxRequestTime',
        'interpolation',
        'maxAllowedFrames',
        'watermark',
      ].map((field) => `wms.${field}`),
      // Covered where tiles are drawn: tile-settings.test.ts in src/services/tiles, map-from-tiles.test.ts in src/services/gwc.
      ...[
        'metaTilingX',
        'metaTilingY',
        'gutter',
        'expireCache',
        'expireClients',
        'directWMSIntegrationEnabled',
        'tileCacheMb',
      ].map((field) => `wmts.${field}`),
    ]);
    const silent = serviceNames.flatMap((service) =>
      Object.entries(serviceSettings[service]).flatMap(([field, setting]) =>
        tried.has(`${service}.${field}`) || setting.unheeded !== undefined || setting.kind === 'server'
          ? []
          : [`${service}.${field}`],
      ),
    );

    expect(silent).toEqual([]);
  });

  it('of a workspace overrides that of the server', async () => {
    const path = '/services/wms/workspaces/topo/settings';
    await server.put(path, '{"wms":{"title":"Maps of topo"}}');

    const [inside, outside] = [await ask(wms.replace('wms', 'topo/wms')), await ask(wms)];
    await server.delete(path);

    expect(inside).toContain('Maps of topo');
    expect(outside).not.toContain('Maps of topo');
  });
});

describe('setting without an effect', () => {
  it.each(serviceNames)('returns a warning for %s', async (service) => {
    const unheeded = Object.entries(serviceSettings[service]).filter(([, setting]) => setting.unheeded !== undefined);
    const values = Object.fromEntries(unheeded.map(([field, setting]) => [field, otherThanDefault(setting)]));

    const warned = await set(service, values);
    await set(service, cleared(values));

    const missing = unheeded.flatMap(([field, { unheeded: why = '' }]) =>
      warned.includes(`The setting '${field}`) && warned.includes(why) ? [] : [field],
    );
    expect(missing).toEqual([]);
  });

  it('returns a warning for the server and for workspaces', async () => {
    const change = '{"settings":{"verbose":true,"proxyBaseUrl":"http://a.example/geoserver"}}';
    const local = await server.put('/workspaces/topo/settings', change);
    const global = await server.put('/settings', '{"global":{"jai":{"tileThreads":3},"settings":{"verbose":false}}}');
    await server.delete('/workspaces/topo/settings');
    await server.put('/settings', '{"global":{"jai":{"tileThreads":7}}}');

    expect(local.headers['warning']).toContain("The setting 'verbose' is stored but has no effect");
    expect(local.headers['warning']).toContain("The setting 'proxyBaseUrl' is stored but has no effect");
    expect(global.headers['warning']).toContain("The setting 'jai.tileThreads' is stored but has no effect");
    expect(global.headers['warning']).not.toContain('verbose');
  });

  it('is documented in docs/settings.md', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../docs/settings.md'), 'utf8');
    const tables = [...Object.values(serviceSettings), globalSettings, workspaceSettings, contactSettings];

    const missing = new Set(tables.flatMap(unheededNames).filter((name) => !text.includes(`\`${name}\``)));

    expect([...missing]).toEqual([]);
  });
});

describe('server settings', () => {
  it('disable the global services only, if workspace services are required', async () => {
    await server.put('/settings', '{"global":{"globalServices":false}}');

    const [outside, inside] = [await ask(wms), await ask(wms.replace('wms', 'topo/wms'))];
    await server.put('/settings', '{"global":{"globalServices":true}}');

    expect(outside).toContain('services are disabled');
    expect(inside).toContain('<Name>west</Name>');
  });

  it('contain the address type and the online resource of the contact', async () => {
    const contact = { addressType: 'visits', addressCity: 'Bern', onlineResource: 'http://us.example/' };
    await server.put('/settings/contact', JSON.stringify({ contact }));

    const [maps, features] = [await ask(wms), await ask(wfs)];
    await server.put('/settings/contact', '{"contact":{"onlineResource":null}}');
    await server.put('/settings', '{"global":{"settings":{"onlineResource":"http://all.example/"}}}');

    expect(await ask(wfs)).toContain('<ows:OnlineResource xlink:href="http://all.example/"/>');
    expect(maps).toContain('<AddressType>visits</AddressType>');
    expect(features).toContain('<ows:OnlineResource xlink:href="http://us.example/"/>');
  });
});

function unheededNames(settings: Settings): readonly string[] {
  return Object.entries(settings).flatMap(([name, setting]) => {
    if (setting.unheeded !== undefined) return [name];
    return setting.kind === 'section' ? unheededNames(setting.settings) : [];
  });
}

/** A valid value of the setting other than its default. */
function otherThanDefault(setting: Setting): unknown {
  switch (setting.kind) {
    case 'flag':
      return getDefaultValue(setting) !== true;
    case 'number':
      return Math.min(setting.most, Number(getDefaultValue(setting) ?? 0) + 1);
    case 'choice':
      return setting.values.find((each) => each !== getDefaultValue(setting));
    case 'text':
      return 'something else';
    case 'map':
      return { entry: [{ '@key': 'a', $: 'b' }] };
    case 'parts':
      return { [setting.itemName ?? 'any']: ['something else'] };
    case 'section':
      return Object.fromEntries(Object.entries(setting.settings).map(([name, each]) => [name, otherThanDefault(each)]));
    case 'server':
      return undefined;
  }
}
