/** Layers of other map servers on our maps. */
import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wmsCapabilities } from '../../../test/support/capabilities.ts';
import { askMap, colourAt, publishSquares, SMALL_MAP } from '../../../test/support/maps.ts';
import { type RemoteServer, startRemoteServer } from '../../../test/support/remote-server.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

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
let mood: 'kind' | 'refusing' | 'gone';

beforeEach(async () => {
  mood = 'kind';
  remote = await startRemoteServer((request, response) => {
    answer(new URL(request.url ?? '', 'http://maps.example.com').searchParams, response).catch(() =>
      response.destroy(),
    );
  });
  await server.delete('/workspaces/topo/wmsstores/neighbour?recurse=true');
  const capabilitiesURL = `http://maps.example.com:${remote.port}/ows?map=town`;
  const store = { wmsStore: { name: 'neighbour', capabilitiesURL, user: 'me', password: 'open sesame' } };
  await server.post('/workspaces/topo/wmsstores', JSON.stringify(store));
  const made = await server.post('/workspaces/topo/wmsstores/neighbour/wmslayers', '{"wmsLayer":{"name":"roads"}}');
  expect(made.status, made.text).toBe(201);
});

/** Red west of five degrees, and nothing east of that. */
async function answer(asked: URLSearchParams, response: ServerResponse): Promise<void> {
  const request = asked.get('REQUEST');
  if (request === 'GetCapabilities') {
    response.end(wmsCapabilities.replace('<CRS>EPSG:3857</CRS>', ''));
  } else if (mood === 'gone') {
    response.destroy();
  } else if (mood === 'refusing') {
    response.setHeader('content-type', 'application/vnd.ogc.se_xml').end(EXCEPTION);
  } else if (request === 'GetFeatureInfo') {
    const features = [{ type: 'Feature', id: 'roads.7', properties: { name: 'High Street', lanes: 2 } }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ type: 'FeatureCollection', features }));
  } else {
    const [minX = 0, , maxX = 5] = (asked.get('BBOX') ?? '0,0,5,5').split(',').map(Number);
    const [width, height] = [Number(asked.get('WIDTH')), Number(asked.get('HEIGHT'))];
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

/** At the middle of the left, and of the right. */
async function sides(query: string, map = SMALL_MAP): Promise<readonly string[]> {
  const reply = await askMap(server, `${map}&${query}`);
  return [await colourAt(reply, 4, 10), await colourAt(reply, 15, 10)];
}

describe('a layer of another map server', () => {
  it('is drawn as the other server draws it, alone and with layers of ours', async () => {
    expect(await sides('layers=topo:roads')).toEqual([RED, WHITE]);
    expect(await sides('layers=topo:east,topo:roads')).toEqual([RED, BLUE]);
    expect(await sides('layers=topo:roads&transparent=true')).toEqual([RED, '#00000000']);
  });

  it('asks the other server for the same box, with what belongs to its address, and who we are', async () => {
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

  it('is brought into systems that the other server does not have', async () => {
    const mercator = SMALL_MAP.replace('EPSG:4326&bbox=0,0,10,10', 'EPSG:3857&bbox=0,0,1113194.9,1118889.97');

    expect(await sides('layers=topo:roads', mercator)).toEqual([RED, WHITE]);
    expect(lastQuestion().get('SRS')).toBe('EPSG:4326');
    expect(await sides('layers=topo:roads&angle=180')).toEqual([WHITE, RED]);
  });

  it('is asked for its features', async () => {
    const query = `${SMALL_MAP.replace('GetMap', 'GetFeatureInfo')}&layers=topo:roads&query_layers=topo:roads&x=4&y=10`;

    const reply = await askMap(server, `${query}&info_format=application/json`);

    expect(reply.json()).toMatchObject({ features: [{ properties: { name: 'High Street', lanes: '2' } }] });
    expect((await askMap(server, `${query}&info_format=text/plain`)).text).toContain('name = High Street');
  });

  it('has the legend of the other server', async () => {
    const query = 'service=WMS&request=GetLegendGraphic&format=image/png&layer=topo:roads&width=10&height=12';

    const reply = await askMap(server, query);

    expect([reply.headers['content-type'], await colourAt(reply, 4, 10)]).toEqual(['image/png', RED]);
    expect(lastQuestion().get('LAYER')).toBe('roads');
  });

  it('tells why there is no map, without what the other server was told in confidence', async () => {
    mood = 'refusing';
    const refused = await askMap(server, `${SMALL_MAP}&layers=topo:roads`);
    mood = 'gone';
    const gone = await askMap(server, `${SMALL_MAP}&layers=topo:roads`);

    expect([refused.status, gone.status]).toEqual([502, 503]);
    expect(refused.text).toContain(
      "The server that 'roads' comes from gave no answer that can be used: it says 'The database sleeps'.",
    );
    expect(refused.text).toContain('ServiceExceptionReport');
    expect(gone.text).toContain('ServiceExceptionReport');
    expect(`${refused.text} ${gone.text}`).not.toContain('sesame');
  });

  it('is drawn in no style that neither of us has', async () => {
    const map = SMALL_MAP.replace('&styles=', '');

    expect((await askMap(server, `${map}&layers=topo:roads&styles=nothing`)).text).toContain('StyleNotDefined');
  });
});
