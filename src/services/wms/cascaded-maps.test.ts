/** Layers of remote map servers on our maps. */
import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { wmsCapabilities } from '../../../test/support/capabilities.ts';
import { askMap, colourAt, publishSquares, SMALL_MAP } from '../../../test/support/maps.ts';
import { type RemoteServer, startRemoteServer } from '../../../test/support/remote-server.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });

const [RED, BLUE, WHITE] = ['#ff0000', '#0000ff', '#ffffff'];

beforeAll(async () => {
  await publishSquares(server);
  const check = { regexUrlCheck: { name: 'maps', enabled: true, regex: '^http://maps\\.example\\.com:\\d+/.*$' } };
  await server.post('/urlchecks', JSON.stringify(check));
});

const EXCEPTION =
  '<ServiceExceptionReport><ServiceException>The database sleeps</ServiceException></ServiceExceptionReport>';

let remote: RemoteServer;
let mood: 'kind' | 'refusing' | 'gone' | 'silent' | 'redirecting';
/** The responses that a silent server does not send. */
let silent: ServerResponse[];
/** The status for tiles at or east of the prime meridian; undefined if they exist. */
let statusEast: number | undefined;
/** Whether the capabilities of the tiles offer GetFeatureInfo. */
let offersInfo: boolean;

beforeEach(async () => {
  mood = 'kind';
  silent = [];
  statusEast = undefined;
  offersInfo = true;
  remote = await startRemoteServer((request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    answer(url, response).catch(() => response.destroy());
  });
  await server.delete('/workspaces/topo/wmsstores/neighbour?recurse=true');
  const capabilitiesURL = `http://maps.example.com:${remote.port}/ows?map=town`;
  const store = { wmsStore: { name: 'neighbour', capabilitiesURL, user: 'me', password: 'open sesame' } };
  await server.post('/workspaces/topo/wmsstores', JSON.stringify(store));
  const made = await server.post('/workspaces/topo/wmsstores/neighbour/wmslayers', '{"wmsLayer":{"name":"roads"}}');
  expect(made.status, made.text).toBe(201);
  await server.delete('/workspaces/topo/wmtsstores/tiles?recurse=true');
  const tilesURL = `http://maps.example.com:${remote.port}/tiles?map=town`;
  const tiles = { wmtsStore: { name: 'tiles', capabilitiesURL: tilesURL, user: 'me', password: 'open sesame' } };
  await server.post('/workspaces/topo/wmtsstores', JSON.stringify(tiles));
  for (const name of ['streets', 'paths', 'signs', 'walls']) {
    const layer = await server.post(
      '/workspaces/topo/wmtsstores/tiles/layers',
      JSON.stringify({ wmtsLayer: { name } }),
    );
    expect(layer.status, layer.text).toBe(201);
  }
});

/**
 * The whole Earth in degrees, in two tiles, in eight, and so on. Streets are requested with key-value pairs, paths with
 * templates; the features of signs are on a server that no URL check allows; walls have no features.
 */
