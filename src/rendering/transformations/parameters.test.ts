/** Each parameter of each process changes the result, unless the table declares that it has no effect. */
import { expect, test } from 'vitest';
import { decodeWkt } from '../../geometry/wkt-decode.ts';
import type { RawValue } from '../../styling/transformations/parameters.ts';
import { processes } from '../../styling/transformations/processes.ts';
import { FeatureWriter } from './model/feature-data.ts';
import {
  type CoverageData,
  createDescription,
  createNumberAttribute,
  type FeatureData,
  type TransformedMap,
} from './model/transformed-data.ts';
import { getTransformation } from './registry.ts';

const crs = { code: 'EPSG:4326' };
const map: TransformedMap = {
  box: { minX: 0, minY: 0, maxX: 10, maxY: 10 },
  width: 20,
  height: 20,
  crs,
  dataCrs: crs,
  shifts: [0],
  mapUnitsPerDataUnit: 1,
  isTiled: false,
};

const AREA = 'POLYGON ((0 0, 5 0, 5 10, 0 10, 0 0))';

type Changes = Readonly<Record<string, RawValue>>;

interface Trial {
  /** The values of the parameters that all runs have. */
  readonly base?: Changes;
  /** Another value of each parameter, and further values that it needs to have an effect. */
  readonly changes: Readonly<Record<string, RawValue | { readonly value: RawValue; readonly also: Changes }>>;
}

const grid = { outputBBOX: '0,0,5,5', outputWidth: 7, outputHeight: 7 };

const trials: Readonly<Record<string, Trial>> = {
  Heatmap: { base: { radiusPixels: 3 }, changes: { radiusPixels: 6, weightAttr: 'a', pixelsPerCell: 2, ...grid } },
  PointStacker: {
    base: { cellSize: 4 },
    changes: {
      ...{ cellSize: 8, weightClusterPosition: 'true', normalize: 'true' },
      preserveLocation: 'Single',
      ...grid,
    },
  },
  BarnesSurface: {
    base: { valueAttr: 'a', scale: 2 },
    changes: {
      ...{
        valueAttr: 'b',
        scale: 5,
        convergence: 1,
        passes: 1,
        minObservations: { value: 3, also: { maxObservationDistance: 3 } },
        maxObservationDistance: 1,
      },
      noDataValue: { value: -1, also: { maxObservationDistance: 1 } },
      ...{ pixelsPerCell: 2, queryBuffer: 3, dataLimit: 1, ...grid },
    },
  },
  VectorToRaster: {
    base: { attribute: 'a' },
    changes: { rasterWidth: 5, rasterHeight: 5, title: 'x', attribute: 'b', bounds: '0,0,5,5' },
  },
  Contour: {
    base: { levels: 10 },
    changes: {
      ...{ band: 1, levels: 20, smooth: 'true', roi: AREA },
      interval: { value: 5, also: { levels: null } },
      simplify: { value: 'false', also: { band: 1, levels: '3.5' } },
    },
  },
  PolygonExtraction: {
    changes: { band: 1, insideEdges: 'false', roi: AREA, nodata: 5, ranges: '[0;10]' },
  },
  RasterAsPointCollection: {
    base: { scale: 0.5 },
    changes: { targetCRS: 'EPSG:32633', scale: 0.25, interpolation: 'bilinear', emisphere: 'true' },
  },
  Jiffle: {
    base: { script: 'dest = src + 0.5;' },
    changes: {
      script: 'dest = src * 2;',
      destName: { value: 'out', also: { script: 'out = src + 1;' } },
      sourceName: { value: 'in', also: { script: 'dest = in + 1;' } },
      ...{ outputType: 'BYTE', outputBandCount: 2, outputBandNames: 'height' },
    },
  },
  BandSelect: { base: { SampleDimensions: 0 }, changes: { SampleDimensions: 1, VisibleSampleDimension: 1 } },
  BandMerge: {
    changes: {
      ...{ roi: AREA, transformChoice: 'LAST' },
      index: { value: 1, also: { transformChoice: 'INDEX' } },
    },
  },
  CropCoverage: { base: { cropShape: 'POLYGON ((0 0, 9 0, 9 9, 0 0))' }, changes: { cropShape: AREA } },
  ScaleCoverage: {
    base: { xScale: 1.5, yScale: 1.5 },
    changes: { xScale: 2, yScale: 2, xTranslate: 1, yTranslate: 1, interpolation: 'InterpolationBilinear' },
  },
  NormalizeCoverage: { changes: {} },
  DynamicColorMap: { base: { colorRamp: '#000;#fff' }, changes: { colorRamp: '#f00;#00f', opacity: 0.5 } },
  Centroid: { changes: {} },
  GroupCandidateSelection: {
    base: { operationAttribute: 'a', aggregation: 'MAX', groupingAttributes: 'b' },
    changes: { operationAttribute: 'c', aggregation: 'MIN', groupingAttributes: 'c' },
  },
  Clip: { base: { clip: 'POLYGON ((0 0, 9 0, 9 9, 0 0))' }, changes: { clip: AREA, preserveZ: 'true' } },
  Simplify: {
    base: { distance: 0.1 },
    changes: { distance: 3, preserveTopology: { value: 'true', also: { distance: 9 } } },
  },
  Snap: { base: { point: 'POINT (200000 200000)' }, changes: { point: 'POINT (1 1)', crs: 'EPSG:3857' } },
  BufferFeatureCollection: { base: { distance: 1 }, changes: { distance: 2, attributeName: 'c' } },
  Transform: { base: { transform: 'a=a' }, changes: { transform: 'a=a+1' } },
  Query: { changes: { attribute: 'a', filter: 'a > 1' } },
};

