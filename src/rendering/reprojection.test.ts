import { expect, test } from 'vitest';
import {
  colorAt,
  createDrawnLayer,
  createUserStyle,
  never,
  paintedIn,
  smallMap,
  wideBudget,
} from '../../test/support/drawn-layers.ts';
import { drawMap } from './draw-map.ts';
import type { MapRequest, Pixels } from './request/map-request.ts';

const red = createUserStyle(
  '<Rule><PolygonSymbolizer><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill></PolygonSymbolizer></Rule>',
);
const earth = { wkt: 'POLYGON ((-180 -90, 180 -90, 180 90, -180 90, -180 -90))' };

function draw(
  wkt: string,
  code: string,
  [minX, minY, maxX, maxY]: readonly number[],
  more: Partial<MapRequest> = {},
): Promise<Pixels> {
  const box = { minX: minX ?? 0, minY: minY ?? 0, maxX: maxX ?? 0, maxY: maxY ?? 0 };
  return drawMap(
    { ...smallMap, box, system: { code }, layers: [createDrawnLayer([{ wkt }], red)], ...more },
    wideBudget,
    never,
  );
}

test('a map beyond the antimeridian continues on the other side', async () => {
  const east = 'POLYGON ((-178 -5, -172 -5, -172 5, -178 5, -178 -5))';

  const degrees = await draw(east, 'EPSG:4326', [170, -10, 190, 10]);
  const metres = await draw(east, 'EPSG:3857', [18_924_313, -1_118_890, 21_150_703, 1_118_890]);

  for (const map of [degrees, metres]) {
    expect([colorAt(map, 11, 10), colorAt(map, 13, 10), colorAt(map, 19, 10)]).toEqual([
      '#ffffff',
      '#ff0000',
      '#ffffff',
    ]);
  }
});

test('a map wider than the Earth shows a feature more than once', async () => {
  const map = await draw('POLYGON ((-90 -45, 90 -45, 90 45, -90 45, -90 -45))', 'EPSG:4326', [-540, -90, 540, 90], {
    width: 60,
  });

  expect([10, 20, 30, 40, 50].map((x) => colorAt(map, x, 10))).toEqual([
    '#ff0000',
    '#ffffff',
    '#ff0000',
    '#ffffff',
    '#ff0000',
  ]);
});

test.each([
  ['EPSG:32633', [-1_000_000, 4_000_000, 2_000_000, 7_000_000]],
  ['EPSG:3995', [-4_000_000, -4_000_000, 4_000_000, 4_000_000]],
  ['EPSG:3995', [-8_000_000, -8_000_000, 8_000_000, 8_000_000]],
  ['EPSG:3031', [-8_000_000, -8_000_000, 8_000_000, 8_000_000]],
  ['EPSG:3035', [2_000_000, 1_000_000, 7_000_000, 6_000_000]],
  ['EPSG:3857', [-20_037_508, -20_037_508, 20_037_508, 20_037_508]],
])('the whole Earth fills a map in %s', async (code, box) => {
  const map = await draw(earth.wkt, code, box);

  expect(paintedIn(map)).toBe(400);
});

test.each([
  ['EPSG:4326', [1e6, 1e6, 2e6, 2e6]],
  ['EPSG:4326', [-1e9, -1e9, 1e9, 1e9]],
  ['EPSG:3857', [1e20, 1e20, 2e20, 2e20]],
  ['EPSG:32633', [1e12, 1e12, 2e12, 2e12]],
  ['EPSG:3995', [-1e15, -1e15, 1e15, 1e15]],
  ['EPSG:2056', [-5e7, -5e7, 5e7, 5e7]],
  ['EPSG:4326', [0, 0, 1e-15, 1e-15]],
])('an unusual box in %s produces a map, possibly an empty one', async (code, box) => {
  await expect(draw(earth.wkt, code, box)).resolves.toMatchObject({ width: 20, height: 20 });
});

test('an edge across the antimeridian does not run around the Earth', async () => {
  const chukotka = 'POLYGON ((170 65, 180 65, -175 65, -175 68, 180 68, 170 68, 170 65))';

  const map = await draw(chukotka, 'EPSG:3995', [-4_000_000, -4_000_000, 4_000_000, 4_000_000], {
    width: 100,
    height: 100,
  });

  expect(paintedIn(map, { top: 40 })).toBe(0);
  expect(paintedIn(map)).toBeGreaterThan(30);
});

