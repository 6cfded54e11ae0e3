import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDrawnLayer, createUserStyle, never, wideBudget } from '../../../test/support/drawn-layers.ts';
import type { UserStyle } from '../../styling/model/model.ts';
import { drawMap } from '../draw-map.ts';
import type { MapRequest, Pixels } from '../request/map-request.ts';

const css = (name: string, value: string): string => `<CssParameter name="${name}">${value}</CssParameter>`;
const plain = createUserStyle(
  `<Rule><PolygonSymbolizer><Fill>${css('fill', '#88aa66')}${css('fill-opacity', '0.5')}</Fill><Stroke>${css('stroke', '#aa0000')}${css('stroke-width', '3')}</Stroke></PolygonSymbolizer></Rule>`,
  `<Rule><LineSymbolizer><Stroke>${css('stroke', '#000088')}${css('stroke-dasharray', '5 3')}</Stroke></LineSymbolizer></Rule>`,
);
const patterned = createUserStyle(
  `<Rule><PolygonSymbolizer><Fill><GraphicFill><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill>${css('fill', '#ff00ff')}</Fill></Mark><Size>5</Size></Graphic></GraphicFill></Fill></PolygonSymbolizer></Rule>`,
);
const SIZE = 32;
const UNITS = 1_000;

type Rows = readonly { readonly wkt: string }[];

/** Draws one tile of the area as a separate map. */
function draw(rows: Rows, style: UserStyle, column: number, row: number, tiles: number): Promise<Pixels> {
  const request: MapRequest = {
    width: SIZE * tiles,
    height: SIZE * tiles,
    box: {
      minX: column * UNITS,
      maxX: (column + tiles) * UNITS,
      minY: -(row + tiles) * UNITS,
      maxY: -row * UNITS,
    },
    system: { code: 'EPSG:3857' },
    layers: [createDrawnLayer(rows, style, { code: 'EPSG:3857' })],
  };
  return drawMap(request, wideBudget, never);
}

/** Returns the largest channel difference between a map and the four tiles that compose it. */
async function worstDifference(rows: Rows, style: UserStyle): Promise<number> {
  const whole = await draw(rows, style, 0, 0, 2);
  let worst = 0;
  for (const [column, row] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    const tile = await draw(rows, style, column, row, 1);
    for (const [at, part] of tile.bytes.entries()) {
      const [x, y] = [at % (SIZE * 4), Math.floor(at / (SIZE * 4))];
      const same = ((row * SIZE + y) * whole.width + column * SIZE) * 4 + x;
      worst = Math.max(worst, Math.abs(part - (whole.bytes[same] ?? 0)));
    }
  }
  return worst;
}

const place = fc.tuple(fc.integer({ min: -500, max: 2_500 }), fc.integer({ min: -2_500, max: 500 }));
const polygons = fc.array(
  fc
    .array(place, { minLength: 3, maxLength: 8 })
    .map((ring) => ({ wkt: `POLYGON ((${[...ring, ring[0]].map((each) => each?.join(' ')).join(', ')}))` })),
  { minLength: 1, maxLength: 5 },
);

/** Tiles compute positions from another corner: one level for each of the fill, the outline and the dashes. */
const ROUNDING = 3;

test('four adjacent maps have the pixels of one map: fills, outlines and dashes', async () => {
  await fc.assert(
    fc.asyncProperty(polygons, async (rows) => {
      expect(await worstDifference(rows, plain)).toBeLessThanOrEqual(ROUNDING);
    }),
    { numRuns: Number(process.env['SEAM_RUNS'] ?? 15) },
  );
});

test('patterns continue across adjacent maps', async () => {
  const everywhere = [{ wkt: 'POLYGON ((-3000 -3000, 3000 -3000, 3000 3000, -3000 3000, -3000 -3000))' }];

  expect(await worstDifference(everywhere, patterned)).toBeLessThanOrEqual(ROUNDING);
});
