/** Parts of the console's maps that need no browser. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { toXmlName } from '../../console/pages/data/layer/edit/xml-name.ts';
import { toXmlName as toServerName } from '../../src/formats/gml/xml-names.ts';

// The client reads the address of its own script.
beforeAll(() => {
  vi.stubGlobal('location', new URL('http://maps.example/geoserver/console/'));
});

describe('the layers of a map in its address', () => {
  it('are read as they were written, with every sign in a name', async () => {
    const { formatLayers, parseLayers } = await import('../../console/pages/data/layer/map/map-layers.ts');
    const layer = { filter: '', time: '' };
    const layers = [
      { ...layer, name: 'a:1~2,3%', opacity: 0.35, isVisible: true },
      { ...layer, name: 'b:ü <img>', opacity: 1, isVisible: false },
      { ...layer, name: 'c:plain', opacity: 1, isVisible: true },
    ];

    expect(formatLayers(layers)).toBe('a:1%7e2%2c3%25~35,b:ü <img>~100~off,c:plain');
    expect(parseLayers(formatLayers(layers))).toEqual(layers);
  });

  it('are dropped if they are invalid or repeated', async () => {
    const { parseLayers } = await import('../../console/pages/data/layer/map/map-layers.ts');

    expect(parseLayers('a:b~900,,c:d,c:d~50').map(({ name, opacity }) => [name, opacity])).toEqual([['c:d', 0.5]]);
    expect(parseLayers('')).toEqual([]);
  });
});

describe('times of capabilities', () => {
  it.each([
    ['', []],
    ['2024-01-01T00:00:00Z,2024-02-01T00:00:00Z', ['2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z']],
    [
      '2024-01-01T00:00:00Z/2024-01-03T00:00:00Z/P1D',
      ['2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z', '2024-01-03T00:00:00.000Z'],
    ],
    ['2024-01-01T00:00:00Z/2024-01-01T00:00:00Z/P1D', ['2024-01-01T00:00:00Z']],
  ])('%j are single times', async (text, expected) => {
    const { parseTimes } = await import('../../console/pages/data/layer/map/parse-capabilities.ts');

    expect(parseTimes(text)).toEqual(expected);
  });

  it('of an interval with too many steps are even samples', async () => {
    const { parseTimes } = await import('../../console/pages/data/layer/map/parse-capabilities.ts');
    const times = parseTimes('2000-01-01T00:00:00Z/2020-01-01T00:00:00Z/PT1S');

    expect(times).toHaveLength(101);
    expect([times[0], times.at(-1)]).toEqual(['2000-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z']);
  });
});

describe('transactions', () => {
  const schema = {
    namespace: 'http://a&b',
    typeName: 'towns',
    geometry: { name: 'the_geom', type: 'Point', isNillable: true },
    attributes: [],
  };

  it('escape every value, and remove a value without content', async () => {
    const { formatTransaction } = await import('../../console/pages/data/layer/edit/format-transaction.ts');
    const text = formatTransaction(
      [
        { kind: 'insert', values: { name: '<&"', none: null }, geometry: { type: 'Point', coordinates: [1, 2, 3] } },
        { kind: 'update', id: 'a"b', values: { name: null }, geometry: undefined },
        { kind: 'delete', id: 'x' },
      ],
      { schema, crs: 'EPSG:25832' },
    );

    expect(text).toContain('xmlns:t="http://a&amp;b"');
    expect(text).toContain(
      '<t:towns><t:the_geom><gml:Point srsName="EPSG:25832"><gml:pos>1 2 3</gml:pos></gml:Point></t:the_geom><t:name>&lt;&amp;&quot;</t:name></t:towns>',
    );
    expect(text).toContain(
      '<wfs:Property><wfs:ValueReference>name</wfs:ValueReference></wfs:Property><fes:Filter><fes:ResourceId rid="a&quot;b"/></fes:Filter>',
    );
    expect(text).toContain(
      '<wfs:Delete typeName="t:towns"><fes:Filter><fes:ResourceId rid="x"/></fes:Filter></wfs:Delete>',
    );
  });

  it('escape names of attributes and types as the server does, so that names are no markup', async () => {
    const { formatTransaction } = await import('../../console/pages/data/layer/edit/format-transaction.ts');
    const name = 'x/><wfs:Delete typeName="t:towns"/><t:y';
    const text = formatTransaction(
      [
        { kind: 'insert', values: { [name]: 'a', 'first name': 'b' }, geometry: null },
        { kind: 'update', id: 'x', values: { [name]: 'c' }, geometry: undefined },
      ],
      { schema: { ...schema, typeName: 'old towns' }, crs: 'EPSG:25832' },
    );

    expect(text).not.toContain('<wfs:Delete');
    for (const each of [name, 'first name', 'old towns']) expect(text).toContain(`t:${toServerName(each)}`);
    for (const each of ['', '0a', '\u{1f600}', 'ª', 'Größe', 'a.b-c_d', '<>&"\'', '\ud800']) {
      expect(toXmlName(each)).toBe(toServerName(each));
    }
  });

  it('have an opposite that restores what they change', async () => {
    const { reverseEdits } = await import('../../console/pages/data/layer/edit/format-transaction.ts');
    const point = (x: number) => ({ type: 'Point', coordinates: [x, 0] });
    const originals = new Map([
      ['a', { id: 'a', values: { name: 'old', rank: 1 }, geometry: point(1) }],
      ['b', { id: 'b', values: { name: 'kept' }, geometry: null }],
    ]);
    const edits = [
      { kind: 'insert', values: {}, geometry: null },
      { kind: 'update', id: 'a', values: { name: 'new' }, geometry: point(2) },
      { kind: 'delete', id: 'b' },
    ] as const;

    expect(reverseEdits(edits, originals, ['c'])).toEqual([
      { kind: 'delete', id: 'c' },
      { kind: 'update', id: 'a', values: { name: 'old' }, geometry: point(1) },
      { kind: 'insert', values: { name: 'kept' }, geometry: null },
    ]);
  });

  it.each([
    [
      'LineString',
      [
        [0, 1],
        [2, 3],
      ],
      '<gml:LineString srsName="c"><gml:posList srsDimension="2">0 1 2 3</gml:posList></gml:LineString>',
    ],
    [
      'LineString',
      [
        [0, 1, 7],
        [2, 3, 8],
      ],
      '<gml:LineString srsName="c"><gml:posList srsDimension="3">0 1 7 2 3 8</gml:posList></gml:LineString>',
    ],
    [
      'MultiPolygon',
      [
        [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      ],
      '<gml:MultiSurface srsName="c"><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList srsDimension="2">0 0 1 0 1 1 0 0</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface>',
    ],
  ])('write a %s as GML', async (type, coordinates, expected) => {
    const { formatGml } = await import('../../console/pages/data/layer/edit/format-transaction.ts');

    expect(formatGml({ type, coordinates }, 'c')).toBe(expected);
  });
});

describe('rings of land', () => {
  it('are clipped to a box, with divided edges', async () => {
    const { clipRing } = await import('../../console/map/clip-ring.ts');
    const ring = clipRing(
      [
        [-10, -10],
        [10, -10],
        [10, 10],
        [-10, 10],
        [-10, -10],
      ],
      [0, 0, 3, 3],
    );

    expect(new Set(ring.flat().map((value) => value >= 0 && value <= 3))).toEqual(new Set([true]));
    expect(ring[0]).toEqual(ring.at(-1));
    expect(ring.length).toBeGreaterThan(5);
    expect(
      clipRing(
        [
          [5, 5],
          [6, 5],
          [6, 6],
          [5, 5],
        ],
        [0, 0, 3, 3],
      ),
    ).toEqual([]);
  });
});
