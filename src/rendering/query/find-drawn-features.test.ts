import { describe, expect, test } from 'vitest';
import {
  createDrawnLayer,
  createUserStyle,
  type DrawnRow,
  never,
  smallMap,
  wideBudget,
} from '../../../test/support/drawn-layers.ts';
import type { MapPointQuery } from '../request/found-features.ts';
import { findDrawnFeatures } from './find-drawn-features.ts';
import { findOnGrid } from './key-grid.ts';

const rows = [
  { wkt: 'POLYGON ((2 2, 12 2, 12 12, 2 12, 2 2))', kind: 'a' },
  { wkt: 'POLYGON ((0 0, 20 0, 20 20, 0 20, 0 0), (1 1, 1 13, 13 13, 13 1, 1 1))', kind: 'b' },
  { wkt: 'POINT (7 7)', kind: 'c' },
];
const everything = '<Rule><PolygonSymbolizer><Fill/></PolygonSymbolizer></Rule>';
const onlyB = `<Rule><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>b</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter><PolygonSymbolizer><Fill/></PolygonSymbolizer></Rule>`;

const property = (name: string) => `<ogc:PropertyName>${name}</ogc:PropertyName>`;
const geometry = `<Geometry>${property('geom')}</Geometry>`;
const fillBy = (name: string) => `<Fill><CssParameter name="fill">${property(name)}</CssParameter></Fill>`;

async function kindsAt(style: string, place: Partial<MapPointQuery>): Promise<readonly unknown[]> {
  return kindsAmong(rows, style, { radiusPixels: 0, ...place });
}

async function kindsAmong(
  among: readonly DrawnRow[],
  style: string,
  place: Partial<MapPointQuery>,
): Promise<readonly unknown[]> {
  const request = { ...smallMap, layers: [createDrawnLayer(among, createUserStyle(style))] };
  const query = { x: 5.5, y: 14.5, count: 10, ...place };
  const [found] = await findDrawnFeatures(request, query, wideBudget, never);
  return (found?.features ?? []).map(({ values }) => values[1]);
}