function createFeatures(): FeatureData {
  const description = createDescription({ name: 'geom', type: 'Geometry', crs }, [
    ...['a', 'b', 'c'].map((name) => createNumberAttribute(name)),
  ]);
  const writer = new FeatureWriter(description, true);
  const rows: readonly (readonly [string, number, number, number])[] = [
    ['POINT (9 9)', 1, 1, 9],
    ['POINT (8.7 8.9)', 2, 1, 8],
    ['POLYGON ((1 1, 3 1, 3.1 2, 3 3, 2 3.05, 1 3, 1 1))', 3, 2, 7],
  ];
  for (const [index, [wkt, ...values]] of rows.entries()) writer.add(`f.${index}`, values, decodeWkt(wkt));
  return writer.finish();
}

function createCoverage(size: number): CoverageData {
  const create = (name: string, compute: (column: number, row: number) => number) => ({
    band: { name, type: 'float32', colorInterpretation: 'undefined' } as const,
    samples: Float32Array.from({ length: size * size }, (_, cell) => compute(cell % size, Math.floor(cell / size))),
  });
  const bands = [
    create('one', (column, row) => Math.floor((column * 3 + row * row) / 2)),
    create('two', (column, row) => column + row * 0.001),
  ];
  return { kind: 'coverage', width: size, height: size, bounds: map.box, crs, bands };
}

async function run(name: string, values: Changes): Promise<string> {
  const transformation = getTransformation({ name });
  const { process } = transformation;
  const raw = new Map(
    Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key.toLowerCase(), [value]] as const])),
  );
  const coverages =
    process.hasSeveralInputs && name !== 'Jiffle' ? [createCoverage(8), createCoverage(6)] : [createCoverage(8)];
  const inputs = process.input === 'features' ? [createFeatures()] : coverages;
  const descriptions = inputs.map((input) =>
    input.kind === 'features'
      ? ({ kind: 'features', description: input.description } as const)
      : ({ kind: 'coverage', bands: input.bands.map(({ band }) => band) } as const),
  );
  return JSON.stringify([
    await transformation.run(inputs, raw, map),
    transformation.describe(descriptions, raw, map),
    transformation.reach(raw, map),
  ]);
}

test('the table of trials names every parameter of every process', () => {
  const declared = processes.map(({ name, parameters }) => [name, Object.keys(parameters).toSorted()]);
  const tried = processes.map(({ name }) => [name, Object.keys(trials[name]?.changes ?? { none: 0 }).toSorted()]);

  expect(tried).toEqual(declared);
});

test.each(
  processes.flatMap(({ name, parameters }) =>
    Object.entries(parameters).map(([parameter, { ineffectiveBecause }]) => ({
      name,
      parameter,
      effect: ineffectiveBecause === undefined ? 'changes the result' : 'has no effect',
    })),
  ),
)('$parameter of $name $effect', async ({ name, parameter, effect }) => {
  const { base = {}, changes } = trials[name] ?? { changes: {} };
  const change = changes[parameter] ?? null;
  const { value, also } =
    typeof change === 'object' && change !== null && 'also' in change ? change : { value: change, also: {} };
  // The base can be invalid without the parameter.
  const before = await run(name, { ...base, ...also }).catch(String);
  const after = await run(name, { ...base, ...also, [parameter]: value });

  expect(after !== before).toBe(effect === 'changes the result');
});
