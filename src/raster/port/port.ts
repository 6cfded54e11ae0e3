/** What a raster driver offers: its coverages, their description, and windows of their samples. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { Samples, SampleType } from './samples.ts';

/** x = originX + column * columnX + row * rowX, and likewise y; the origin is the outer corner of the first pixel. */
export interface GridTransform {
  readonly originX: number;
  readonly columnX: number;
  readonly rowX: number;
  readonly originY: number;
  readonly columnY: number;
  readonly rowY: number;
}

export interface Grid {
  readonly width: number;
  readonly height: number;
  /** Undefined when the data does not say where on the Earth it is. */
  readonly transform?: GridTransform;
  /** In the CRS of the grid; there whenever there is a transform. */
  readonly bounds?: Bounds;
  readonly crs: CrsReference;
}

export const colorInterpretations = [
  'undefined',
  'gray',
  'palette',
  'red',
  'green',
  'blue',
  'alpha',
  'cyan',
  'magenta',
  'yellow',
  'black',
] as const;

export type ColorInterpretation = (typeof colorInterpretations)[number];

export interface Band {
  /** As the data calls it, else `Band1` and so on. */
  readonly name: string;
  /** Of the samples as they are stored. */
  readonly type: SampleType;
  readonly colorInterpretation: ColorInterpretation;
  readonly unit?: string;
  /** The stored value that stands for no data; a bigint for 64-bit integers. */
  readonly noData?: number | bigint;
  /** Where the data says so; nothing is computed. In stored values. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** What is meant is `stored * scale + offset`. */
  readonly scale?: number;
  readonly offset?: number;
  /** Red, green, blue and alpha, a byte each, of each value. */
  readonly palette?: Uint8Array;
}

/** An axis beside x and y; the place in `values` is what a slice is asked for by. */
export interface CoverageDimension {
  readonly name: string;
  readonly kind: 'time' | 'elevation' | 'custom';
  /** Moments in ISO 8601, in UTC, with milliseconds; numbers and texts as they are. */
  readonly values: readonly (string | number)[];
  readonly unit?: string;
  /** Of elevations, where the data says so. */
  readonly positive?: 'up' | 'down';
}

export interface CoverageSummary {
  readonly name: string;
}

export interface CoverageDescription {
  readonly name: string;
  /** What the data says about itself in words. */
  readonly title?: string;
  /** When the data says that it was made, in ISO 8601; files say no zone, and UTC is taken. */
  readonly madeAt?: string;
  readonly grid: Grid;
  readonly bands: readonly Band[];
  /** Reduced pictures, the largest first. */
  readonly overviews: readonly RasterSize[];
  /** In the order of the data. */
  readonly dimensions: readonly CoverageDimension[];
  /** Whether a picture of its own says where there is data. */
  readonly hasMask: boolean;
}

export interface RasterSize {
  readonly width: number;
  readonly height: number;
}

export interface WindowRequest {
  /** In pixels of the grid; all of it if absent. It must lie within the grid. */
  readonly window?: RasterSize & { readonly column: number; readonly row: number };
  /** The size of the answer; that of the window if absent. The nearest samples are taken, of an overview where one fits. */
  readonly size?: RasterSize;
  /** Bands by their place, counted from 0; all if absent. */
  readonly bands?: readonly number[];
  /** For each dimension the place of a value, 0 if absent. */
  readonly slice?: Readonly<Record<string, number>>;
  /** `scaled` applies scale and offset, which gives floating-point numbers; `stored` if absent. */
  readonly values?: 'stored' | 'scaled';
}

export interface RasterWindow extends RasterSize {
  /** One for each band asked for, in that order. */
  readonly bands: readonly BandWindow[];
}

export interface BandWindow {
  /** Row by row, the first row first. */
  readonly samples: Samples;
  /** 255 where there is data and 0 where there is none; undefined when there is data everywhere. */
  readonly mask?: Uint8Array;
}

export interface RasterSource {
  /** All the coverages there are, in the order of the data. */
  listCoverages(signal: AbortSignal): Promise<readonly CoverageSummary[]>;
  /** One coverage, from headers alone: no sample is read. Undefined when there is none of that name. */
  describe(name: string, signal: AbortSignal): Promise<CoverageDescription | undefined>;
  read(name: string, request: WindowRequest, signal: AbortSignal): Promise<RasterWindow>;
  /** Lets go of files. */
  close(): Promise<void>;
}
