import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { askMap, colourAt, SMALL_MAP, setFill } from '../../../test/support/maps.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const server = useTestServer({ clock: () => Date.parse('2024-06-10T12:00:00Z') });

/** Four quarters of the box 0, 0, 10, 10 with four times and two heights. */
const rows = [
  [wkt('POLYGON ((0 5, 5 5, 5 10, 0 10, 0 5))'), '2024-01-15T00:00:00Z', 0],
  [wkt('POLYGON ((5 5, 10 5, 10 10, 5 10, 5 5))'), '2024-02-15T12:30:00Z', 0],
  [wkt('POLYGON ((0 0, 5 0, 5 5, 0 5, 0 0))'), '2024-02-20T00:00:00Z', 100],
  [wkt('POLYGON ((5 0, 10 0, 10 5, 5 5, 5 0))'), '2024-06-01T00:00:00Z', 100],
] as const;

beforeAll(async () => {
  await publishTables(server, 'topo', [
    {
      name: 'moments',
      attributes: [geometryColumn('Polygon'), column('at', 'timestamp'), column('height', 'double')],
      rows: rows.map(([shape, at, height]) => [shape, new Date(at), height]),
    },
  ]);
  await setFill(server, 'topo', 'moments', 'red', '#ff0000');
});

async function setDimensions(dimensions: Readonly<Record<string, string>>): Promise<void> {
  const entries = Object.entries(dimensions).map(
    ([key, info]) => `<entry key="${key}"><dimensionInfo><enabled>true</enabled>${info}</dimensionInfo></entry>`,
  );
  const body = `<featureType><metadata>${entries.join('')}</metadata></featureType>`;
  const reply = await server.put('/workspaces/topo/datastores/data/featuretypes/moments', body, { type: 'xml' });
  expect(reply.status, reply.text).toBe(200);
}

/** Returns the rows of the quarters that are drawn. */
async function drawn(query: string): Promise<readonly number[]> {
  const reply = await askMap(server, `${SMALL_MAP}&layers=topo:moments&${query}`);
  const places = [
    [4, 4],
    [15, 4],
    [4, 15],
    [15, 15],
  ] as const;
  const colours = await Promise.all(places.map(([x, y]) => colourAt(reply, x, y)));
  return colours.flatMap((colour, index) => (colour === '#ff0000' ? [index] : []));
}

const TIME = '<attribute>at</attribute><presentation>LIST</presentation><units>ISO8601</units>';

describe('layer without dimensions', () => {
  it('draws everything for any time', async () => {
    expect(await drawn('time=2024-01-15')).toEqual([0, 1, 2, 3]);
    expect(await drawn('time=nonsense')).toEqual([0, 1, 2, 3]);
  });
});

describe('layer with times', () => {
  beforeAll(() => setDimensions({ time: TIME }));

  it.each([
    ['', [3]],
    ['time=current', [3]],
    ['time=2024-01-15T00:00:00Z', [0]],
    ['time=2024-02-15T12:30:00.000Z', [1]],
    ['time=2024-02-15', [1]],
    ['time=2024-02', [1, 2]],
    ['time=2024', [0, 1, 2, 3]],
    ['time=2024-01-15T00:00:00Z,2024-06-01T00:00:00Z', [0, 3]],
    ['time=2024-02-01/2024-03-01', [1, 2]],
    ['time=2024-02-01/2024-03-01/P1D', [2]],
    ['time=2024-02-15T00:30:00Z/2024-02-16/PT12H', [1]],
    ['time=2024-02-01/2024-03-01/PT0S', [1, 2]],
    ['time=2024-02-01/P1M', [1, 2]],
    ['time=P1M/PRESENT', [3]],
    ['time=2023-01-01', []],
  ])('draws the requested time or the latest one: %s', async (query, expected) => {
    expect(await drawn(query)).toEqual(expected);
  });

  it('rejects more times than allowed', async () => {
    const reply = await askMap(server, `${SMALL_MAP}&layers=topo:moments&time=2024-01-01/2024-12-31/PT1H`);

    expect(reply.text).toContain('expected at most 100 values');
  });

  it('rejects an invalid time', async () => {
    const reply = await askMap(server, `${SMALL_MAP}&layers=topo:moments&time=yesterday`);

    expect(reply.text).toContain('code="InvalidDimensionValue" locator="time"');
  });

  it('lists its times in the capabilities', async () => {
    const newer = await askMap(server, 'service=WMS&request=GetCapabilities&version=1.3.0');
    const older = await askMap(server, 'service=WMS&request=GetCapabilities&version=1.1.1');

    const values =
      '2024-01-15T00:00:00.000Z,2024-02-15T12:30:00.000Z,2024-02-20T00:00:00.000Z,2024-06-01T00:00:00.000Z';
    expect(newer.text).toContain(
      `<Dimension name="time" units="ISO8601" default="2024-06-01T00:00:00Z" nearestValue="0">${values}</Dimension>`,
    );
    expect(older.text).toContain(
      `<Dimension name="time" units="ISO8601"/><Extent name="time" default="2024-06-01T00:00:00Z" nearestValue="0">${values}</Extent>`,
    );
  });

  it('lists the ends of its times if configured as an interval', async () => {
    await setDimensions({
      time: '<attribute>at</attribute><presentation>CONTINUOUS_INTERVAL</presentation><defaultValue><strategy>MINIMUM</strategy></defaultValue>',
    });

    const { text } = await askMap(server, 'service=WMS&request=GetCapabilities&version=1.3.0');

    expect(text).toContain('>2024-01-15T00:00:00.000Z/2024-06-01T00:00:00.000Z/PT0S</Dimension>');
    expect(await drawn('')).toEqual([0]);
  });
});

