/** Parameters that would take too long or too much memory are rejected, or stay within the budget. */
import { describe, expect, it, test } from 'vitest';
import { createGalleryLayer } from '../../../test/gallery/data.ts';
import { createDrawnLayer, never, smallMap, wideBudget } from '../../../test/support/drawn-layers.ts';
import { readContent } from '../../styling/content/read-content.ts';
import { drawMap } from '../draw-map.ts';
import type { MapLayer } from '../request/map-request.ts';

function readStyle(transform: string) {
  const css = `* { transform: ${transform}; raster-channels: auto; stroke: red; mark: symbol(circle); }`;
  const [layer] = readContent(Buffer.from(css)).model.layers;
  const style = layer?.styles[0];
  if (style?.kind !== 'userStyle') throw new Error('This style cannot be read.');
  return style;
}

const rows = [
  { wkt: 'POINT (5 5)', weight: 1 },
  { wkt: 'POINT (6 5)', weight: Number.NaN },
  { wkt: 'POLYGON ((1 1, 4 1, 4 4, 1 1))', weight: 3 },
];

async function draw(layer: MapLayer): Promise<string> {
  try {
    await drawMap({ ...smallMap, layers: [layer] }, wideBudget, never);
    return 'drawn';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const drawPoints = (transform: string) => draw(createDrawnLayer(rows, readStyle(transform)));
const drawHill = (transform: string) => draw(createGalleryLayer('hill', readStyle(transform)));

describe('transformations of features', () => {
  it.each([
    ['vec:Heatmap(radiusPixels: 1000000000)', "parameter 'radiusPixels' must be an integer from 1 to 1000"],
    ['vec:Heatmap(radiusPixels: -1)', "parameter 'radiusPixels'"],
    ["vec:Heatmap(radiusPixels: 'NaN')", "parameter 'radiusPixels'"],
    ['vec:Heatmap()', "parameter 'radiusPixels' is required"],
    ['vec:Heatmap(radiusPixels: 5, pixelsPerCell: 0)', "parameter 'pixelsPerCell'"],
    ['vec:Heatmap(radiusPixels: 5, outputWidth: 100000)', "parameter 'outputWidth'"],
    ['vec:Heatmap(radiusPixels: 5, outputWidth: 8000, outputHeight: 8000)', 'exceeds the limit'],
    ["vec:Heatmap(radiusPixels: 5, outputBBOX: '0,0,0,0')", "parameter 'outputBBOX'"],
    ['vec:PointStacker(cellSize: 0)', "parameter 'cellSize'"],
    ["vec:BarnesSurface(valueAttr: 'weight', scale: 0)", "parameter 'scale'"],
    ["vec:BarnesSurface(valueAttr: 'weight', scale: 1, passes: 1000)", "parameter 'passes'"],
    ["vec:Clip(clip: 'POLYGON ((')", "parameter 'clip' must be a geometry"],
    ["vec:Transform(transform: 'a')", "parameter 'transform'"],
    ["vec:Query(filter: 'weight >')", "parameter 'filter' must be ECQL"],
    ['ras:Contour(levels: 1)', 'its input must be a coverage'],
    ['vec:Centroid(data: ras:Contour(levels: 1))', 'its input must be a coverage'],
  ])('rejects %s', async (transform, message) => {
    expect(await drawPoints(transform)).toContain(message);
  });

  it.each([
    'vec:Heatmap(radiusPixels: 1000)',
    "vec:Heatmap(radiusPixels: 3, weightAttr: 'weight')",
    'vec:PointStacker(cellSize: 0.1)',
    "vec:BarnesSurface(valueAttr: 'weight', scale: 1e300)",
    "vec:BarnesSurface(valueAttr: 'weight', scale: 1e-300)",
    'vec:BufferFeatureCollection(distance: 1e9)',
    'vec:BufferFeatureCollection(distance: -1e9)',
    'vec:Simplify(distance: 1e300)',
    "vec:VectorToRaster(attribute: 'weight', bounds: '0,0,1e-9,1e-9')",
  ])('draws %s within the budget', async (transform) => {
    expect(await drawPoints(transform)).toBe('drawn');
  });

  it('limits chains', async () => {
    const chain = Array.from({ length: 25 }).reduce<string>(
      (inner) => `vec:Simplify(distance: 1, features: ${inner})`,
      'vec:Centroid(features: )',
    );

    expect(await drawPoints(chain)).toContain('a chain can have 20 processes');
  });
});

describe('transformations of coverages', () => {
  it.each([
    ['ras:Contour(interval: 0.000000001)', "parameter 'interval' makes"],
    ['ras:Contour(interval: 0)', "parameter 'interval'"],
    ['ras:Contour()', "parameter 'levels' or 'interval' is required"],
    [`ras:Contour(levels: ${'1 '.repeat(1_001)})`, "parameter 'levels' must be at most 1000 numbers"],
    [`ras:Contour(levels: '${'1,'.repeat(1_000_000)}')`, "parameter 'levels' must be at most 1000 numbers"],
    ['ras:Contour(levels: 10, band: 7)', 'band 7 does not exist'],
    ["ras:Jiffle(script: 'while (1) { a = 1; } dest = a;')", 'the loops exceed'],
    ["ras:Jiffle(script: 'foreach (i in 1:1000000000) { a = i; } dest = a;')", 'the loops exceed'],
    ["ras:Jiffle(script: 'l = []; while (1) { l << 1; } dest = 1;')", 'a list has more than'],
    ["ras:Jiffle(script: 'dest = process.exit();')", "unexpected character '.'"],
    ["ras:Jiffle(script: 'dest = exit(1);')", "the function 'exit' is unknown"],
    ["ras:Jiffle(script: 'dest = 1')", "';' was expected"],
    [`ras:Jiffle(script: 'dest = ${'('.repeat(500)}1${')'.repeat(500)};')`, 'nested too deeply'],
    [`ras:Jiffle(script: 'dest = 1${' + 1'.repeat(4_500)};')`, 'too long'],
    ["ras:DynamicColorMap(colorRamp: 'red')", "parameter 'colorRamp'"],
    ["ras:PolygonExtraction(ranges: 'all')", "parameter 'ranges'"],
    ['ras:ScaleCoverage(xScale: 1000, yScale: 1000)', 'exceeds the limit'],
    ['vec:Heatmap(radiusPixels: 5)', 'its input must be features'],
  ])('rejects %.60s', async (transform, message) => {
    expect(await drawHill(transform)).toContain(message);
  });

  test('a script has no access to the properties of objects', async () => {
    expect(
      await drawHill("ras:Jiffle(script: 'constructor = 5; __proto__ = 3; dest = constructor + __proto__;')"),
    ).toBe('drawn');
    expect(await drawHill("ras:Jiffle(script: 'dest = constructor(1);')")).toContain('is unknown');
  });
});