function tileCapabilities(host: string): string {
  const matrices = Array.from({ length: 4 }, (_, level) => {
    const scale = 279_541_132.014_358_9 / 2 ** level;
    return `<TileMatrix><ows:Identifier>l${level}</ows:Identifier><ScaleDenominator>${scale}</ScaleDenominator><TopLeftCorner>90 -180</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>${2 ** (level + 1)}</MatrixWidth><MatrixHeight>${2 ** level}</MatrixHeight></TileMatrix>`;
  });
  const layer = (name: string, east: number, more: string): string =>
    `<Layer><ows:Identifier>${name}</ows:Identifier><ows:WGS84BoundingBox><ows:LowerCorner>-180 -90</ows:LowerCorner><ows:UpperCorner>${east} 90</ows:UpperCorner></ows:WGS84BoundingBox><Style><ows:Identifier>night</ows:Identifier></Style><Style isDefault="true"><ows:Identifier>day</ows:Identifier></Style><Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>degrees</TileMatrixSet></TileMatrixSetLink>${more}</Layer>`;
  const address = `http://${host}/tile/{style}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png`;
  const pixel = '{style}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}/{J}/{I}';
  const writeInfo = (format: string, template: string) =>
    offersInfo ? `<ResourceURL format="${format}" resourceType="FeatureInfo" template="${template}"/>` : '';
  const tile = `<ResourceURL format="image/png" resourceType="tile" template="${address}"/>`;
  const info = ['text/html', 'text/plain', 'application/json'].map((each) => `<InfoFormat>${each}</InfoFormat>`);
  const operation = `<ows:OperationsMetadata><ows:Operation name="GetFeatureInfo"><ows:DCP><ows:HTTP><ows:Get xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="http://${host}/ows"><ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>KVP</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get></ows:HTTP></ows:DCP></ows:Operation></ows:OperationsMetadata>`;
  return `<Capabilities version="1.0.0" xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1">${offersInfo ? operation : ''}<Contents>
    ${layer('streets', 180, info.join(''))}${layer('walls', 180, '')}
    ${layer('paths', 60, `${tile}${writeInfo('text/html', `http://${host}/info/${pixel}.html`)}${writeInfo('text/plain; charset=utf-8', `http://${host}/info/${pixel}.txt`)}`)}
    ${layer('signs', 180, writeInfo('application/json', `http://other.example.com/${pixel}.json`))}
    <TileMatrixSet><ows:Identifier>degrees</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::4326</ows:SupportedCRS>${matrices.join('')}</TileMatrixSet>
  </Contents></Capabilities>`;
}

/** Returns the box of a tile, by key-value pairs or by path; undefined for other requests. */
function boxOfTile(url: URL): readonly [minX: number, maxX: number] | undefined {
  const [, path = '', level = '', , column = ''] =
    /^\/(tile)\/[^/]+\/degrees\/l(\d)\/(\d+)\/(\d+)\.png$/.exec(url.pathname) ?? [];
  const pairs = url.searchParams;
  if (path === '' && !pairs.has('TileMatrix')) return undefined;
  const side = 180 / 2 ** Number(path === '' ? pairs.get('TileMatrix')?.slice(1) : level);
  const minX = -180 + Number(path === '' ? pairs.get('TileCol') : column) * side;
  return [minX, minX + side];
}

/** Red west of five degrees, and transparent east of that. */
async function answer(url: URL, response: ServerResponse): Promise<void> {
  const asked = url.searchParams;
  const request = asked.get('REQUEST');
  const tile = boxOfTile(url);
  if (url.pathname === '/tiles.xml' || (request === 'GetCapabilities' && url.pathname === '/tiles')) {
    response.end(tileCapabilities(url.host));
  } else if (request === 'GetCapabilities') {
    response.end(wmsCapabilities.replace('<CRS>EPSG:3857</CRS>', ''));
  } else if (mood === 'gone') {
    response.destroy();
  } else if (mood === 'silent') {
    silent.push(response);
  } else if (mood === 'redirecting') {
    response.writeHead(302, { location: 'http://intranet.example.com/secret' }).end();
  } else if (mood === 'refusing') {
    response.setHeader('content-type', 'application/vnd.ogc.se_xml').end(EXCEPTION);
  } else if (statusEast !== undefined && tile !== undefined && tile[0] >= 0) {
    response.writeHead(statusEast, { 'content-type': 'text/html' }).end(statusEast === 204 ? '' : '<p>No tile</p>');
  } else if (url.pathname.startsWith('/info/')) {
    response.setHeader('content-type', 'text/plain').end('Ridge Path\n');
  } else if (request === 'GetFeatureInfo' || asked.get('Request') === 'GetFeatureInfo') {
    const features = [{ type: 'Feature', id: 'roads.7', properties: { name: 'High Street', lanes: 2 } }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ type: 'FeatureCollection', features }));
  } else {
    const [left = 0, , right = 5] = (asked.get('BBOX') ?? '0,0,5,5').split(',').map(Number);
    const [minX, maxX] = tile ?? [left, right];
    const [width, height] = tile === undefined ? [Number(asked.get('WIDTH')), Number(asked.get('HEIGHT'))] : [256, 256];
    const pixels = Uint8Array.from({ length: width * height * 4 }, (_, at) => {
      const x = minX + (((Math.floor(at / 4) % width) + 0.5) * (maxX - minX)) / width;
      return (at % 4 === 0 || at % 4 === 3) && x < 5 ? 255 : 0;
    });
    const { default: sharp } = await import('sharp');
    const png = await sharp(pixels, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer();
    response.setHeader('content-type', 'image/png').end(png);
  }
}

function lastQuestion(): URLSearchParams {
  return new URL((remote.asked.at(-1) ?? '').split(' ')[2] ?? '', 'http://maps.example.com').searchParams;
}

/** At the centre of the left half and of the right half. */
async function sides(query: string, map = SMALL_MAP): Promise<readonly string[]> {
  const reply = await askMap(server, `${map}&${query}`);
  return [await colourAt(reply, 4, 10), await colourAt(reply, 15, 10)];
}

describe('cascaded WMS layer', () => {
  it('is drawn like the remote server draws it, alone and with local layers', async () => {
    expect(await sides('layers=topo:roads')).toEqual([RED, WHITE]);
    expect(await sides('layers=topo:east,topo:roads')).toEqual([RED, BLUE]);
    expect(await sides('layers=topo:roads&transparent=true')).toEqual([RED, '#00000000']);
  });

  it('requests the same box with the parameters of the store address and its credentials', async () => {
    await sides('layers=topo:roads&time=2024-01-01');

    expect(Object.fromEntries(lastQuestion())).toMatchObject({
      map: 'town',
      REQUEST: 'GetMap',
      VERSION: '1.1.1',
      LAYERS: 'roads',
      STYLES: '',
      SRS: 'EPSG:4326',
      BBOX: '0,0,10,10',
      WIDTH: '20',
      HEIGHT: '20',
      TRANSPARENT: 'TRUE',
      TIME: '2024-01-01',
    });
    expect(remote.headers.at(-1)?.authorization).toMatch(/^Basic /);
  });

  it('is reprojected to CRSs that the remote server does not support', async () => {
    const mercator = SMALL_MAP.replace('EPSG:4326&bbox=0,0,10,10', 'EPSG:3857&bbox=0,0,1113194.9,1118889.97');

    expect(await sides('layers=topo:roads', mercator)).toEqual([RED, WHITE]);
    expect(lastQuestion().get('SRS')).toBe('EPSG:4326');
    expect(await sides('layers=topo:roads&angle=180')).toEqual([WHITE, RED]);
  });

  it('returns feature information', async () => {
    const query = `${SMALL_MAP.replace('GetMap', 'GetFeatureInfo')}&layers=topo:roads&query_layers=topo:roads&x=4&y=10`;

    const reply = await askMap(server, `${query}&info_format=application/json`);

    expect(reply.json()).toMatchObject({ features: [{ properties: { name: 'High Street', lanes: '2' } }] });
    expect((await askMap(server, `${query}&info_format=text/plain`)).text).toContain('name = High Street');
  });

  it('returns the legend of the remote server', async () => {
    const query = 'service=WMS&request=GetLegendGraphic&format=image/png&layer=topo:roads&width=10&height=12';

    const reply = await askMap(server, query);

    expect([reply.headers['content-type'], await colourAt(reply, 4, 10)]).toEqual(['image/png', RED]);
    expect(lastQuestion().get('LAYER')).toBe('roads');
  });

  it('reports the reason of a failure without secrets', async () => {
    mood = 'refusing';
    const refused = await askMap(server, `${SMALL_MAP}&layers=topo:roads`);
    mood = 'gone';
    const gone = await askMap(server, `${SMALL_MAP}&layers=topo:roads`);

    expect([refused.status, gone.status]).toEqual([502, 503]);
    expect(refused.text).toContain(
      "The remote server of the layer 'roads' did not return a usable response: it reports 'The database sleeps'.",
    );
    expect(refused.text).toContain('ServiceExceptionReport');
    expect(gone.text).toContain('ServiceExceptionReport');
    expect(`${refused.text} ${gone.text}`).not.toContain('sesame');
  });

  it('does not disclose where a redirect leads, and names a remote style that the client itself sent', async () => {
    mood = 'redirecting';
    const reply = await askMap(server, `${SMALL_MAP}&layers=topo:roads`);
    expect([reply.status, reply.text]).toEqual([503, expect.stringContaining('The data of this layer is unavailable')]);
    expect(reply.text).not.toContain('intranet');
    const sent = await askMap(server, `${SMALL_MAP}&layers=topo:west&sld=http://other.example.com/a.sld`);
    expect([sent.status, sent.text]).toEqual([403, expect.stringContaining('http://other.example.com/a.sld')]);
  });

  it.each(['gone', 'refusing', 'redirecting'] as const)(
    'is a picture with the message of a failure if the client wants that: %s',
    async (failure) => {
      mood = failure;
      const kinds = ['application/vnd.ogc.se_inimage', 'blank'];
      const [inimage, blank] = await Promise.all(
        kinds.map((kind) => askMap(server, `${SMALL_MAP}&layers=topo:west,topo:roads&exceptions=${kind}`)),
      );
      expect([inimage?.status, inimage?.headers['content-type']]).toEqual([200, 'image/png']);
      expect([blank?.status, blank?.headers['content-type']]).toEqual([200, 'image/png']);
      expect(inimage?.bytes.equals(blank?.bytes ?? Buffer.alloc(0))).toBe(false);
    },
  );

  it('does not delay other maps while its server is silent', async () => {
    mood = 'silent';
    const late = Array.from({ length: 30 }, () => askMap(server, `${SMALL_MAP}&layers=topo:roads`));
    await expect.poll(() => silent.length).toBe(3);
    const own = await askMap(server, `${SMALL_MAP}&layers=topo:west`);
    expect(own.status).toBe(200);
    // One client may wait for one store with three of the eight maps that are drawn at a time.
    expect(silent).toHaveLength(3);
    mood = 'gone';
    for (const response of silent) response.destroy();
    expect(new Set((await Promise.all(late)).map(({ status }) => status))).toEqual(new Set([503]));
  });

  it('is rejected for a style that neither server has', async () => {
    const map = SMALL_MAP.replace('&styles=', '');

    expect((await askMap(server, `${map}&layers=topo:roads&styles=nothing`)).text).toContain('StyleNotDefined');
  });
});

