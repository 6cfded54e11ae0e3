/** The rendering transformations that styles can use: their input and parameters. */
import {
  box,
  choice,
  flag,
  geometry,
  integer,
  interpolation,
  number,
  numbers,
  type ParameterTable,
  required,
  text,
  texts,
  withDefault,
  withoutEffect,
} from './parameters.ts';

export interface Process<P extends ParameterTable = ParameterTable> {
  /** Without its prefix. */
  readonly name: string;
  /** A sentence for the documentation. */
  readonly result: string;
  readonly input: 'features' | 'coverage';
  /** The parameter that has the data of the layer, or calls of other processes. */
  readonly data: string;
  /** Whether the data can be several coverages. */
  readonly hasSeveralInputs?: true;
  readonly parameters: P;
  /** At least one of these is required. */
  readonly alternatives?: readonly string[];
}

/** Features around the map are read up to this distance. */
const MAX_RADIUS_PIXELS = 1_000;

/** The side of a grid that a style requests. */
const MAX_GRID_SIDE = 8_192;

/** Contours, and lists in general: more of them are unreadable on a map. */
const MAX_LEVELS = 1_000;

/** The number of bands that a TIFF can have. */
const MAX_BAND = 65_535;

const anyNumber = number({ from: -1e300, to: 1e300 });
const positive = number({ from: 1e-300, to: 1e300 });
const bandNumber = integer({ from: 0, to: MAX_BAND });

/** The grid that is computed; the map by default. */
const outputGrid = {
  outputBBOX: box,
  outputWidth: integer({ from: 1, to: MAX_GRID_SIDE }),
  outputHeight: integer({ from: 1, to: MAX_GRID_SIDE }),
} as const;

const pixelsPerCell = withDefault(integer({ from: 1, to: 256 }), 1);

export const heatmap = {
  name: 'Heatmap',
  result: 'The density of points, from 0 to 1.',
  input: 'features',
  data: 'data',
  parameters: {
    radiusPixels: required(integer({ from: 1, to: MAX_RADIUS_PIXELS })),
    weightAttr: text,
    pixelsPerCell,
    ...outputGrid,
  },
} as const satisfies Process;

export const pointStacker = {
  name: 'PointStacker',
  result: 'Points with `count` and `countunique`.',
  input: 'features',
  data: 'data',
  parameters: {
    cellSize: withDefault(number({ from: 0.1, to: MAX_GRID_SIDE }), 1),
    weightClusterPosition: withDefault(flag, false),
    normalize: withDefault(flag, false),
    preserveLocation: withDefault(choice(['Never', 'Single', 'Superimposed']), 'Never'),
    ...outputGrid,
  },
} as const satisfies Process;

export const barnesSurface = {
  name: 'BarnesSurface',
  result: 'A raster, interpolated from points.',
  input: 'features',
  data: 'data',
  parameters: {
    valueAttr: required(text),
    scale: required(positive),
    convergence: withDefault(number({ from: 0.01, to: 1 }), 0.3),
    passes: withDefault(integer({ from: 1, to: 5 }), 2),
    minObservations: withDefault(integer({ from: 0, to: 1_000_000 }), 2),
    maxObservationDistance: withDefault(number({ from: 0, to: 1e300 }), 0),
    noDataValue: withDefault(anyNumber, -999),
    pixelsPerCell,
    queryBuffer: withDefault(number({ from: 0, to: 1e300 }), 0),
    dataLimit: integer({ from: 0, to: 1_000_000 }),
    ...outputGrid,
  },
} as const satisfies Process;

export const vectorToRaster = {
  name: 'VectorToRaster',
  result: 'A raster of an attribute.',
  input: 'features',
  data: 'features',
  parameters: {
    rasterWidth: integer({ from: 1, to: MAX_GRID_SIDE }),
    rasterHeight: integer({ from: 1, to: MAX_GRID_SIDE }),
    title: withoutEffect(text, 'a map does not show the title'),
    attribute: required(text),
    bounds: box,
  },
} as const satisfies Process;

export const contour = {
  name: 'Contour',
  result: 'Lines with `value`. Needs `levels` or `interval`.',
  input: 'coverage',
  data: 'data',
  alternatives: ['levels', 'interval'],
  parameters: {
    band: withDefault(bandNumber, 0),
    levels: numbers(MAX_LEVELS),
    interval: positive,
    simplify: withDefault(flag, true),
    smooth: withDefault(flag, false),
    roi: geometry,
  },
} as const satisfies Process;

export const polygonExtraction = {
  name: 'PolygonExtraction',
  result: 'Polygons with `value`.',
  input: 'coverage',
  data: 'data',
  parameters: {
    band: withDefault(bandNumber, 0),
    insideEdges: withDefault(flag, true),
    roi: geometry,
    nodata: numbers(MAX_LEVELS),
    ranges: texts(MAX_LEVELS),
  },
} as const satisfies Process;

export const rasterAsPointCollection = {
  name: 'RasterAsPointCollection',
  result:
    'A point for each pixel, with an attribute for each band; `GRAY_INDEX` for a single one. `targetCRS` adds `gridConvergenceAngleCorrection`, the angle from true north to the north of that CRS, clockwise in degrees.',
  input: 'coverage',
  data: 'data',
  parameters: {
    targetCRS: text,
    scale: withDefault(number({ from: 0.0001, to: 1 }), 1),
    interpolation: withDefault(interpolation, 'nearest'),
    emisphere: withDefault(flag, false),
  },
} as const satisfies Process;

