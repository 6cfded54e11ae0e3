/** Runs `graticule compare` against two servers, with a planted difference for each code. */
import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { startRemoteServer } from '../../../test/support/remote-server.ts';
import { SLD_TYPE } from '../../../test/support/styles.ts';
import { ADMIN_PASSWORD, type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import type { CommandEnvironment } from '../client/command.ts';
import { runCommand } from '../run.ts';
import type { ComparisonReport } from './model/report.ts';

type Properties = Readonly<Record<string, string | number>>;

/** Points at given positions, with the properties of each. */
function createPoints(points: readonly (readonly [number, number, Properties])[]): string {
  const features = points.map(([x, y, properties]) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [x, y] },
    properties,
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}

/** A large circle or square, so that maps with other symbols differ by more than antialiasing. */
const pointSld = (mark: string, color: string) => `<StyledLayerDescriptor version="1.0.0"
  xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>s</Name><UserStyle>
  <FeatureTypeStyle><Rule><PointSymbolizer><Graphic><Mark><WellKnownName>${mark}</WellKnownName><Fill>
  <CssParameter name="fill">${color}</CssParameter></Fill></Mark><Size>40</Size></Graphic></PointSymbolizer></Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

const corners = [
  [7, 46, { name: 'a' }],
  [8, 47, { name: 'b' }],
] as const;

async function must(server: TestServer, method: string, path: string, body: string, type = 'application/json') {
  const reply = await server.request(method, path, { body, type });
  if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
}

async function publish(server: TestServer, name: string, points: string): Promise<void> {
  await must(server, 'PUT', `/workspaces/acme/datastores/${name}/file.geojson`, points, 'application/geo+json');
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

async function run(words: readonly string[], given: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const [printed, errors, files] = [[] as string[], [] as string[], new Map<string, Buffer>()];
  const world: CommandEnvironment = {
    environment: {},
    print: (text) => printed.push(text),
    printError: (text) => errors.push(text),
    readFile: async (name) => Buffer.from(given[name] ?? ''),
    listFiles: async (name) => (name === 'used' ? ['other.txt'] : undefined),
    removeFile: async () => undefined,
    resolvePath: (name) => name,
    async writeFile(name, pieces) {
      const parts: Uint8Array[] = [];
      for await (const piece of pieces) parts.push(piece);
      files.set(name, Buffer.concat(parts));
    },
    prompt: undefined,
    wait: async () => undefined,
  };
  const code = await runCommand(['compare', ...words], world);
  return { code, out: printed.join(''), err: errors.join(''), files };
}

const readReport = (text: string) => JSON.parse(text) as ComparisonReport;

/** The codes of each layer that has details: `count count-differs`. */
function listCodes({ layers }: ComparisonReport): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    layers
      .filter(({ details }) => details.length > 0)
      .map(({ name, details }) => [name, [...new Set(details.map(({ check, code }) => `${check} ${code}`))]]),
  );
}

describe('graticule compare', () => {
  const [old, renewed] = [useTestServer(), useTestServer()];
  let urls: readonly [string, string];

  async function publishOnBoth(name: string, before: string, after: string): Promise<void> {
    await publish(old, name, before);
    await publish(renewed, name, after);
  }

  beforeAll(async () => {
    const same = createPoints(corners);
    for (const server of [old, renewed]) {
      await must(server, 'POST', '/workspaces', JSON.stringify({ workspace: { name: 'acme' } }));
      await must(server, 'POST', '/styles?name=square', pointSld('square', '#0000ff'), SLD_TYPE);
    }
    for (const name of ['plain', 'titles', 'styles', 'boxes', 'tiles', 'drawn']) await publishOnBoth(name, same, same);
    await publish(old, 'gone', same);
    await publish(renewed, 'added', same);
    const table = (properties: Properties) => createPoints([[7, 46, properties]]);
    await publishOnBoth('schema', table({ a: 1, b: 'x', c: 'y', d: 'z' }), table({ a: 'one', c: 'y', b: 'x', e: 'z' }));
    await publishOnBoth('counted', same, createPoints([...corners, [7.9, 46.9, { name: 'c' }]]));
    await publishOnBoth('valued', same, createPoints([[7, 46, { name: 'x' }], corners[1]]));
    await publishOnBoth('moved', same, createPoints([corners[0], [8, 47.001, { name: 'b' }]]));
    const centre = [7.5, 46.5, { name: 'c' }] as const;
    await publishOnBoth(
      'centre',
      createPoints([...corners, centre]),
      createPoints([...corners, [7.9, 46.5, { name: 'c' }]]),
    );
    await publishOnBoth('hidden', createPoints([...corners, centre]), createPoints([...corners, centre]));

    const edit = (layer: string, document: object) =>
      must(
        renewed,
        'PUT',
        `/workspaces/acme/datastores/${layer}/featuretypes/${layer}`,
        JSON.stringify({ featureType: document }),
      );
    await edit('titles', { title: 'Other title' });
    await edit('boxes', { latLonBoundingBox: { minx: 7, miny: 46, maxx: 8, maxy: 47.5, crs: 'EPSG:4326' } });
    const style = (server: TestServer, layer: string, name: string) =>
      must(server, 'PUT', `/layers/acme:${layer}`, JSON.stringify({ layer: { defaultStyle: { name } } }));
    await style(renewed, 'styles', 'square');
    const tiles = {
      name: 'acme:tiles',
      enabled: true,
      mimeFormats: ['image/png'],
      gridSubsets: [{ gridSetName: 'EPSG:4326' }],
    };
    await must(renewed, 'POST', '/tilelayers/acme:tiles', JSON.stringify({ GeoServerLayer: tiles }));
    await must(old, 'POST', '/styles?name=symbol', pointSld('circle', '#ff0000'), SLD_TYPE);
    await must(renewed, 'POST', '/styles?name=symbol', pointSld('square', '#00ff00'), SLD_TYPE);
    const invisible = pointSld('circle', '#ff0000').replace(
      '<Rule>',
      '<Rule><MaxScaleDenominator>1</MaxScaleDenominator>',
    );
    await must(old, 'POST', '/styles?name=faint', pointSld('circle', '#ff0000'), SLD_TYPE);
    await must(renewed, 'POST', '/styles?name=faint', invisible, SLD_TYPE);
    for (const server of [old, renewed]) {
      await style(server, 'drawn', 'symbol');
      await style(server, 'hidden', 'faint');
    }
    const [first = '', second = ''] = await Promise.all(
      [old, renewed].map(
        async ({ server }) =>
          `${await server.app.listen({ host: '127.0.0.1', port: 0 })}${server.restRoot.replace(/\/rest$/, '')}`,
      ),
    );
    urls = [first, second];
  });

  it('reports each planted difference with its code, and exits with 2', async () => {
    const { code, out, err } = await run([...urls, '--json']);

    const report = readReport(out);
    expect([code, err]).toEqual([2, '']);
    expect(report).toMatchObject({ format: 'graticule-compare-report/1', old: urls[0], new: urls[1], tolerance: 5 });
    expect(listCodes(report)).toEqual({
      'acme:added': ['capabilities layer-extra'],
      'acme:boxes': ['capabilities box-differs'],
      'acme:centre': ['sample value-differs', 'map map-differs', 'map map-empty', 'info info-differs'],
      'acme:counted': ['count count-differs', 'map map-differs'],
      'acme:drawn': ['map map-differs'],
      'acme:gone': ['capabilities layer-missing'],
      'acme:hidden': ['map map-empty', 'info info-differs'],
      'acme:moved': ['capabilities box-differs', 'sample value-differs', 'map map-differs'],
      'acme:schema': [
        ...['type-differs', 'property-missing', 'property-extra', 'order-differs'].map((each) => `schema ${each}`),
        'sample value-differs',
      ],
      'acme:styles': ['capabilities style-differs', 'map map-differs'],
      'acme:tiles': ['capabilities crs-differs', 'capabilities format-missing'],
      'acme:titles': ['capabilities title-differs'],
      'acme:valued': ['sample value-differs'],
    });
    expect(report.summary).toMatchObject({ layers: 14, equal: 1, different: 13, failed: 0 });
  });

  it('a server that is compared with itself is equal, and prints a table', async () => {
    const { code, out } = await run([urls[0], `${urls[0]}/`, '--layer', 'acme:plain', '--layer', 'acme:drawn']);

    expect({ code, out }).toEqual({
      code: 0,
      out: [
        'LAYER       CAPABILITIES  SCHEMA  COUNT  SAMPLE  MAP    INFO',
        'acme:plain  equal         equal   equal  equal   equal  equal',
        'acme:drawn  equal         equal   equal  equal   equal  equal',
        '',
        '2 layers: 2 equal, 0 different.',
        '',
      ].join('\n'),
    });
  });

  it('--check and --layers select checks and layers; missing layers are reported in any case', async () => {
    const { code, out } = await run([...urls, '--check', 'count', '--layers', 'names'], {
      names: 'acme:counted\nacme:gone\n\nacme:titles\r\n',
    });

    expect({ code, out }).toEqual({
      code: 2,
      out: [
        'LAYER         CAPABILITIES  COUNT',
        'acme:counted  -             DIFFERENT',
        'acme:gone     DIFFERENT     -',
        'acme:titles   -             equal',
        '',
        'acme:counted  WFS  count-differs  Number of features: old 2, new 3.',
        'acme:gone  WFS  layer-missing  The new server does not list the layer.',
        '',
        '3 layers: 1 equal, 2 different.',
        '',
      ].join('\n'),
    });
  });

  it('--tolerance decides which share of different pixels is a difference', async () => {
    const { code } = await run([...urls, '--check', 'map', '--layer', 'acme:drawn', '--tolerance', '100']);

    expect(code).toBe(0);
  });

  it('--output writes the pictures, the report and a page with the pictures side by side', async () => {
    const { files } = await run([...urls, '--layer', 'acme:drawn', '--output', 'out/', '--report', 'r.json']);

    const names = ['old', 'new', 'difference'].flatMap((side) =>
      ['whole', 'inner'].map((area) => `out/pictures/0001-acme_drawn-${area}-${side}.png`),
    );
    expect([...files.keys()].sort()).toEqual([...names, 'out/index.html', 'out/report.json', 'r.json'].sort());
    for (const name of names) expect(files.get(name)?.subarray(1, 4).toString()).toBe('PNG');
    expect(files.get('out/report.json')).toEqual(files.get('r.json'));
    const page = files.get('out/index.html')?.toString() ?? '';
    for (const name of names) expect(page).toContain(`<img src="${name.slice('out/'.length)}"`);
    expect(page).toContain('<code>map-differs</code> WMS map: The map of the whole box');
  });

  it('sends credentials to their server only', async () => {
    const asAdmin = ['--new-user', 'admin', '--new-password-file', 'secret'];
    const words = [...urls, '--layer', 'acme:plain', '--check', 'count'];

    expect(await run([...words, ...asAdmin], { secret: `${ADMIN_PASSWORD}\n` })).toMatchObject({ code: 0 });
    expect(await run([...words, ...asAdmin], { secret: 'wrong' })).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`${urls[1]} returned no capabilities: Status 401`),
    });
  });

  it('a service that one server lacks is a failure of that server, and one that both lack is no difference', async () => {
    const disable = (server: TestServer, service: string, enabled: boolean) =>
      must(server, 'PUT', `/services/${service}/settings`, JSON.stringify({ [service]: { enabled } }));
    await disable(renewed, 'wcs', false);
    await disable(old, 'wmts', false);
    try {
      const words = [...urls, '--layer', 'acme:plain', '--json'];
      const services = async () =>
        readReport((await run(words)).out).services.map(({ name, details }) => [name, details.map(({ code }) => code)]);
      expect(await services()).toEqual([
        ['WMS', []],
        ['WFS', []],
        ['WCS', ['new-failed']],
        ['WMTS', ['old-failed']],
      ]);

      await disable(old, 'wcs', false);
      await disable(renewed, 'wmts', false);
      expect((await services()).slice(2)).toEqual([
        ['WCS', ['both-failed']],
        ['WMTS', ['both-failed']],
      ]);
      expect((await run(words)).code).toBe(0);
    } finally {
      for (const server of [old, renewed]) for (const service of ['wcs', 'wmts']) await disable(server, service, true);
    }
  });

  it.each([
    [['--layer', 'acme:nothing'], "Neither server lists the layer 'acme:nothing'."],
    [['--check', 'maps'], "Invalid --check 'maps'. Use capabilities, schema, count, sample, map, info."],
    [['--tolerance', '-1%'], "Invalid --tolerance '-1%'. Use a number of percent between 0 and 100."],
    [['--old-user', 'anna'], '--old-user and --old-password-file belong together.'],
    [['--output', 'used'], "The directory 'used' is not empty. Use another one for --output."],
    [['--layers', 'empty'], "'empty' contains no names of layers."],
    [
      ['--user', 'admin'],
      '--user has no effect on compare. Pass the addresses OLD and NEW, and credentials with --old-user, --old-password-file, --new-user and --new-password-file.',
    ],
  ])('exits with 1 for %j', async (words, message) => {
    // The value of an option can begin with a dash only after an equals sign.
    const given = words[0] === '--tolerance' ? [`${words[0]}=${words[1]}`] : words;

    expect(await run([...urls, ...given])).toMatchObject({ code: 1, out: '', err: `graticule: ${message}\n` });
  });

  it.each(['ftp://x/', 'maps.example', 'http://anna:secret@127.0.0.1/', 'http://127.0.0.1/?a=b'])(
    'exits with 1 for the address %s without printing a password',
    async (address) => {
      const { code, err } = await run([address, urls[1]]);

      expect(code).toBe(1);
      expect(err).toMatch(/^graticule: [^\n]+\n$/);
      expect(err).not.toContain('secret');
    },
  );

  it('compares with a server that answers like GeoServer', async () => {
    const remote = await startRemoteServer((request, response) => answerLikeGeoServer(request.url ?? '', response));
    const other = `http://127.0.0.1:${remote.port}/geoserver`;

    const { code, out } = await run([other, urls[1], '--layer', 'acme:plain', '--json']);

    expect(code).toBe(2);
    const report = readReport(out);
    expect(
      report.services.map(({ name, details }) => [name, details.map(({ code, message }) => `${code} ${message}`)]),
    ).toEqual([
      ['WMS', ['format-missing Missing formats: GetMap image/x-unknown.']],
      ['WFS', []],
      ['WCS', ['old-failed The server returned an HTML page: Service is off.']],
      ['WMTS', ['old-failed Status 404.']],
    ]);
    expect(report.layers[0]?.details.map(({ check, code, message }) => `${check} ${code} ${message}`)).toEqual([
      'capabilities style-differs Styles: missing dot; additional point.',
      'capabilities crs-differs Reference systems or grids: missing EPSG:2056; additional EPSG:3857, EPSG:900913.',
      'capabilities crs-differs Reference systems or grids: additional EPSG:3857.',
      'map old-failed The renderer failed.',
      'map old-failed The renderer failed.',
      'info old-failed The response is not JSON.',
    ]);
    expect(remote.asked.every((each) => each.startsWith('GET '))).toBe(true);
  });
});

