/** The client options for a layer: filter, ids, dimensions, sort order and view parameters. */
import { joinResolvedFilters } from '../../filter/model/join-resolved-filters.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { findInterpolation, type Interpolation } from '../../raster/warp/interpolate.ts';
import type { OpenedCoverage } from '../access/open-coverage.ts';
import type { OpenedType } from '../access/open-type.ts';
import type { MapLayer } from '../access/published-map.ts';
import { getPublishedAttribute } from '../ows/property-names.ts';
import { resolveSelection } from '../ows/resolve-selection.ts';
import type { Selection, SortKey } from '../ows/selection.ts';
import { resolveDimensionFilter } from './dimensions/dimension-filter.ts';
import { selectCoverageDimensions } from './dimensions/select-coverage-dimensions.ts';
import type { DimensionRequest } from './dimensions/select-ranges.ts';
import type { LayerToDraw } from './open-layers.ts';

export interface LayerOptions {
  readonly selection: Selection;
  readonly sortBy: readonly SortKey[];
  /** The parameters of a virtual table by name. */
  readonly viewParameters: ReadonlyMap<string, string>;
  /** By lower-case name: `time`, `elevation` or a custom dimension. */
  readonly dimensions: ReadonlyMap<string, string>;
  /** The maximum number of features; undefined for no limit. */
  readonly maxFeatures?: number | undefined;
  /** The attributes of vector tiles; undefined for all. */
  readonly properties?: readonly string[] | undefined;
  /** The number of features to skip. */
  readonly startIndex?: number | undefined;
  /** The interpolation of a coverage; undefined for that of the layer. */
  readonly interpolation?: Interpolation | undefined;
}

/** How dimensions are interpreted: the current time, and the handling of missing values. */
export type DimensionSettings = Omit<DimensionRequest, 'asked' | 'layer'>;

/** The maximum number of dimension values in a request. */
const MAX_DIMENSION_VALUES = 100;

/** Without a setting, a map without matching values is empty instead of an error. */
export function createDefaultDimensionSettings(now: Date): DimensionSettings {
  return { maxValues: MAX_DIMENSION_VALUES, now, refusesUnmatched: false };
}

/** Adds the client options to a layer; a client can only restrict it further. */
export function createLayerToDraw(
  { layer, style }: Pick<LayerToDraw, 'layer' | 'style'>,
  wishes: LayerOptions,
  terms: DimensionSettings,
  further: (opened: OpenedType) => Promise<readonly ResolvedFilter[]> = async () => [],
): LayerToDraw {
  const { sortBy, viewParameters, maxFeatures, properties, startIndex, dimensions } = wishes;
  const interpolation = wishes.interpolation ?? findLayerInterpolation(layer);
  return {
    layer,
    style,
    narrow: async (opened) =>
      joinFilters([await resolveLayerFilter(opened, wishes, terms), ...(await further(opened))]),
    ...(sortBy.length === 0 ? {} : { sort: (opened: OpenedType) => toSortKeys(opened, sortBy) }),
    ...(maxFeatures === undefined ? {} : { limit: maxFeatures }),
    ...(properties === undefined ? {} : { properties }),
    ...(startIndex === undefined ? {} : { offset: startIndex }),
    ...(viewParameters.size === 0 ? {} : { viewParameters }),
    ...(layer.type === undefined
      ? {
          interpolation,
          dimensions: (opened: OpenedCoverage) =>
            selectCoverageDimensions(opened, { ...terms, asked: dimensions, layer: layer.qualifiedName }),
        }
      : {}),
  };
}

/** The interpolation of the layer; undefined if not configured. */
export function findLayerInterpolation({ layer }: MapLayer): Interpolation | undefined {
  const { defaultWMSInterpolationMethod: own } = layer;
  return own === undefined ? undefined : findInterpolation(own);
}

/**
 * Returns undefined if all features are drawn. Otherwise combines the client filter with the requested or default
 * dimensions.
 */
export async function resolveLayerFilter(
  opened: OpenedType,
  { selection, dimensions }: Pick<LayerOptions, 'selection' | 'dimensions'>,
  terms: DimensionSettings,
): Promise<ResolvedFilter | undefined> {
  return joinFilters([
    // Geometries without a CRS are in the CRS of the layer, with x before y in all versions.
    await resolveSelection(selection, opened, getUnnamedGeometries(opened)),
    await resolveDimensionFilter(opened, { ...terms, asked: dimensions, layer: opened.published.qualifiedName }),
  ]);
}

function joinFilters(filters: readonly (ResolvedFilter | undefined)[]): ResolvedFilter | undefined {
  const given = filters.filter((each) => each !== undefined);
  return given.length > 1 ? joinResolvedFilters('and', given) : given[0];
}

/** The CRS of geometries without one. */
export function getUnnamedGeometries({ published }: OpenedType): { readonly srsName?: string } {
  const { code } = published.crs;
  return code === undefined ? {} : { srsName: code };
}

function toSortKeys({ published }: OpenedType, sortBy: readonly SortKey[]) {
  return sortBy.map(({ property, descending }) => ({
    attribute: getPublishedAttribute(published, property, 'sortBy').name,
    isDescending: descending,
  }));
}
