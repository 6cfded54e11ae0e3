/** Tests the common order of features across feature type styles and layers. */
import { describe, expect, test } from 'vitest';
import {
  colorAt,
  createDrawnLayer,
  createUserStyle,
  type DrawnRow,
  never,
  smallMap,
  wideBudget,
} from '../../test/support/drawn-layers.ts';
import { drawMap, drawOnSurface } from './draw-map.ts';
import { DocumentPainter } from './painting/document-painter.ts';
import type { MapRequest, Pixels } from './request/map-request.ts';

const [RED, WHITE, BLUE, GREEN] = ['#ff0000', '#ffffff', '#0000ff', '#008000'];

const line = (colour: string, width: number, filter = '', more = ''): string =>
  `<Rule>${filter}<LineSymbolizer><Stroke><CssParameter name="stroke">${colour}</CssParameter><CssParameter name="stroke-width">${width}</CssParameter>${more}</Stroke></LineSymbolizer></Rule>`;
const option = (name: string, value: string): string => `<VendorOption name="${name}">${value}</VendorOption>`;
const ordered = (rule: string, name = 'roads', by = 'z'): string =>
  `${rule}${option('sortBy', by)}${option('sortByGroup', name)}`;

/** Two crossing roads on the ground, and a bridge over one of them. */
const ground = { wkt: 'LINESTRING (0 4, 20 4)', z: 1 };
const bridge = { wkt: 'LINESTRING (0 14, 20 14)', z: 3 };
const crossing = { wkt: 'LINESTRING (10 0, 10 20)', z: 1 };
const roads = [ground, bridge, crossing];

const cased = createUserStyle(ordered(line(RED, 8)), ordered(line(WHITE, 4)));

function draw(layers: MapRequest['layers'], more: Partial<MapRequest> = {}): Promise<Pixels> {
  return drawMap({ ...smallMap, layers, hasExactStrokes: true, ...more }, wideBudget, never);
}

/** The edge of the bridge where the crossing road passes below, and the edge of the road at the level crossing. */
const bothEdges = (map: Pixels) => [colorAt(map, 10, 3), colorAt(map, 10, 13)];

describe('feature type styles in a common order', () => {
  test('are painted level by level: roads join on a level, and lower roads are covered', async () => {
    expect(bothEdges(await draw([createDrawnLayer(roads, cased)]))).toEqual([RED, WHITE]);
  });

  test('are painted one over the other without the option, in any order of features', async () => {
    const apart = createUserStyle(line(RED, 8) + option('sortBy', 'z'), line(WHITE, 4) + option('sortBy', 'z'));

    expect(bothEdges(await draw([createDrawnLayer(roads, apart)]))).toEqual([WHITE, WHITE]);
  });

  test.each([
    ['different names', ordered(line(WHITE, 4), 'rails')],
    ['another style in between', `${line(BLUE, 0)}</FeatureTypeStyle><FeatureTypeStyle>${ordered(line(WHITE, 4))}`],
    ['no sort option', line(WHITE, 4) + option('sortByGroup', 'roads')],
    ['an unknown attribute', ordered(line(WHITE, 4), 'roads', 'height')],
  ])('require the same name, adjacency and a sort option: not applied with %s', async (_, second) => {
    expect(bothEdges(await draw([createDrawnLayer(roads, createUserStyle(ordered(line(RED, 8)), second))]))).toEqual([
      WHITE,
      WHITE,
    ]);
  });

  test('support descending order', async () => {
    const style = createUserStyle(ordered(line(RED, 8), 'roads', 'z D'), ordered(line(WHITE, 4), 'roads', 'z D'));

    const map = await draw([createDrawnLayer(roads, style)]);

    // The bridge is the lowest now: the crossing road shows both edges above it.
    expect([colorAt(map, 10, 3), colorAt(map, 7, 6), colorAt(map, 10, 13)]).toEqual([WHITE, RED, WHITE]);
  });

  test('leave the following style separate', async () => {
    const style = createUserStyle(ordered(line(RED, 8)), ordered(line(WHITE, 4)), line(GREEN, 2));

    expect(bothEdges(await draw([createDrawnLayer(roads, style)]))).toEqual([GREEN, GREEN]);
  });

  test('support patterns', async () => {
    const hatched =
      '<Rule><LineSymbolizer><Stroke><GraphicFill><Graphic><Mark><WellKnownName>square</WellKnownName><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill></Mark><Size>8</Size></Graphic></GraphicFill><CssParameter name="stroke-width">8</CssParameter></Stroke></LineSymbolizer></Rule>';

    const map = await draw([createDrawnLayer(roads, createUserStyle(ordered(hatched), ordered(line(WHITE, 4))))]);

    expect(bothEdges(map)).toEqual([RED, WHITE]);
  });

  test('keep their order for many batches and levels', async () => {
    // Each feature covers half of the previous one; the rows come in arbitrary order.
    const rows = Array.from({ length: 9_001 }, (_, index): DrawnRow => {
      const z = (index * 4_001) % 9_001;
      return { wkt: `LINESTRING (${z % 20} 10, 20 10)`, z, name: z % 2 === 0 ? 'even' : 'odd' };
    });
    const filter = (name: string): string =>
      `<ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>name</ogc:PropertyName><ogc:Literal>${name}</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>`;
    const style = createUserStyle(ordered(line(RED, 2, filter('even'))), ordered(line(BLUE, 2, filter('odd'))));

    const map = await draw([createDrawnLayer(rows, style)]);

    // The last is 9,000, from the left edge on.
    expect([0, 10, 19].map((x) => colorAt(map, x, 9))).toEqual([RED, RED, RED]);
  });
});

describe('layers in a common order', () => {
  const rails = (z: number) => createDrawnLayer([{ wkt: 'LINESTRING (4 0, 4 20)', height: z }], railStyle);
  const railStyle = createUserStyle(ordered(line(BLUE, 4), 'roads', 'height'));

  test.each([
    ['below all', 0, [RED, RED]],
    ['between both', 2, [RED, BLUE]],
    ['above all', 4, [BLUE, BLUE]],
    ['on the level of one, as the later layer', 1, [RED, BLUE]],
  ])('are interleaved, independent of their attribute names: %s', async (_, z, colours) => {
    const map = await draw([createDrawnLayer([ground, bridge], createUserStyle(ordered(line(RED, 4)))), rails(z)]);

    expect([colorAt(map, 4, 6), colorAt(map, 4, 16)]).toEqual(colours);
  });

  test('are not interleaved if another layer is between them', async () => {
    const between = createDrawnLayer([{ wkt: 'LINESTRING (15 0, 15 20)', z: 0 }], createUserStyle(line(GREEN, 2)));

    const map = await draw([
      createDrawnLayer([ground, bridge], createUserStyle(ordered(line(RED, 4)))),
      between,
      rails(0),
    ]);

    expect([colorAt(map, 4, 6), colorAt(map, 4, 16)]).toEqual([BLUE, BLUE]);
  });

  test('are drawn identically in documents', async () => {
    const request = {
      ...smallMap,
      layers: [createDrawnLayer([ground, bridge], createUserStyle(ordered(line(RED, 4)))), rails(2)],
    };
    const { content } = await drawOnSurface(request, wideBudget, never, {
      openSurface: (settings) => DocumentPainter.open('svg', settings),
      finish: (surface) => surface.finish(),
    });
    const strokes = [
      ...Buffer.from(content ?? [])
        .toString()
        .matchAll(/stroke="(\w+|#\w+)"/g),
    ].map(([, each]) => each);

    expect(strokes).toEqual(['red', 'blue', 'red']);
  });
});