test('straight edges are curved by the reprojection', async () => {
  const parallel = 'POLYGON ((-40 60, 60 60, 60 62, -40 62, -40 60))';

  const map = await draw(parallel, 'EPSG:3035', [2_321_000, 2_000_000, 6_321_000, 6_000_000], {
    width: 100,
    height: 100,
  });

  // The sixtieth parallel is nearest to the lower edge at ten degrees; a straight line would cut that part off.
  const lowest = (x: number): number =>
    Array.from({ length: 100 }, (_, y) => y).findLast((y) => colorAt(map, x, y) !== '#ffffff') ?? -1;
  expect(lowest(50)).toBeGreaterThan(lowest(10) + 3);
});

test.each([
  ['EPSG:4326', [-180, -90, 180, 90]],
  ['EPSG:3857', [-20_037_508, -20_037_508, 20_037_508, 20_037_508]],
  ['EPSG:8857', [-17_300_000, -8_400_000, 17_300_000, 8_400_000]],
])('a ring that jumps over the antimeridian is drawn at both edges of a map in %s', async (code, box) => {
  const map = await draw('POLYGON ((140 -30, -140 -30, -140 30, 140 30, 140 -30))', code, box);

  expect([1, 10, 18].map((x) => colorAt(map, x, 10))).toEqual(['#ff0000', '#ffffff', '#ff0000']);
});

test('features beyond the antimeridian are drawn in a zone that ends there', async () => {
  const east = 'POLYGON ((-178 60, -170 60, -170 65, -178 65, -178 60))';

  const map = await draw(east, 'EPSG:32660', [0, 6_000_000, 1_500_000, 7_500_000]);

  expect(paintedIn(map)).toBeGreaterThan(20);
});

const dot = createUserStyle(
  '<Rule><PointSymbolizer><Graphic><Mark><WellKnownName>square</WellKnownName><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill></Mark><Size>8</Size></Graphic></PointSymbolizer></Rule>',
);

test.each([
  ['EPSG:4326', [160, -10, 180, 10], 0],
  ['EPSG:4326', [-180, -90, 180, 90], 0],
  ['EPSG:3857', [17_811_118, -1_113_194, 20_037_508.342789244, 1_113_194], 0],
  ['EPSG:4326', [160, -10, 180, 10], 90],
])('a map in %s of %j, turned by %i degrees, shows marks behind the antimeridian', async (code, box, angle) => {
  const behind = 'POINT (-179.5 0)';

  const map = await draw(behind, code, box, { layers: [createDrawnLayer([{ wkt: behind }], dot)], angle });

  expect(angle === 0 ? colorAt(map, 18, 10) : colorAt(map, 10, 18)).toBe('#ff0000');
});

test('a heatmap includes the features behind the antimeridian', async () => {
  const heatmap = `<Transformation><ogc:Function name="vec:Heatmap">${[
    ['data', ''],
    ['radiusPixels', '<ogc:Literal>6</ogc:Literal>'],
    ['outputBBOX', '<ogc:Function name="env"><ogc:Literal>wms_bbox</ogc:Literal></ogc:Function>'],
    ['outputWidth', '<ogc:Literal>20</ogc:Literal>'],
    ['outputHeight', '<ogc:Literal>20</ogc:Literal>'],
  ]
    .map(([name, value]) => `<ogc:Function name="parameter"><ogc:Literal>${name}</ogc:Literal>${value}</ogc:Function>`)
    .join('')}</ogc:Function></Transformation><Rule><RasterSymbolizer><ColorMap>
    <ColorMapEntry color="#ffffff" quantity="0"/><ColorMapEntry color="#ff0000" quantity="1"/>
    </ColorMap></RasterSymbolizer></Rule>`;
  const behind = 'POINT (-179.5 0)';
  const layers = [createDrawnLayer([{ wkt: behind }], createUserStyle(heatmap))];

  const map = await draw(behind, 'EPSG:4326', [160, -10, 180, 10], { layers });

  expect(paintedIn(map, { left: 16 })).toBeGreaterThan(20);
  expect(paintedIn(map, { right: 10 })).toBe(0);
});
