/** Tests the position, rotation and identification of coverages in maps. */
import { expect, it } from 'vitest';
import { createSampledSource } from '../../../test/support/sampled-source.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { createGrid } from '../../raster/port/grid.ts';
import type { Band } from '../../raster/port/port.ts';
import { readWarped } from '../../raster/warp/read-warped.ts';
import type { UserStyle } from '../../styling/model/model.ts';
import { drawMap } from '../draw-map.ts';
import { findDrawnFeatures } from '../query/find-drawn-features.ts';
import type { CoverageLayer, MapRequest } from '../request/map-request.ts';

const never = new AbortController().signal;
const budget = { milliseconds: 60_000, bytes: 100_000_000 };
const bands: readonly Band[] = [{ name: 'height', type: 'uint8', colorInterpretation: 'gray' }];

/** Four by four samples on 0 to 4 degrees. The value is 10 times the column plus the row. */
function quilt(style: Partial<UserStyle> & Pick<UserStyle, 'featureTypeStyles'>): CoverageLayer {
  const transform = { originX: 0, columnX: 1, rowX: 0, originY: 4, columnY: 0, rowY: -1 };
  const grid = createGrid({ width: 4, height: 4 }, transform, { code: 'EPSG:4326' });
  const description = { name: 'quilt', grid, bands, overviews: [], dimensions: [], hasMask: false };
  const source = createSampledSource({ width: 4, height: 4 }, [(column, row) => column * 10 + row]);
  return {
    kind: 'coverage',
    title: 'quilt',
    style: { kind: 'userStyle', ...style } as UserStyle,
    source: {
      name: 'quilt',
      bands,
      read: async (request, signal) => ({
        ...(await readWarped(source, description, request, signal)),
        described: bands,
      }),
    },
  };
}

const plain = [
  { rules: [{ symbolizers: [{ kind: 'rasterSymbolizer' }] }] },
] as unknown as UserStyle['featureTypeStyles'];

const map = (layer: CoverageLayer, more: Partial<MapRequest> = {}): MapRequest => ({
  width: 4,
  height: 4,
  box: { minX: 0, minY: 0, maxX: 4, maxY: 4 },
  system: { code: 'EPSG:4326' },
  layers: [layer],
  isTransparent: true,
  ...more,
});

async function reds(request: MapRequest): Promise<readonly (number | null)[]> {
  const { bytes } = await drawMap(request, budget, never);
  return Array.from({ length: bytes.length / 4 }, (_, at) => (bytes[at * 4 + 3] === 0 ? null : (bytes[at * 4] ?? 0)));
}

it('paints each sample at its position', async () => {
  expect(await reds(map(quilt({ featureTypeStyles: plain })))).toEqual([
    0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32, 3, 13, 23, 33,
  ]);
});

it('leaves the rest of the map unchanged', async () => {
  const beside = map(quilt({ featureTypeStyles: plain }), {
    width: 4,
    height: 1,
    box: { minX: 2, minY: 3, maxX: 6, maxY: 4 },
  });

  expect(await reds(beside)).toEqual([20, 30, null, null]);
  expect(await reds({ ...beside, isTransparent: false })).toEqual([20, 30, 255, 255]);
});

it('rotates with the map', async () => {
  const turned = await reds(map(quilt({ featureTypeStyles: plain }), { angle: 90 }));

  // Clockwise: the left column becomes the upper row.
  expect(turned.slice(0, 4)).toEqual([3, 2, 1, 0]);
});

it('is drawn only at the scales of its rules', async () => {
  const rule = { symbolizers: [{ kind: 'rasterSymbolizer' }], maxScaleDenominator: 1000 };
  const style = { featureTypeStyles: [{ rules: [rule] }] as unknown as UserStyle['featureTypeStyles'] };

  expect(new Set(await reds(map(quilt(style))))).toEqual(new Set([null]));
});

it('applies the opacity of its symbolizer', async () => {
  const rule = { symbolizers: [{ kind: 'rasterSymbolizer', opacity: createLiteral(0.5) }] };
  const style = { featureTypeStyles: [{ rules: [rule] }] as unknown as UserStyle['featureTypeStyles'] };

  const { bytes } = await drawMap(map(quilt(style), { isTransparent: false }), budget, never);

  expect(bytes[0]).toBeGreaterThan(126);
  expect(bytes[0]).toBeLessThan(129);
});

it('is blended with the layers below as its style specifies', async () => {
  const rule = { symbolizers: [{ kind: 'rasterSymbolizer' }] };
  const style = (option: string) => ({
    featureTypeStyles: [
      { rules: [rule] },
      { rules: [rule], vendorOptions: [{ name: 'composite', value: createLiteral(option) }] },
    ] as unknown as UserStyle['featureTypeStyles'],
  });

  const [, multiplied] = await reds(map(quilt(style('multiply')), { box: { minX: 2, minY: 0, maxX: 4, maxY: 4 } }));
  const [, destination] = await reds(map(quilt(style('destination-out'))));

  expect(multiplied).toBe(Math.round((20 * 20) / 255));
  expect(destination).toBe(null);
});

it('returns the band values at a point', async () => {
  const request = map(quilt({ featureTypeStyles: plain }));

  const [found] = await findDrawnFeatures(request, { x: 2.5, y: 1.5, count: 1 }, budget, never);
  const [outside] = await findDrawnFeatures(
    { ...request, box: { minX: 10, minY: 10, maxX: 14, maxY: 14 } },
    { x: 2.5, y: 1.5, count: 1 },
    budget,
    never,
  );

  expect(found?.description.attributes.map(({ name }) => name)).toEqual(['height']);
  expect(found?.features.map(({ values }) => values)).toEqual([[21]]);
  expect(outside?.features).toEqual([]);
});

it('reports the band of a style that the coverage does not have, and draws nothing', async () => {
  const select = (name: string) =>
    [
      {
        rules: [
          {
            symbolizers: [
              {
                kind: 'rasterSymbolizer',
                channelSelection: { kind: 'grayChannel', gray: { sourceName: createLiteral(name) } },
              },
            ],
          },
        ],
      },
    ] as unknown as UserStyle['featureTypeStyles'];
  const missing: unknown[] = [];
  const onMissingBand = (each: unknown): number => missing.push(each);
  const draw = (name: string) => reds(map(quilt({ featureTypeStyles: select(name) }), { onMissingBand }));

  const known = await draw('HEIGHT');
  const unknown = await draw('2');

  expect(known.slice(0, 4)).toEqual([0, 10, 20, 30]);
  expect(new Set(unknown)).toEqual(new Set([null]));
  expect(missing).toEqual([{ coverage: 'quilt', band: '2', bands: ['height'] }]);
});
