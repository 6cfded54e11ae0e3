/** Animated maps: /wms/animate, and GetMap with a list of times. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../../test/support/feature-collections.ts';
import { askMap, setFill } from '../../../../test/support/maps.ts';
import { publishTables } from '../../../../test/support/published-features.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

const server = useTestServer();

/** One square for each day, from the left to the right. */
const squares = [1, 2, 3, 4].map((day, index) => [
  wkt(`POLYGON ((${index * 10} 0, ${index * 10 + 10} 0, ${index * 10 + 10} 10, ${index * 10} 10, ${index * 10} 0))`),
  `2024-03-0${day}T00:00:00Z`,
  day,
]);

beforeAll(async () => {
  const attributes = [geometryColumn('Polygon'), column('day', 'timestamp'), column('number', 'integer')];
  await publishTables(server, 'acme', [{ name: 'days', attributes, rows: squares }]);
  await setFill(server, 'acme', 'days', 'red', '#ff0000');
  const time =
    '<dimensionInfo><enabled>true</enabled><attribute>day</attribute><presentation>LIST</presentation><units>ISO8601</units></dimensionInfo>';
  const metadata = `<featureType><metadata><entry key="time">${time}</entry></metadata></featureType>`;
  const put = await server.request('PUT', '/workspaces/acme/featuretypes/days', { type: 'text/xml', body: metadata });
  expect(put.status).toBe(200);
});

const FRAME = 'layers=acme:days&styles=&srs=EPSG:4326&bbox=0,0,40,10&width=40&height=10';
const MAP = `service=WMS&version=1.1.1&request=GetMap&${FRAME}`;

const animate = (query: string) => server.get(`//geoserver/wms/animate?${FRAME}&${query}`, { as: null });

/** Returns the number of the red square of each frame. */
async function listSquares(bytes: Buffer) {
  const metadata = await sharp(bytes, { animated: true }).metadata();
  const frames: number[][] = [];
  for (let page = 0; page < (metadata.pages ?? 1); page += 1) {
    const { data } = await sharp(bytes, { page })
      .flatten({ background: '#ffffff' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const isRed = (x: number) => (data[(5 * 40 + x) * 3 + 1] ?? 0) < 100;
    frames.push([1, 2, 3, 4].filter((number) => isRed(number * 10 - 5)));
  }
  return { frames, delay: metadata.delay, loop: metadata.loop, format: metadata.format };
}

describe('/wms/animate', () => {
  it('draws one frame for each value of a parameter', async () => {
    const reply = await animate('aparam=time&avalues=2024-03-01,2024-03-03,2024-03-02');

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/gif']);
    expect(await listSquares(reply.bytes)).toEqual({
      frames: [[1], [3], [2]],
      delay: [1000, 1000, 1000],
      loop: 1,
      format: 'gif',
    });
  });

  it('animates any parameter, with commas inside of values', async () => {
    const values = String.raw`number IN (1\,2),number IN (3\,4)`;
    const all = '&time=2024-03-01/2024-03-04';
    const reply = await animate(`aparam=CQL_FILTER&avalues=${encodeURIComponent(values)}${all}`);

    expect((await listSquares(reply.bytes)).frames).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('draws each frame with its own extent', async () => {
    const values = String.raw`0\,0\,40\,10,10\,0\,50\,10`;
    const reply = await animate(`aparam=bbox&avalues=${encodeURIComponent(values)}&time=2024-03-02`);

    expect((await listSquares(reply.bytes)).frames).toEqual([[2], [1]]);
  });

  it('rejects frames of different sizes', async () => {
    const values = encodeURIComponent(String.raw`0\,0\,40\,10,0\,0\,40\,20`);
    const reply = await server.get(`//geoserver/wms/animate?layers=acme:days&width=40&aparam=bbox&avalues=${values}`, {
      as: null,
    });

    expect(reply.text).toContain('frames of 40 by 10 and 40 by 20 pixels');
  });

  it('sets the time of frames and repeats them', async () => {
    const options = 'format_options=gif_loop_continuosly:true;gif_frames_delay:250;gif_disposal:backgroundColor';
    const reply = await animate(`aparam=time&avalues=2024-03-01,2024-03-02&${options}`);

    expect(await listSquares(reply.bytes)).toMatchObject({ delay: [250, 250], loop: 0 });
    expect(reply.headers['warning']).toBeUndefined();
  });

  it('returns WebP', async () => {
    const format = encodeURIComponent('image/webp;subtype=animated');
    const reply = await animate(`aparam=time&avalues=2024-03-01,2024-03-04&format=${format}&transparent=true`);

    expect(reply.headers['content-type']).toBe('image/webp');
    expect(await listSquares(reply.bytes)).toMatchObject({ frames: [[1], [4]], format: 'webp' });
  });

  it.each([
    ['avalues=1,2', 'aparam'],
    ['aparam=time', 'avalues'],
    ['aparam=tiem&avalues=1,2', 'expected one of'],
    ['aparam=width&avalues=40,80', 'expected one of'],
    ['aparam=avalues&avalues=1,2', 'expected one of'],
    [`aparam=bgcolor&avalues=${Array.from({ length: 101 }, () => '0x000000').join(',')}`, 'at most 100 values'],
    ['aparam=time&avalues=2024-03-01&format=image/png', 'image/gif;subtype=animated'],
    ['aparam=bgcolor&avalues=0x000000,0x111111&width=4000&height=4000', 'Request fewer frames or a smaller map'],
    ['aparam=bgcolor&avalues=0x000000&format_options=gif_frames_delay:0', 'an integer from 10'],
  ])('rejects other requests: %s', async (query, message) => {
    const frame = query.includes('width=') ? FRAME.replace('&width=40&height=10', '') : FRAME;
    const reply = await server.get(`//geoserver/wms/animate?${frame}&${query}`, { as: null });

    expect(reply.text).toContain(message);
  });

  it('limits the number of frames by a setting', async () => {
    const set = (maxAllowedFrames: number | null) =>
      server.put('/services/wms/settings', JSON.stringify({ wms: { maxAllowedFrames } }));
    expect((await set(1)).status).toBe(200);

    expect((await animate('aparam=time&avalues=2024-03-01,2024-03-02')).text).toContain('at most 1 values');
    await set(null);
  });
});

describe('animated GetMap', () => {
  const GIF = `format=${encodeURIComponent('image/gif;subtype=animated')}`;

  it.each([
    ['a list', '2024-03-01,2024-03-04', [[1], [4]]],
    ['a range with a step', '2024-03-01/2024-03-03/P1D', [[1], [2], [3]]],
    ['a range', '2024-03-02/2024-03-04', [[2], [3], [4]]],
    ['one time', '2024-03-02', [[2]]],
  ])('draws a frame for each time of %s', async (_, time, frames) => {
    const reply = await askMap(server, `${MAP}&${GIF}&time=${time}`);

    expect((await listSquares(reply.bytes)).frames).toEqual(frames);
  });

  it('draws the default time as the only frame', async () => {
    expect((await listSquares((await askMap(server, `${MAP}&${GIF}`)).bytes)).frames).toEqual([[4]]);
  });
});