export const jiffle = {
  name: 'Jiffle',
  result: 'A raster, computed by the script.',
  input: 'coverage',
  data: 'coverage',
  hasSeveralInputs: true,
  parameters: {
    script: required(text),
    destName: withDefault(text, 'dest'),
    sourceName: texts(64),
    outputType: choice(['BYTE', 'USHORT', 'SHORT', 'INT', 'FLOAT', 'DOUBLE']),
    outputBandCount: integer({ from: 1, to: 64 }),
    outputBandNames: text,
  },
} as const satisfies Process;

export const bandSelect = {
  name: 'BandSelect',
  result: 'A raster with some of the bands.',
  input: 'coverage',
  data: 'coverage',
  parameters: {
    SampleDimensions: required(numbers(MAX_LEVELS)),
    VisibleSampleDimension: withoutEffect(bandNumber, 'the symbolizer selects the visible bands'),
  },
} as const satisfies Process;

export const bandMerge = {
  name: 'BandMerge',
  result:
    'A raster with the bands of all, on the grid of the first one, of the last one, or of that with the number `index`.',
  input: 'coverage',
  data: 'coverages',
  hasSeveralInputs: true,
  parameters: {
    roi: geometry,
    transformChoice: withDefault(choice(['FIRST', 'LAST', 'INDEX']), 'FIRST'),
    index: withDefault(bandNumber, 0),
  },
} as const satisfies Process;

export const cropCoverage = {
  name: 'CropCoverage',
  result: 'A part of the raster.',
  input: 'coverage',
  data: 'coverage',
  parameters: { cropShape: geometry },
} as const satisfies Process;

export const scaleCoverage = {
  name: 'ScaleCoverage',
  result: 'The raster in another resolution.',
  input: 'coverage',
  data: 'coverage',
  parameters: {
    xScale: required(number({ from: 0.001, to: 1_000 })),
    yScale: required(number({ from: 0.001, to: 1_000 })),
    xTranslate: withDefault(number({ from: -1e6, to: 1e6 }), 0),
    yTranslate: withDefault(number({ from: -1e6, to: 1e6 }), 0),
    interpolation: withDefault(interpolation, 'nearest'),
  },
} as const satisfies Process;

export const normalizeCoverage = {
  name: 'NormalizeCoverage',
  result: 'The raster with values from 0 to 1.',
  input: 'coverage',
  data: 'data',
  parameters: {},
} as const satisfies Process;

export const dynamicColorMap = {
  name: 'DynamicColorMap',
  result: 'The raster in the colours of a ramp.',
  input: 'coverage',
  data: 'data',
  parameters: { colorRamp: required(text), opacity: withDefault(number({ from: 0, to: 1 }), 1) },
} as const satisfies Process;

export const centroid = {
  name: 'Centroid',
  result: 'Points.',
  input: 'features',
  data: 'features',
  parameters: {},
} as const satisfies Process;

export const groupCandidateSelection = {
  name: 'GroupCandidateSelection',
  result: 'One feature for each group.',
  input: 'features',
  data: 'data',
  parameters: {
    operationAttribute: required(text),
    aggregation: required(choice(['MIN', 'MAX'])),
    groupingAttributes: required(texts(20)),
  },
} as const satisfies Process;

export const clip = {
  name: 'Clip',
  result: 'The parts of features inside a geometry.',
  input: 'features',
  data: 'features',
  parameters: { clip: geometry, preserveZ: withoutEffect(flag, 'maps have no heights') },
} as const satisfies Process;

export const simplify = {
  name: 'Simplify',
  result: 'Features with fewer positions.',
  input: 'features',
  data: 'features',
  parameters: { distance: required(number({ from: 0, to: 1e300 })), preserveTopology: withDefault(flag, false) },
} as const satisfies Process;

export const snap = {
  name: 'Snap',
  result: 'The feature nearest to a point, which is in the CRS `crs` or in that of the layer.',
  input: 'features',
  data: 'features',
  parameters: { point: geometry, crs: text },
} as const satisfies Process;

export const bufferFeatureCollection = {
  name: 'BufferFeatureCollection',
  result: 'Polygons around features.',
  input: 'features',
  data: 'features',
  parameters: { distance: required(number({ from: -1e300, to: 1e300 })), attributeName: text },
} as const satisfies Process;

export const transform = {
  name: 'Transform',
  result: 'Features with computed attributes.',
  input: 'features',
  data: 'features',
  parameters: { transform: required(text) },
} as const satisfies Process;

export const query = {
  name: 'Query',
  result: 'Features that match an ECQL filter.',
  input: 'features',
  data: 'features',
  parameters: { attribute: texts(MAX_LEVELS), filter: text },
} as const satisfies Process;

export const processes: readonly Process[] = [
  ...[heatmap, pointStacker, contour, rasterAsPointCollection, jiffle, barnesSurface, centroid],
  ...[groupCandidateSelection, clip, simplify, snap, bufferFeatureCollection, transform, query],
  ...[polygonExtraction, vectorToRaster, scaleCoverage, bandSelect, bandMerge, normalizeCoverage, dynamicColorMap],
  cropCoverage,
];

/** Finds a process by its name in any case, with or without a prefix such as `vec:` or `gs:`. */
export function findProcess(name: string): Process | undefined {
  const local = name.slice(name.lastIndexOf(':') + 1).toLowerCase();
  return processes.find((each) => each.name.toLowerCase() === local);
}

export function listProcessNames(): readonly string[] {
  return processes.map(({ name }) => name);
}
