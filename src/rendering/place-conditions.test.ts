/** Rules that look at where features are. */
import { describe, expect, test } from 'vitest';
import { colorAt, layerOf, never, smallMap, styleOf, wideBudget } from '../../test/support/drawn-layers.ts';
import { drawMap } from './draw-map.ts';
import { findDrawn } from './find-drawn.ts';
import type { MapRequest } from './map-request.ts';
import { countRules } from './rule-counts.ts';

const rows = [
  { wkt: 'POLYGON ((1 1, 5 1, 5 5, 1 5, 1 1))', kind: 'a' },
  {
    wkt: 'MULTIPOLYGON (((10 1, 14 1, 14 5, 10 5, 10 1)), ((10 8, 14 8, 14 12, 10 12, 10 8), (11 9, 13 9, 13 11, 11 11, 11 9)))',
    kind: 'b',
  },
];
const places = { a: [3, 17], b: [12, 17] } as const;

const gml = (type: string, coordinates: string): string =>
  type === 'Point'
    ? `<gml:Point><gml:coordinates>${coordinates}</gml:coordinates></gml:Point>`
    : `<gml:Polygon><gml:outerBoundaryIs><gml:LinearRing><gml:coordinates>${coordinates}</gml:coordinates></gml:LinearRing></gml:outerBoundaryIs></gml:Polygon>`;
const GEOM = '<ogc:PropertyName>geom</ogc:PropertyName>';
const around = (x: number, y: number): string =>
  gml('Polygon', `${x - 1},${y - 1} ${x + 1},${y - 1} ${x + 1},${y + 1} ${x - 1},${y + 1} ${x - 1},${y - 1}`);

function style(filter: string, more = '') {
  const rule = (condition: string, color: string): string =>
    `<Rule>${condition}<PolygonSymbolizer><Fill><CssParameter name="fill">${color}</CssParameter></Fill></PolygonSymbolizer></Rule>`;
  return styleOf(
    `${rule(`<ogc:Filter xmlns:gml="http://www.opengis.net/gml">${filter}</ogc:Filter>`, '#ff0000')}${more === '' ? '' : rule(more, '#0000ff')}`,
  );
}

async function colors(filter: string, more = '', request: Partial<MapRequest> = {}) {
  const map = await drawMap(
    { ...smallMap, layers: [layerOf(rows, style(filter, more))], ...request },
    wideBudget,
    never,
  );
  return { a: colorAt(map, ...places.a), b: colorAt(map, ...places.b) };
}

describe('a rule draws only the features', () => {
  test.each([
    ['that meet a geometry', `<ogc:Intersects>${GEOM}${around(5, 5)}</ogc:Intersects>`, ['#ff0000', '#ffffff']],
    ['that do not meet it', `<ogc:Disjoint>${GEOM}${around(5, 5)}</ogc:Disjoint>`, ['#ffffff', '#ff0000']],
    ['that hold it', `<ogc:Contains>${GEOM}${gml('Point', '12,4')}</ogc:Contains>`, ['#ffffff', '#ff0000']],
    [
      'that hold it, but not in a hole',
      `<ogc:Contains>${GEOM}${gml('Point', '12,10')}</ogc:Contains>`,
      ['#ffffff', '#ffffff'],
    ],
    [
      'in a box',
      '<ogc:BBOX><ogc:PropertyName>geom</ogc:PropertyName><gml:Box><gml:coordinates>0,0 6,6</gml:coordinates></gml:Box></ogc:BBOX>',
      ['#ff0000', '#ffffff'],
    ],
    [
      'near a place',
      `<ogc:DWithin>${GEOM}${gml('Point', '7,3')}<ogc:Distance>2.5</ogc:Distance></ogc:DWithin>`,
      ['#ff0000', '#ffffff'],
    ],
    [
      'that are not there and are of a kind',
      `<ogc:And><ogc:Not><ogc:Intersects>${GEOM}${around(5, 5)}</ogc:Intersects></ogc:Not><ogc:PropertyIsEqualTo><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>b</ogc:Literal></ogc:PropertyIsEqualTo></ogc:And>`,
      ['#ffffff', '#ff0000'],
    ],
  ])('%s', async (_, filter, [a, b]) => {
    expect(await colors(filter)).toEqual({ a, b });
  });

  test('and else those that it did not take', async () => {
    const filter = `<ogc:Intersects>${GEOM}${around(5, 5)}</ogc:Intersects>`;

    expect(await colors(filter, '<ElseFilter/>')).toEqual({ a: '#ff0000', b: '#0000ff' });
  });

  test('whatever the system of the map is', async () => {
    const degree = 20_037_508.342789244 / 180;
    const filter = `<ogc:Intersects>${GEOM}${around(5, 5)}</ogc:Intersects>`;
    const mercator = {
      system: { code: 'EPSG:3857' },
      box: { minX: 0, minY: 0, maxX: 20 * degree, maxY: 20 * degree },
    };

    expect(await colors(filter, '', mercator)).toEqual({ a: '#ff0000', b: '#ffffff' });
  });
});

test('a rule on a geometry that is not there draws nothing', async () => {
  const filter = `<ogc:Intersects><ogc:PropertyName>nowhere</ogc:PropertyName>${around(5, 5)}</ogc:Intersects>`;

  expect(await colors(filter)).toEqual({ a: '#ffffff', b: '#ffffff' });
});

test('what such rules draw is found and counted, and nothing else', async () => {
  const drawn = style(`<ogc:Intersects>${GEOM}${around(5, 5)}</ogc:Intersects>`);
  const request = { ...smallMap, layers: [layerOf(rows, drawn)] };
  const kindsAt = async (x: number, y: number): Promise<unknown> => {
    const [found] = await findDrawn(request, { x, y, count: 5, radiusPixels: 0 }, wideBudget, never);
    return found?.features.map(({ values }) => values[1]);
  };

  expect(await kindsAt(...places.a)).toEqual(['a']);
  expect(await kindsAt(...places.b)).toEqual([]);
  expect([...(await countRules(request, wideBudget, never)).values()]).toEqual([1]);
});
