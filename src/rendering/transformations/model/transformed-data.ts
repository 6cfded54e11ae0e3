/** The data that transformations read and compute: features or a coverage, as typed arrays that threads can transfer. */
import type { Bounds } from '../../../crs/bounds.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import type { Band } from '../../../raster/port/port.ts';
import type { Samples } from '../../../raster/port/samples.ts';
import type { FeatureBatch } from '../../../vector/port/packed-features.ts';
import type { Attribute, FeatureTypeDescription } from '../../../vector/port/port.ts';
import type { DrawnBand } from '../../request/map-request.ts';

export type TransformedData = FeatureData | CoverageData;

export interface FeatureData {
  readonly kind: 'features';
  readonly description: FeatureTypeDescription;
  /** The attributes of the columns of each batch; the default geometry is the only one. */
  readonly columns: readonly string[];
  readonly batches: readonly FeatureBatch[];
}

/** Samples on an axis-aligned grid whose first row is in the north. */
export interface CoverageData {
  readonly kind: 'coverage';
  readonly width: number;
  readonly height: number;
  readonly bounds: Bounds;
  readonly crs: CrsReference;
  readonly bands: readonly CoverageBand[];
  /** Whether values between the cells are interpolated. */
  readonly isSmooth?: boolean;
}

export interface CoverageBand {
  readonly band: Band & { readonly publishedName?: string };
  readonly samples: Samples;
  /** 0 for cells without data; undefined if all have data. */
  readonly mask?: Uint8Array | undefined;
}

/** What is known about data before it is read. */
export type DataDescription =
  | { readonly kind: 'features'; readonly description: FeatureTypeDescription }
  | { readonly kind: 'coverage'; readonly bands: readonly DrawnBand[] };

/** The map that the data is computed for. */
export interface TransformedMap {
  /** The visible area in the CRS of the map, not rotated, and its size in pixels. */
  readonly box: Bounds;
  readonly width: number;
  readonly height: number;
  readonly crs: CrsReference;
  /** The CRS of the layer. */
  readonly dataCrs: CrsReference;
  /** The offsets of features to the right, in map units, one for each visible copy of the Earth. */
  readonly shifts: readonly number[];
  /** The length of a unit of the layer in units of the map, at the equator. */
  readonly mapUnitsPerDataUnit: number;
  /** Whether the map is a block of tiles that adjacent blocks of the same size continue. */
  readonly isTiled: boolean;
}

export function createNumberAttribute(name: string, type: 'double' | 'integer' = 'double'): Attribute {
  return { kind: 'value', name, type, nillable: true };
}

export function createFloatBand(name: string): Band {
  return { name, type: 'float32', colorInterpretation: 'gray' };
}

/** Creates the description of points, lines or polygons with values. */
export function createDescription(
  geometry: Pick<Extract<Attribute, { readonly kind: 'geometry' }>, 'name' | 'type' | 'crs'>,
  attributes: readonly Attribute[],
): FeatureTypeDescription {
  return {
    name: 'transformed',
    attributes: [{ kind: 'geometry', nillable: true, dimension: 'XY', ...geometry }, ...attributes],
    defaultGeometry: geometry.name,
  };
}

/** Packed values have no dates: they are texts. */
export function describePackedValues(description: FeatureTypeDescription): FeatureTypeDescription {
  const { bounds: _, count: __, complex: ___, ...rest } = description;
  return {
    ...rest,
    attributes: description.attributes.flatMap((each): readonly Attribute[] => {
      if (each.kind === 'geometry')
        return each.name === description.defaultGeometry ? [{ ...each, dimension: 'XY' as const }] : [];
      const isText = ['date', 'time', 'timestamp', 'bytes', 'uuid'].includes(each.type);
      return each.type === 'bytes' ? [] : [{ ...each, type: isText ? 'string' : each.type }];
    }),
  };
}

export function findGeometryAttribute({
  attributes,
  defaultGeometry,
}: FeatureTypeDescription): Extract<Attribute, { readonly kind: 'geometry' }> | undefined {
  const found = attributes.find(({ name }) => name === defaultGeometry);
  return found?.kind === 'geometry' ? found : undefined;
}

export function listValueNames({ attributes }: FeatureTypeDescription): readonly string[] {
  return attributes.flatMap(({ kind, name }) => (kind === 'value' ? [name] : []));
}