describe('cascaded WMTS layer', () => {
  it('is drawn from tiles of sufficient resolution, alone and with local layers', async () => {
    expect(await sides('layers=topo:streets')).toEqual([RED, WHITE]);
    expect(Object.fromEntries(lastQuestion())).toEqual({
      ...{ map: 'town', Service: 'WMTS', Version: '1.0.0', Request: 'GetTile', Layer: 'streets', Style: 'day' },
      ...{ Format: 'image/png', TileMatrixSet: 'degrees', TileMatrix: 'l1', TileRow: '0', TileCol: '2' },
    });
    expect(remote.headers.at(-1)?.authorization).toMatch(/^Basic /);
    expect(await sides('layers=topo:east,topo:streets')).toEqual([RED, BLUE]);
    expect(await sides('layers=topo:streets&transparent=true')).toEqual([RED, '#00000000']);
  });

  it('uses the address templates of the remote server with the requested style', async () => {
    const map = SMALL_MAP.replace('&styles=', '');

    expect(await sides('layers=topo:paths&styles=night', map)).toEqual([RED, WHITE]);
    expect(remote.asked.at(-1)).toMatch(/ \/tile\/night\/degrees\/l1\/0\/2\.png$/);
  });

  it('is reprojected, and combined from several tiles', async () => {
    const mercator = SMALL_MAP.replace('EPSG:4326&bbox=0,0,10,10', 'EPSG:3857&bbox=0,0,1113194.9,1118889.97');
    const world = SMALL_MAP.replace('bbox=0,0,10,10&width=20&height=20', 'bbox=-180,-90,180,90&width=1000&height=500');

    expect(await sides('layers=topo:streets', mercator)).toEqual([RED, WHITE]);
    const before = remote.asked.length;
    const whole = await askMap(server, `${world}&layers=topo:streets`);
    expect([await colourAt(whole, 510, 250), await colourAt(whole, 520, 250)]).toEqual([RED, WHITE]);
    expect(remote.asked.slice(before).filter((each) => each.includes('TileMatrix=l1'))).toHaveLength(8);
  });

  it('is not requested outside its extent', async () => {
    const beside = SMALL_MAP.replace('bbox=0,0,10,10', 'bbox=100,0,110,10');
    const isTile = (asked: string) => asked.includes('/tile/');

    expect(await sides('layers=topo:paths', beside)).toEqual([WHITE, WHITE]);
    expect(remote.asked.filter(isTile)).toEqual([]);
  });

  it('has local tiles, but no legend', async () => {
    const place = 'tilematrixset=EPSG:4326&tilematrix=EPSG:4326:1&tilerow=0&tilecol=2&format=image/png';
    const tile = await server.get(`//geoserver/gwc/service/wmts?request=GetTile&layer=topo:streets&${place}`, {
      as: null,
    });
    const legend = 'service=WMS&request=GetLegendGraphic&format=image/png&layer=topo:streets';

    expect([await colourAt(tile, 5, 128), await colourAt(tile, 100, 128)]).toEqual([RED, '#00000000']);
    expect((await askMap(server, legend)).text).toContain('tile servers provide no legends');
  });

  it.each([404, 204])('is empty if the remote server returns status %i for a tile', async (status) => {
    statusEast = status;
    const around = SMALL_MAP.replace('bbox=0,0,10,10', 'bbox=-5,0,5,10');

    expect(await sides('layers=topo:streets', around)).toEqual([RED, WHITE]);
    expect(await sides('layers=topo:streets')).toEqual([WHITE, WHITE]);
  });

  it.each([400, 403, 410, 500])('fails if the remote server returns status %i for a tile', async (status) => {
    statusEast = status;
    const around = SMALL_MAP.replace('bbox=0,0,10,10', 'bbox=-5,0,5,10');

    const refused = await askMap(server, `${around}&layers=topo:streets`);

    expect(refused.status).toBe(503);
  });

  it('reports the reason of a failure', async () => {
    mood = 'refusing';

    const refused = await askMap(server, `${SMALL_MAP}&layers=topo:streets`);

    expect(refused.status).toBe(502);
    expect(refused.text).toContain('The database sleeps');
  });
});