describe('layer with nearest matching', () => {
  it('draws the nearest time within the acceptable distance', async () => {
    await setDimensions({
      time: `${TIME}<nearestMatchEnabled>true</nearestMatchEnabled><acceptableInterval>P10D</acceptableInterval>`,
    });

    expect(await drawn('time=2024-01-20T00:00:00Z')).toEqual([0]);
    expect(await drawn('time=2024-04-20T00:00:00Z')).toEqual([]);
  });

  it('names the drawn time in a warning', async () => {
    const warning = async (time: string) =>
      (await askMap(server, `${SMALL_MAP}&layers=topo:moments&time=${time}`)).headers['warning'];

    expect(await warning('2024-01-20T00:00:00Z')).toBe(
      '199 - "Nearest value used: time=2024-01-15T00:00:00.000Z ISO8601 (topo:moments)"',
    );
    expect(await warning('2024-04-20T00:00:00Z')).toContain('No nearest value found on layer: time=2024-04-20');
    expect(await warning('2024-01-15T00:00:00Z')).toBeUndefined();
  });

  it('supports nearest and fixed defaults', async () => {
    await setDimensions({
      time: `${TIME}<defaultValue><strategy>NEAREST</strategy><referenceValue>2024-02-16T00:00:00Z</referenceValue></defaultValue>`,
    });
    expect(await drawn('')).toEqual([1]);

    await setDimensions({
      time: `${TIME}<defaultValue><strategy>FIXED</strategy><referenceValue>2024-02-20T00:00:00Z</referenceValue></defaultValue>`,
    });
    expect(await drawn('')).toEqual([2]);
  });
});

describe('heights and custom dimensions', () => {
  it('accept numbers and ranges, and default to the minimum', async () => {
    await setDimensions({ elevation: '<attribute>height</attribute><presentation>LIST</presentation>' });

    expect(await drawn('')).toEqual([0, 1]);
    expect(await drawn('elevation=100')).toEqual([2, 3]);
    expect(await drawn('elevation=0/100')).toEqual([0, 1, 2, 3]);
    expect(await drawn('elevation=50/150/50')).toEqual([2, 3]);
    expect(await drawn('elevation=60/160/50')).toEqual([]);
    expect((await askMap(server, `${SMALL_MAP}&layers=topo:moments&elevation=high`)).text).toContain(
      'InvalidDimensionValue',
    );
  });

  it('have parameter names of their own', async () => {
    await setDimensions({ custom_dimension_LEVEL: '<attribute>height</attribute><presentation>LIST</presentation>' });

    expect(await drawn('dim_level=100')).toEqual([2, 3]);
    expect(await drawn('DIM_LEVEL=0,100')).toEqual([0, 1, 2, 3]);
  });

  it('are all applied together', async () => {
    await setDimensions({ time: TIME, elevation: '<attribute>height</attribute><presentation>LIST</presentation>' });

    expect(await drawn('')).toEqual([]);
    expect(await drawn('time=2024-02&elevation=100')).toEqual([2]);
  });
});
