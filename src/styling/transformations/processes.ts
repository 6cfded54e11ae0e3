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

const processes: readonly Process[] = [heatmap, pointStacker, contour];

/** Finds a process by its name in any case, with or without a prefix such as `vec:` or `gs:`. */
export function findProcess(name: string): Process | undefined {
  const local = name.slice(name.lastIndexOf(':') + 1).toLowerCase();
  return processes.find((each) => each.name.toLowerCase() === local);
}

export function listProcessNames(): readonly string[] {
  return processes.map(({ name }) => name);
}
