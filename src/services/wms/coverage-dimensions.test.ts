import { beforeAll, describe, expect, it } from 'vitest';
import { askMap, colourAt } from '../../../test/support/maps.ts';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';

const server = useTestServer({ clock: () => Date.parse('2008-10-02T15:00:00Z') });

const store = '/workspaces/acme/coveragestores/water';

const definition = {
  'indexer.properties': [
    'Schema=*the_geom:Polygon,location:String,time:java.util.Date,elevation:Double',
    'PropertyCollectors=TimestampFileNameExtractorSPI[timeregex](time),DoubleFileNameExtractorSPI[elevationregex](elevation)',
    'TimeAttribute=time',
    'ElevationAttribute=elevation',
    'MosaicCRS=EPSG:4326',
  ].join('\n'),
  'timeregex.properties': 'regex=[0-9]{8}',
  'elevationregex.properties': 'regex=(?<=_z)[0-9]+',
};

/** Three days side by side, four degrees each, and a second height above the last one. */
const pictures = {
  'water_20081001_z0000.tif': granuleBytes({ left: 0, top: 4, pixel: 1, epsg: 4326 }),
  'water_20081002_z0000.tif': granuleBytes({ left: 4, top: 4, pixel: 1, epsg: 4326 }),
  'water_20081003_z0000.tif': granuleBytes({ left: 8, top: 4, pixel: 1, epsg: 4326 }),
  'water_20081003_z0100.tif': granuleBytes({ left: 12, top: 4, pixel: 1, epsg: 4326 }),
};

beforeAll(async () => {
  const texts = Object.entries(definition).map(([name, text]) => [name, Buffer.from(text)] as const);
  await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  const body = zipOfFiles({ ...Object.fromEntries(texts), ...pictures });
  const made = await server.request('PUT', `${store}/file.imagemosaic`, { type: 'application/zip', body });
  expect(made.status, made.text).toBe(200);
});

async function setDimensions(dimensions: Readonly<Record<string, string>>): Promise<void> {
  const entries = Object.entries(dimensions).map(
    ([key, info]) =>
      `<entry key="${key}"><dimensionInfo><enabled>true</enabled><presentation>LIST</presentation>${info}</dimensionInfo></entry>`,
  );
  const body = `<coverage><metadata>${entries.join('')}</metadata></coverage>`;
  const reply = await server.put(`${store}/coverages/water`, body, { type: 'xml' });
  expect(reply.status, reply.text).toBe(200);
}

const MAP =
  'service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&bbox=0,0,16,4&width=16&height=4&format=image/png&styles=&transparent=true&layers=acme:water';

/** Returns which of the four granules are drawn. */
async function drawn(query: string): Promise<readonly number[]> {
  const reply = await askMap(server, `${MAP}&${query}`);
  const colours = await Promise.all([2, 6, 10, 14].map((x) => colourAt(reply, x, 2)));
  return colours.flatMap((colour, index) => (colour.endsWith('00') && colour.length === 9 ? [] : [index]));
}

const TIME = '<units>ISO8601</units>';

describe('mosaic with times and heights', () => {
  it('draws all granules if no dimension is enabled', async () => {
    await setDimensions({});

    expect(await drawn('')).toEqual([0, 1, 2, 3]);
    expect(await drawn('time=2008-10-02')).toEqual([1]);
  });

  it('draws the latest time and the minimum height by default', async () => {
    await setDimensions({ time: TIME, elevation: '' });

    expect(await drawn('')).toEqual([2]);
    expect(await drawn('elevation=100')).toEqual([3]);
    expect(await drawn('time=2008-10&elevation=0/100')).toEqual([0, 1, 2, 3]);
    expect(await drawn('time=2008-10-01/2008-10-03/P2D')).toEqual([0, 2]);
    expect(await drawn('time=1999-10-01')).toEqual([]);
  });

  it.each([
    ['MINIMUM', '', [0]],
    ['MAXIMUM', '', [2, 3]],
    ['NEAREST', '<referenceValue>current</referenceValue>', [2, 3]],
    ['NEAREST', '<referenceValue>2008-10-01T05:00:00Z</referenceValue>', [0]],
    ['FIXED', '<referenceValue>2008-10-02T00:00:00Z</referenceValue>', [1]],
  ])('draws the configured default: %s %s', async (strategy, reference, expected) => {
    await setDimensions({ time: `${TIME}<defaultValue><strategy>${strategy}</strategy>${reference}</defaultValue>` });

    expect(await drawn('')).toEqual(expected);
  });

  it('draws the nearest time and names it in a warning', async () => {
    await setDimensions({
      time: `${TIME}<nearestMatchEnabled>true</nearestMatchEnabled><acceptableInterval>P1D</acceptableInterval>`,
    });

    const reply = await askMap(server, `${MAP}&time=2008-10-02T03:00:00Z`);

    expect(await drawn('time=2008-10-02T03:00:00Z')).toEqual([1]);
    expect(reply.headers['warning']).toBe(
      '199 - "Nearest value used: time=2008-10-02T00:00:00.000Z ISO8601 (acme:water)"',
    );
    expect(await drawn('time=2008-11-02T03:00:00Z')).toEqual([]);
  });

  it('returns its values at a time', async () => {
    await setDimensions({ time: TIME });
    const query = `${MAP.replace('GetMap', 'GetFeatureInfo')}&query_layers=acme:water&x=2&y=2&info_format=application/json`;

    const [newest, first] = [await askMap(server, query), await askMap(server, `${query}&time=2008-10-01`)];

    expect(JSON.parse(newest.text).features).toEqual([]);
    expect(JSON.parse(first.text).features).toHaveLength(1);
  });

  it('lists its values in the capabilities of both versions', async () => {
    await setDimensions({ time: TIME, elevation: '<units>EPSG:5030</units><unitSymbol>m</unitSymbol>' });

    const newer = await askMap(server, 'service=WMS&request=GetCapabilities&version=1.3.0');
    const older = await askMap(server, 'service=WMS&request=GetCapabilities&version=1.1.1');

    const times = '2008-10-01T00:00:00.000Z,2008-10-02T00:00:00.000Z,2008-10-03T00:00:00.000Z';
    expect(newer.text).toContain(
      `<Dimension name="time" units="ISO8601" default="2008-10-03T00:00:00Z" nearestValue="0">${times}</Dimension>`,
    );
    expect(newer.text).toMatch(
      /<Dimension name="elevation" units="EPSG:5030"[^>]* default="0"[^>]*>0,100<\/Dimension>/,
    );
    expect(older.text).toContain('<Dimension name="elevation" units="EPSG:5030" unitSymbol="m"/>');
    expect(older.text).toContain(
      `<Extent name="time" default="2008-10-03T00:00:00Z" nearestValue="0">${times}</Extent>`,
    );
  });
});

