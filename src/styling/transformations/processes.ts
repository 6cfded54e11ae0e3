/** The rendering transformations that styles can use: their input and parameters. */
import {
  box,
  choice,
  flag,
  geometry,
  integer,
  number,
  numbers,
  type ParameterTable,
  required,
  text,
  texts,
  withDefault,
} from './parameters.ts';

export interface Process<P extends ParameterTable = ParameterTable> {
  /** Without its prefix. */
  readonly name: string;
  readonly input: 'features' | 'coverage';
  /** The parameter that has the data of the layer, or calls of other processes. */
  readonly data: string;
  /** Whether the data can be several coverages. */
  readonly hasSeveralInputs?: true;
  readonly parameters: P;
}

/** Features around the map are read up to this distance. */
const MAX_RADIUS_PIXELS = 1_000;

/** The side of a grid that a style requests. */
const MAX_GRID_SIDE = 8_192;

/** Contours, and lists in general: more of them are unreadable on a map. */
const MAX_LEVELS = 1_000;

const MAX_BAND = 65_535;

const anyNumber = number({ from: -1e300, to: 1e300 });
const positive = number({ from: 1e-300, to: 1e300 });
const bandNumber = integer({ from: 0, to: MAX_BAND });
const interpolation = text;

/** The grid that is computed; the map by default. */
const outputGrid = {
  outputBBOX: box,
  outputWidth: integer({ from: 1, to: MAX_GRID_SIDE }),
  outputHeight: integer({ from: 1, to: MAX_GRID_SIDE }),
} as const;

const pixelsPerCell = withDefault(integer({ from: 1, to: 256 }), 1);

export const heatmap = {
  name: 'Heatmap',
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
  input: 'features',
  data: 'features',
  parameters: {
    rasterWidth: integer({ from: 1, to: MAX_GRID_SIDE }),
    rasterHeight: integer({ from: 1, to: MAX_GRID_SIDE }),
    title: text,
    attribute: required(text),
    bounds: box,
  },
} as const satisfies Process;

export const contour = {
  name: 'Contour',
  input: 'coverage',
  data: 'data',
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
  input: 'coverage',
  data: 'data',
  parameters: {
    targetCRS: text,
    scale: withDefault(number({ from: 0.0001, to: 1 }), 1),
    interpolation,
    emisphere: withDefault(flag, false),
  },
} as const satisfies Process;

export const jiffle = {
  name: 'Jiffle',
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
  input: 'coverage',
  data: 'coverage',
  parameters: { SampleDimensions: required(numbers(MAX_LEVELS)), VisibleSampleDimension: bandNumber },
} as const satisfies Process;

export const bandMerge = {
  name: 'BandMerge',
  input: 'coverage',
  data: 'coverages',
  hasSeveralInputs: true,
  parameters: { roi: geometry, transformChoice: text, index: bandNumber },
} as const satisfies Process;

export const cropCoverage = {
  name: 'CropCoverage',
  input: 'coverage',
  data: 'coverage',
  parameters: { cropShape: geometry },
} as const satisfies Process;

export const scaleCoverage = {
  name: 'ScaleCoverage',
  input: 'coverage',
  data: 'coverage',
  parameters: {
    xScale: required(number({ from: 0.001, to: 1_000 })),
    yScale: required(number({ from: 0.001, to: 1_000 })),
    xTranslate: withDefault(number({ from: -1e6, to: 1e6 }), 0),
    yTranslate: withDefault(number({ from: -1e6, to: 1e6 }), 0),
    interpolation,
  },
} as const satisfies Process;

export const normalizeCoverage = {
  name: 'NormalizeCoverage',
  input: 'coverage',
  data: 'data',
  parameters: {},
} as const satisfies Process;

export const dynamicColorMap = {
  name: 'DynamicColorMap',
  input: 'coverage',
  data: 'data',
  parameters: { colorRamp: required(text), opacity: withDefault(number({ from: 0, to: 1 }), 1) },
} as const satisfies Process;

export const centroid = {
  name: 'Centroid',
  input: 'features',
  data: 'features',
  parameters: {},
} as const satisfies Process;

export const groupCandidateSelection = {
  name: 'GroupCandidateSelection',
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
  input: 'features',
  data: 'features',
  parameters: { clip: geometry, preserveZ: flag },
} as const satisfies Process;

export const simplify = {
  name: 'Simplify',
  input: 'features',
  data: 'features',
  parameters: { distance: required(number({ from: 0, to: 1e300 })), preserveTopology: withDefault(flag, false) },
} as const satisfies Process;

export const snap = {
  name: 'Snap',
  input: 'features',
  data: 'features',
  parameters: { point: geometry, crs: text },
} as const satisfies Process;

export const bufferFeatureCollection = {
  name: 'BufferFeatureCollection',
  input: 'features',
  data: 'features',
  parameters: { distance: required(number({ from: -1e300, to: 1e300 })), attributeName: text },
} as const satisfies Process;

export const transform = {
  name: 'Transform',
  input: 'features',
  data: 'features',
  parameters: { transform: required(text) },
} as const satisfies Process;

export const query = {
  name: 'Query',
  input: 'features',
  data: 'features',
  parameters: { attribute: texts(MAX_LEVELS), filter: text },
} as const satisfies Process;

const processes: readonly Process[] = [
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
