/** The interface of a raster source: its coverages, their descriptions, and windows of their samples. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { DataAttribution } from '../../lib/tile-archive/data-attribution.ts';
import type { ZoomRange } from '../../lib/tile-archive/zoom-range.ts';
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
  /** Undefined if the data is not georeferenced. */
  readonly transform?: GridTransform;
  /** In the CRS of the grid; present if there is a transform. */
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
  /** The name in the data, or else `Band1` and so on. */
  readonly name: string;
  /** The type of stored samples. */
  readonly type: SampleType;
  readonly colorInterpretation: ColorInterpretation;
  readonly unit?: string;
  /** The stored value that means no data; a bigint for 64-bit integers. */
  readonly noData?: number | bigint;
  /** As declared in the data, in stored values; nothing is computed. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** The actual value is `stored * scale + offset`. */
  readonly scale?: number;
  readonly offset?: number;
  /** Red, green, blue and alpha of each value, one byte each. */
  readonly palette?: Uint8Array;
}

/** An axis besides x and y; slices refer to an index in `values`. */
export interface CoverageDimension {
  readonly name: string;
  readonly kind: 'time' | 'elevation' | 'custom';
  /** Timestamps in ISO 8601, in UTC, with milliseconds; numbers and texts unchanged. */
  readonly values: readonly (string | number)[];
  readonly unit?: string;
  /** The direction of elevations, if the data declares it. */
  readonly positive?: 'up' | 'down';
}

export interface CoverageSummary {
  readonly name: string;
}

export interface CoverageDescription {
  readonly name: string;
  /** The title in the data. */
  readonly title?: string;
  /** The description in the data. */
  readonly description?: string;
  /** The sources of the data that maps must name, as the data states them. */
  readonly attribution?: DataAttribution;
  /** The creation time in the data, in ISO 8601; files declare no zone, and UTC is assumed. */
  readonly madeAt?: string;
  readonly grid: Grid;
  readonly bands: readonly Band[];
  /** The zooms of its tiles; undefined unless the data is a tile archive. */
  readonly tileZooms?: ZoomRange;
  /** Overviews, the largest first. */
  readonly overviews: readonly RasterSize[];
  /** In the order of the data. */
  readonly dimensions: readonly CoverageDimension[];
  /** Whether a separate mask marks pixels with data. */
  readonly hasMask: boolean;
}

export interface RasterSize {
  readonly width: number;
  readonly height: number;
}

/** Each pixel of the response has one of the columns and one of the rows, in pixels of the grid with fractions. */
export interface GridPositions {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
  /** The number of samples of the grid per sample of the response; an overview is used if one fits. */
  readonly reduction: number;
}

export interface WindowRequest {
  /** In pixels of the grid; the whole grid if absent. It must be within the grid. */
  readonly window?: RasterSize & { readonly column: number; readonly row: number };
  /** The size of the response; that of the window if absent. Uses the nearest samples, from an overview if one fits. */
  readonly size?: RasterSize;
  /** Reads the samples at these positions, instead of a window and a size. */
  readonly positions?: GridPositions;
  /** Band indexes from 0; all if absent. */
  readonly bands?: readonly number[];
  /** The index of a value for each dimension, 0 if absent. */
  readonly slice?: Readonly<Record<string, number>>;
  /** `scaled` applies scale and offset, which results in floating-point numbers; `stored` if absent. */
  readonly values?: 'stored' | 'scaled';
}

export interface RasterWindow extends RasterSize {
  /** One for each requested band, in that order. */
  readonly bands: readonly BandWindow[];
}

export interface BandWindow {
  /** Row by row, from the first row. */
  readonly samples: Samples;
  /** 255 for data and 0 for no data; undefined if all pixels have data. */
  readonly mask?: Uint8Array;
}

export interface RasterSource {
  /** Lists all coverages in the order of the data. */
  listCoverages(signal: AbortSignal): Promise<readonly CoverageSummary[]>;
  /** Describes one coverage from headers only. Returns undefined for an unknown name. */
  describe(name: string, signal: AbortSignal): Promise<CoverageDescription | undefined>;
  read(name: string, request: WindowRequest, signal: AbortSignal): Promise<RasterWindow>;
  /** Closes files. */
  close(): Promise<void>;
}