describe('GetFeatureInfo of a cascaded WMTS layer', () => {
  const INFO_MAP = `${SMALL_MAP.replace('GetMap', 'GetFeatureInfo')}&x=4&y=10&info_format=application/json`;
  const ask = (layer: string, map = INFO_MAP) =>
    askMap(server, `${map}&layers=topo:${layer}&query_layers=topo:${layer}`);
  const askTile = (layer: string) =>
    server.get(
      `//geoserver/gwc/service/wmts?request=GetFeatureInfo&layer=topo:${layer}&tilematrixset=EPSG:4326&tilematrix=EPSG:4326:1&tilerow=0&tilecol=2&format=image/png&infoformat=application/json&i=3&j=121`,
      { as: null },
    );
  const streets = { features: [{ properties: { name: 'High Street', lanes: '2' } }] };
  const place = { Request: 'GetFeatureInfo', Layer: 'streets', TileMatrixSet: 'degrees' };

  it('requests the pixel at the position, in the level nearest to the resolution of the map', async () => {
    expect((await ask('streets')).json()).toMatchObject(streets);
    expect(Object.fromEntries(lastQuestion())).toEqual({
      ...{ map: 'town', Service: 'WMTS', Version: '1.0.0', Style: 'day', Format: 'image/png', ...place },
      ...{ TileMatrix: 'l0', TileRow: '0', TileCol: '1', J: '121', I: '3', InfoFormat: 'application/json' },
    });
    expect(remote.headers.at(-1)?.authorization).toMatch(/^Basic /);
    expect((await ask('streets', INFO_MAP.replace('0,0,10,10', '0,0,1,1'))).json()).toMatchObject(streets);
    expect(Object.fromEntries(lastQuestion())).toMatchObject({
      ...{ TileMatrix: 'l3', TileRow: '3', TileCol: '8', J: '250', I: '2' },
    });
  });

  it('reprojects the position, and passes on the style and the number of features', async () => {
    const mercator = INFO_MAP.replace('EPSG:4326&bbox=0,0,10,10', 'EPSG:3857&bbox=0,0,1113194.9,1118889.97');
    const map = `${mercator.replace('&styles=', '&styles=night')}&feature_count=5`;

    expect((await ask('streets', map)).json()).toMatchObject(streets);
    expect(Object.fromEntries(lastQuestion())).toMatchObject({
      ...{ TileMatrix: 'l0', TileRow: '0', TileCol: '1', J: '121', I: '3', Style: 'night', FEATURE_COUNT: '5' },
    });
  });

  it('uses the address templates of the remote server, and returns its text', async () => {
    expect((await ask('paths')).json()).toMatchObject({ features: [{ properties: { text: 'Ridge Path' } }] });
    expect(remote.asked.at(-1)).toMatch(/ \/info\/day\/degrees\/l0\/0\/1\/121\/3\.txt$/);
    const text = INFO_MAP.replace('application/json', 'text/plain');
    expect((await ask('paths', text)).text).toContain('text = Ridge Path');
  });

  it('uses the address of the operation if the capabilities are a stored document', async () => {
    const wmtsStore = { name: 'tiles', capabilitiesURL: `http://maps.example.com:${remote.port}/tiles.xml` };
    const changed = await server.put('/workspaces/topo/wmtsstores/tiles', JSON.stringify({ wmtsStore }));
    expect(changed.status, changed.text).toBe(200);
    expect((await ask('streets')).json()).toMatchObject(streets);
    expect(remote.asked.at(-1)).toMatch(/ \/ows\?Service=WMTS&/);
  });

  it('requests the same pixel for GetFeatureInfo of a local tile', async () => {
    expect((await askTile('streets')).json()).toMatchObject(streets);
    expect(Object.fromEntries(lastQuestion())).toMatchObject({
      ...{ ...place, TileMatrix: 'l1', TileRow: '0', TileCol: '2', J: '121', I: '3' },
    });
  });

  it('returns no features outside the extent of the layer, and where the remote server has no tile', async () => {
    const beside = INFO_MAP.replace('bbox=0,0,10,10', 'bbox=100,0,110,10');
    expect((await ask('paths', beside)).json()).toMatchObject({ features: [] });
    expect(remote.asked.filter((asked) => asked.includes('/info/'))).toEqual([]);
    statusEast = 404;
    expect((await ask('streets')).json()).toMatchObject({ features: [] });
    expect(lastQuestion().get('Request')).toBe('GetFeatureInfo');
  });

  it('requests only positions inside the areas of data rules', async () => {
    // In the large map, the position is inside, but the centre of the remote pixel is outside.
    const geometry = 'POLYGON ((0 0, 0.03 0, 0.03 1, 2.6 1, 2.6 10, 0 10, 0 0))';
    const dataRule = { name: 'west', layer: 'topo:streets', roles: ['*'], area: { geometry, mode: 'clip' } };
    const made = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
    expect(made.status, made.text).toBe(201);
    onTestFinished(async () => {
      await server.delete('/security/acl/data/west');
    });
    expect((await ask('streets')).json()).toMatchObject(streets);
    const before = remote.asked.length;
    expect((await ask('streets', INFO_MAP.replace('x=4', 'x=7'))).json()).toMatchObject({ features: [] });
    expect((await ask('streets', INFO_MAP.replace('0,0,10,10', '0,0,.1,.1'))).json()).toMatchObject({ features: [] });
    expect(remote.asked.length).toBe(before);
  });

  it('reports the reason of a failure', async () => {
    mood = 'refusing';
    const refused = await ask('streets');
    mood = 'gone';
    const [gone, elsewhere] = [await ask('streets'), await ask('signs')];

    expect([refused.status, gone.status, elsewhere.status]).toEqual([502, 503, 503]);
    expect(refused.text).toContain('The database sleeps');
    expect(`${refused.text}${gone.text}${elsewhere.text}`).not.toMatch(/sesame|other\.example/);
  });

  it('is rejected without a request if the remote server offers none, and capabilities say so', async () => {
    const replies = [await ask('walls'), await askTile('walls')];

    expect(replies.map(({ text }) => text)).toEqual([
      expect.stringContaining('code="LayerNotQueryable" locator="query_layers"'),
      expect.stringMatching(/"InvalidParameterValue" locator="layer">.*The layer 'topo:walls' is not queryable/is),
    ]);
    expect(replies[1]?.status).toBe(400);
    expect(remote.asked.filter((asked) => asked.includes('GetFeatureInfo'))).toEqual([]);
    expect(await readQueryability()).toEqual({ streets: '1', paths: '1', signs: '1', walls: '0' });
    const tiles = await server.get('//geoserver/gwc/service/wmts?request=GetCapabilities', { as: null });
    const findLayer = (name: string) =>
      new RegExp(`<ows:Identifier>topo:${name}</ows:Identifier>.*?</Layer>`, 's').exec(tiles.text)?.[0];
    expect(findLayer('streets')).toContain('<InfoFormat>');
    expect(findLayer('walls')).not.toContain('<InfoFormat>');
  });

  it('is rejected if the remote server no longer offers it', async () => {
    offersInfo = false;

    const reply = await ask('streets');

    expect(reply.text).toContain(
      'LayerNotQueryable" locator="query_layers">The layer \'topo:streets\' is not queryable.',
    );
  });

  it('follows a change of the native name', async () => {
    const path = '/workspaces/topo/wmtsstores/tiles/layers/streets';
    expect((await server.put(path, '{"wmtsLayer":{"nativeName":"walls"}}')).status).toBe(200);
    expect(await readQueryability()).toMatchObject({ streets: '0', paths: '1' });
    expect((await server.put(path, '{"wmtsLayer":{"title":"Walls"}}')).status).toBe(200);
    expect(await readQueryability()).toMatchObject({ streets: '0', paths: '1' });
  });

  it('skips the layers of a group that are not queryable', async () => {
    const published = ['west', 'walls', 'streets'].map((name) => ({ '@type': 'layer', name: `topo:${name}` }));
    const group = { layerGroup: { name: 'mixed', publishables: { published } } };
    const made = await server.post('/workspaces/topo/layergroups', JSON.stringify(group));
    expect(made.status, made.text).toBe(201);
    onTestFinished(async () => {
      await server.delete('/workspaces/topo/layergroups/mixed');
    });
    expect((await ask('mixed')).json()).toMatchObject({ features: [{}, { properties: { name: 'High Street' } }] });
    offersInfo = false;
    await server.put('/workspaces/topo/wmtsstores/tiles', '{"wmtsStore":{"readTimeout":30}}');
    expect((await ask('mixed')).json()).toMatchObject({ features: [{}] });
  });
});