/** Documents in the form of GeoServer: URNs, prefixes, exceptions with the status 200 and pages instead of documents. */
function answerLikeGeoServer(address: string, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(address, 'http://127.0.0.1');
  const key =
    `${pathname.split('/').at(-1)} ${searchParams.get('request')} ${searchParams.get('resultType') ?? ''}`.trim();
  const [status, type, body] = answers[key] ?? [404, 'text/xml', ''];
  response.writeHead(status, { 'content-type': type }).end(body);
}

const box =
  '<ows:WGS84BoundingBox><ows:LowerCorner>7.0 46.0</ows:LowerCorner><ows:UpperCorner>8.0 47.0</ows:UpperCorner></ows:WGS84BoundingBox>';

const answers: Readonly<Record<string, readonly [status: number, type: string, body: string]>> = {
  'wms GetCapabilities': [
    200,
    'text/xml',
    `<?xml version="1.0" encoding="UTF-8"?><WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Capability>
    <Request><GetMap><Format>image/png</Format><Format>image/x-unknown</Format></GetMap></Request>
    <Layer><Title>All</Title><CRS>EPSG:2056</CRS><CRS>CRS:84</CRS><Layer queryable="1"><Name>acme:plain</Name><Title>plain</Title>
    <CRS>EPSG:4326</CRS><EX_GeographicBoundingBox><westBoundLongitude>7.0</westBoundLongitude><eastBoundLongitude>8.0</eastBoundLongitude>
    <southBoundLatitude>46.0</southBoundLatitude><northBoundLatitude>47.0</northBoundLatitude></EX_GeographicBoundingBox>
    <Style><Name>dot</Name></Style></Layer></Layer></Capability></WMS_Capabilities>`,
  ],
  'wfs GetCapabilities': [
    200,
    'application/xml',
    `<wfs:WFS_Capabilities xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:ows="http://www.opengis.net/ows/1.1"><FeatureTypeList xmlns="http://www.opengis.net/wfs/2.0">
    <FeatureType xmlns:acme="http://acme"><Name>acme:plain</Name><Title>plain</Title><DefaultCRS>urn:ogc:def:crs:EPSG::4326</DefaultCRS>${box}</FeatureType>
    </FeatureTypeList></wfs:WFS_Capabilities>`,
  ],
  'wcs GetCapabilities': [200, 'text/html', '<html><head><title>Service is off</title></head></html>'],
  'wfs DescribeFeatureType': [
    200,
    'application/gml+xml; version=3.2',
    `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:acme="http://acme"><xsd:complexType name="plainType">
    <xsd:complexContent><xsd:extension base="gml:AbstractFeatureType"><xsd:sequence><xsd:element name="geom" type="gml:PointPropertyType"/>
    <xsd:element name="name" type="xsd:string"/></xsd:sequence></xsd:extension></xsd:complexContent></xsd:complexType>
    <xsd:element name="plain" type="acme:plainType"/></xsd:schema>`,
  ],
  'wfs GetFeature hits': [
    200,
    'application/gml+xml; version=3.2',
    '<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" numberMatched="2" numberReturned="0"/>',
  ],
  'wfs GetFeature': [
    200,
    'application/json;charset=UTF-8',
    JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'plain.1',
          geometry: { type: 'Point', coordinates: [7, 46] },
          properties: { name: 'a' },
        },
        {
          type: 'Feature',
          id: 'plain.2',
          geometry: { type: 'Point', coordinates: [8, 47] },
          properties: { name: 'b' },
        },
      ],
    }),
  ],
  'wms GetMap': [
    200,
    'text/xml',
    '<ServiceExceptionReport xmlns="http://www.opengis.net/ogc"><ServiceException>The renderer failed.\nat x.Y</ServiceException></ServiceExceptionReport>',
  ],
  'wms GetFeatureInfo': [200, 'application/json', 'no results'],
};