describe('findDrawnFeatures', () => {
  test('finds the features that cover the point', async () => {
    expect(await kindsAt(everything, {})).toEqual(['a']);
    expect(await kindsAt(everything, { x: 18.5, y: 1.5 })).toEqual(['b']);
  });

  test('finds features within a radius, up to the requested count', async () => {
    expect(await kindsAt(everything, { x: 6, y: 13, radiusPixels: 1.5 })).toEqual(['a', 'c']);
    expect(await kindsAt(everything, { x: 6, y: 13, radiusPixels: 1.5, count: 1 })).toEqual(['a']);
  });

  test.each([
    ['a label', everything.replace('</Rule>', '<TextSymbolizer><Label>far</Label></TextSymbolizer></Rule>'), []],
    ['a fill that depends on an attribute', everything.replace('<Fill/>', fillBy('kind')), []],
    ['a named geometry', everything.replace('<Fill/>', `${geometry}<Fill/>`), []],
    [
      'a mark of 12 pixels',
      '<Rule><PointSymbolizer><Graphic><Size>12</Size></Graphic></PointSymbolizer></Rule>',
      ['a'],
    ],
    [
      'marks whose size is an attribute',
      `<Rule><PointSymbolizer><Graphic><Size>${property('size')}</Size></Graphic></PointSymbolizer></Rule>`,
      ['b'],
    ],
  ])('derives the default radius from the symbols of each feature: %s', async (_, style, expected) => {
    const points = [
      { wkt: 'POINT (11 5)', kind: 'a', size: 2 },
      { wkt: 'POINT (14 5)', kind: 'b', size: 16 },
    ];

    expect(await kindsAmong(points, style, { x: 5.5, y: 14.5 })).toEqual(expected);
  });

  const compute = (name: string, ...values: readonly number[]) =>
    `<Geometry><ogc:Function name="${name}">${property('geom')}${values.map((each) => `<ogc:Literal>${each}</ogc:Literal>`).join('')}</ogc:Function></Geometry>`;
  const mark = (more: string) =>
    `<Rule><PointSymbolizer><Graphic><Mark><Fill/></Mark><Size>4</Size>${more}</Graphic></PointSymbolizer></Rule>`;

  const polygon = (more: string) => `<Rule><PolygonSymbolizer><Fill/>${more}</PolygonSymbolizer></Rule>`;

  test.each([
    ['a buffer', everything.replace('<Fill/>', `${compute('buffer', 6)}<Fill/>`), { x: 10, y: 15 }, { x: 15, y: 15 }],
    [
      'an offset',
      mark('').replace('<Graphic>', `${compute('offset', 10, 10)}<Graphic>`),
      { x: 15, y: 5 },
      { x: 5, y: 15 },
    ],
    [
      'a displaced mark',
      mark('<Displacement><DisplacementX>10</DisplacementX><DisplacementY>0</DisplacementY></Displacement>'),
      { x: 15, y: 15 },
      { x: 5, y: 15 },
    ],
    [
      'a displaced polygon',
      polygon('<Displacement><DisplacementX>10</DisplacementX><DisplacementY>10</DisplacementY></Displacement>'),
      { x: 15, y: 5 },
      { x: 5, y: 15 },
    ],
    [
      'a polygon with an offset',
      polygon('<PerpendicularOffset>4</PerpendicularOffset>'),
      { x: 10, y: 15 },
      { x: 15, y: 15 },
    ],
    [
      'a line with an offset',
      '<Rule><LineSymbolizer><Stroke/><PerpendicularOffset>9</PerpendicularOffset></LineSymbolizer></Rule>',
      { x: 10, y: 6 },
      { x: 10, y: 15 },
    ],
  ])('finds a feature where it is drawn, not elsewhere: %s', async (name, style, drawn, other) => {
    const wkt = name.includes('polygon')
      ? 'POLYGON ((3 3, 7 3, 7 7, 3 7, 3 3))'
      : name.includes('line')
        ? 'LINESTRING (2 5, 18 5)'
        : 'POINT (5 5)';
    const row = [{ wkt, kind: 'a' }];

    expect(await kindsAmong(row, style, drawn)).toEqual(['a']);
    expect(await kindsAmong(row, style, other)).toEqual([]);
    const layers = [createDrawnLayer(row, createUserStyle(style))];
    const { cells, features } = await findOnGrid({ ...smallMap, layers }, wideBudget, never);
    const readCell = ({ x, y }: { readonly x: number; readonly y: number }) =>
      features[cells[Math.floor(y) * smallMap.width + Math.floor(x)] ?? -1]?.feature.id;
    expect([readCell(drawn) !== undefined, readCell(other)]).toEqual([true, undefined]);
  });

  test('computes geometries in the CRS of the data, whatever the CRS of the map', async () => {
    const style = createUserStyle(everything.replace('<Fill/>', `${compute('buffer', 6)}<Fill/>`));
    const request = {
      ...smallMap,
      box: { minX: 0, minY: 0, maxX: 20 * 111_319.5, maxY: 20 * 111_319.5 },
      system: { code: 'EPSG:3857' },
      layers: [createDrawnLayer([{ wkt: 'POINT (5 5)' }], style)],
    };
    const find = async (x: number) =>
      (await findDrawnFeatures(request, { x, y: 15, count: 1 }, wideBudget, never))[0]?.features.length;

    expect([await find(10), await find(15)]).toEqual([1, 0]);
  });

  test('ignores features that no rule draws', async () => {
    expect(await kindsAt(onlyB, {})).toEqual([]);
    expect(await kindsAt(onlyB, { x: 18.5, y: 1.5 })).toEqual(['b']);
  });

  test('returns features in the CRS of the map', async () => {
    const world = 20_037_508.342789244;
    const request = {
      ...smallMap,
      box: { minX: -world, minY: -world, maxX: world, maxY: world },
      system: { code: 'EPSG:3857' },
      layers: [createDrawnLayer([{ wkt: 'POINT (90 0)', kind: 'far' }], createUserStyle(everything))],
    };

    const [found] = await findDrawnFeatures(request, { x: 15, y: 10, radiusPixels: 1, count: 1 }, wideBudget, never);

    const geometry = found?.features[0]?.values[0];
    const places =
      typeof geometry === 'object' && geometry !== null && 'ordinates' in geometry ? geometry.ordinates : [];
    expect([...places].map(Math.round)).toEqual([Math.round(world / 2), -0]);
  });
});

test('labels do not enlarge the cells of a feature on a grid', async () => {
  const label = '<TextSymbolizer><Label>far</Label></TextSymbolizer>';
  const mark = '<PointSymbolizer><Graphic><Size>2</Size></Graphic></PointSymbolizer>';
  const layers = [createDrawnLayer([{ wkt: 'POINT (7 7)' }], createUserStyle(`<Rule>${mark}${label}</Rule>`))];

  const { cells } = await findOnGrid({ ...smallMap, layers }, wideBudget, never);

  expect(cells.filter((key) => key === 0)).toHaveLength(16);
});

test('finds a feature behind the antimeridian by its mark', async () => {
  const layers = [
    createDrawnLayer(
      [{ wkt: 'POINT (-179.5 0)' }],
      createUserStyle('<Rule><PointSymbolizer><Graphic><Size>8</Size></Graphic></PointSymbolizer></Rule>'),
    ),
  ];
  const request = { ...smallMap, box: { minX: 160, minY: -10, maxX: 180, maxY: 10 }, layers };

  const [found] = await findDrawnFeatures(request, { x: 18, y: 10, count: 1 }, wideBudget, never);

  expect(found?.features).toHaveLength(1);
});