/** The `queryable` attributes of the cascaded WMTS layers. */
async function readQueryability(): Promise<Readonly<Record<string, string>>> {
  const { text } = await askMap(server, 'service=WMS&version=1.3.0&request=GetCapabilities');
  const found = text.matchAll(/<Layer queryable="(\d)"[^>]*>\s*<Name>topo:(streets|paths|signs|walls)</g);
  return Object.fromEntries([...found].map(([, queryable = '', name = '']) => [name, queryable]));
}

describe.each(['HIDE', 'MIXED', 'CHALLENGE'] as const)('cascaded layer in catalog mode %s', (mode) => {
  const place = 'tilematrixset=EPSG:4326&tilematrix=EPSG:4326:1&tilerow=0&tilecol=2&format=image/png';
  /** `%s` is the name of the layer. */
  const reads: readonly string[] = [
    `wms?${SMALL_MAP}&layers=topo:%s`,
    `wms?${SMALL_MAP.replace('GetMap', 'GetFeatureInfo')}&layers=topo:%s&query_layers=topo:%s&x=4&y=10`,
    `gwc/service/wmts?service=WMTS&request=GetTile&layer=topo:%s&${place}`,
  ];
  const legend = 'wms?service=WMS&request=GetLegendGraphic&format=image/png&layer=topo:%s';
  const lists: readonly string[] = [
    'wms?service=WMS&request=GetCapabilities',
    'gwc/service/wmts?service=WMTS&request=GetCapabilities',
  ];
  let [reader, other] = ['', ''];

  beforeAll(async () => {
    reader = await addUser(server, `reader${mode}`, 'ROLE_READER');
    other = await addUser(server, `other${mode}`, 'ROLE_OTHER');
  });

  beforeEach(async () => {
    await server.put('/security/acl/catalog', JSON.stringify({ mode }));
    await server.post('/security/acl/layers', '{"topo.roads.r":"ROLE_READER","topo.streets.r":"ROLE_READER"}');
    onTestFinished(async () => {
      await server.delete('/security/acl/layers/topo.roads.r');
      await server.delete('/security/acl/layers/topo.streets.r');
      await server.put('/security/acl/catalog', '{"mode":"HIDE"}');
    });
  });

  it.each(['roads', 'streets'])('is available only to principals that a rule names: %s', async (name) => {
    const ask = (path: string, as: string | null, named = name) =>
      server.get(`//geoserver/${path.replaceAll('%s', named)}`, { as });

    for (const path of [...reads, ...(name === 'roads' && mode !== 'CHALLENGE' ? [legend] : [])]) {
      const own = await ask(path, reader);
      expect([path, own.status, own.text.includes('LayerNotDefined')]).toEqual([path, 200, false]);
      const before = remote.asked.length;
      const [anonymousReply, otherReply] = [await ask(path, null), await ask(path, other)];
      if (mode === 'HIDE') {
        const absent = (await ask(path, null, 'absent')).text.replaceAll('absent', name);
        expect([anonymousReply.text, otherReply.text]).toEqual([absent, absent]);
      } else {
        expect([path, anonymousReply.status, otherReply.status]).toEqual([path, 401, 403]);
      }
      expect(remote.asked.length).toBe(before);
    }
    for (const path of lists) {
      const isListed = async (as: string | null) => (await ask(path, as)).text.includes(`topo:${name}`);
      expect([await isListed(reader), await isListed(null), await isListed(other)]).toEqual(
        mode === 'CHALLENGE' ? [true, true, true] : [true, false, false],
      );
    }
  });
});