describe('mosaic of overlapping granules', () => {
  const place = '/workspaces/acme/coveragestores/overlap';
  const day = (left: number, shade: number) => granuleBytes({ left, top: 4, pixel: 1, epsg: 4326, value: () => shade });
  const WIDE = MAP.replace('bbox=0,0,16,4&width=16', 'bbox=0,0,14,4&width=14').replace('acme:water', 'acme:overlap');

  beforeAll(async () => {
    const body = zipOfFiles({
      'indexer.properties': Buffer.from(
        'Schema=*the_geom:Polygon,location:String,time:java.util.Date\nPropertyCollectors=TimestampFileNameExtractorSPI[timeregex](time)\nTimeAttribute=time',
      ),
      'timeregex.properties': Buffer.from('regex=[0-9]{8}'),
      'overlap_20081001.tif': day(0, 100),
      'overlap_20081002.tif': day(2, 200),
      'overlap_20081003.tif': day(8, 150),
    });
    const made = await server.request('PUT', `${place}/file.imagemosaic`, { type: 'application/zip', body });
    expect(made.status, made.text).toBe(200);
  });

  /** The shades of the first alone, of both, of the second alone, between, of the third, and outside. */
  async function shades(parameters: Readonly<Record<string, string>>, overlap?: string): Promise<readonly string[]> {
    const entries = Object.entries(parameters).map(
      ([name, value]) => `<entry><string>${name}</string><string>${value}</string></entry>`,
    );
    const body = `<coverage><metadata></metadata><parameters>${entries.join('')}</parameters></coverage>`;
    const reply = await server.put(`${place}/coverages/overlap`, body, { type: 'xml' });
    expect(reply.status, reply.text).toBe(200);
    const symbolizer = `<RasterSymbolizer><OverlapBehavior><${overlap}/></OverlapBehavior></RasterSymbolizer>`;
    const sld = `<StyledLayerDescriptor version="1.0.0"><NamedLayer><Name>acme:overlap</Name><UserStyle><FeatureTypeStyle><Rule>${symbolizer}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    const map = await askMap(server, overlap === undefined ? WIDE : `${WIDE}&sld_body=${encodeURIComponent(sld)}`);
    return Promise.all([1, 3, 5, 7, 9, 13].map(async (x) => (await colourAt(map, x, 2)).slice(1)));
  }

  const [first, second, third, nothing] = ['646464', 'c8c8c8', '969696', '00000000'];

  it('draws the first granule of its index on top, or sorts them as configured', async () => {
    expect(await shades({})).toEqual([first, first, second, nothing, third, nothing]);
    expect(await shades({ SORTING: 'time D' })).toEqual([first, second, second, nothing, third, nothing]);
    expect(await shades({ SORTING: 'time A' })).toEqual([first, first, second, nothing, third, nothing]);
  });

  it('draws the granules in the order of the style, or their average', async () => {
    expect(await shades({}, 'LATEST_ON_TOP')).toEqual([first, second, second, nothing, third, nothing]);
    expect(await shades({ SORTING: 'time D' }, 'EARLIEST_ON_TOP')).toEqual([
      first,
      first,
      second,
      nothing,
      third,
      nothing,
    ]);
    expect(await shades({}, 'AVERAGE')).toEqual([first, '969696', second, nothing, third, nothing]);
  });

  it('draws the lowest or highest value of overlapping granules as configured', async () => {
    expect(await shades({ MergeBehavior: 'MAX' })).toEqual([first, second, second, nothing, third, nothing]);
    expect(await shades({ MergeBehavior: 'MIN', SORTING: 'time D' })).toEqual([
      first,
      first,
      second,
      nothing,
      third,
      nothing,
    ]);
  });

  it('makes a colour transparent, for each granule or for the result', async () => {
    expect(await shades({ InputTransparentColor: '#646464' })).toEqual([
      nothing,
      second,
      second,
      nothing,
      third,
      nothing,
    ]);
    expect(await shades({ OutputTransparentColor: '#646464' })).toEqual([
      nothing,
      nothing,
      second,
      nothing,
      third,
      nothing,
    ]);
  });

  it('fills gaps between granules with the configured value, and nothing outside', async () => {
    expect(await shades({ BackgroundValues: '-9999' })).toEqual([first, first, second, nothing, third, nothing]);
    expect(await shades({ BackgroundValues: '50' })).toEqual([first, first, second, '323232', third, nothing]);
    expect(await shades({ BackgroundValues: '50', OutputTransparentColor: '#323232' })).toEqual([
      first,
      first,
      second,
      nothing,
      third,
      nothing,
    ]);
  });
});
