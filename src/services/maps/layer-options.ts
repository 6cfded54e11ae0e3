/** What of a layer a client wants to see: by filters, ids and dimensions, in an order, out of a query with parameters. */
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
  /** What a virtual table asks for, by name. */
  readonly viewParameters: ReadonlyMap<string, string>;
  /** By names in lower case: `time`, `elevation`, or that of another dimension. */
  readonly dimensions: ReadonlyMap<string, string>;
  /** No more features than this; undefined for all. */
  readonly maxFeatures?: number | undefined;
  /** So many features are left out first. */
  readonly startIndex?: number | undefined;
  /** How a coverage is read between its samples; undefined for what the layer says. */
  readonly interpolation?: Interpolation | undefined;
}

/** How dimensions are read: what is meant by now, and what is refused. */
export type DimensionSettings = Omit<DimensionRequest, 'asked' | 'layer'>;

/** More values of a dimension than this are nobody's map. */
const MAX_DIMENSION_VALUES = 100;

/** Where no settings say otherwise: where nothing is of the time that is asked for, nothing is shown. */
export function createDefaultDimensionSettings(now: Date): DimensionSettings {
  return { maxValues: MAX_DIMENSION_VALUES, now, refusesUnmatched: false };
}

/** A layer with its wishes; a client may narrow it further. */
export function createLayerToDraw(
  layer: MapLayer,
  style: LayerToDraw['style'],
  wishes: LayerOptions,
  terms: DimensionSettings,
  further: (opened: OpenedType) => Promise<readonly ResolvedFilter[]> = async () => [],
): LayerToDraw {
  const { sortBy, viewParameters, maxFeatures, startIndex, dimensions } = wishes;
  const interpolation = wishes.interpolation ?? findLayerInterpolation(layer);
  return {
    layer,
    style,
    narrow: async (opened) =>
      joinFilters([await resolveLayerFilter(opened, wishes, terms), ...(await further(opened))]),
    ...(sortBy.length === 0 ? {} : { sort: (opened: OpenedType) => toSortKeys(opened, sortBy) }),
    ...(maxFeatures === undefined ? {} : { limit: maxFeatures }),
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

/** As the layer says; undefined where it does not. */
export function findLayerInterpolation({ layer }: MapLayer): Interpolation | undefined {
  const { defaultWMSInterpolationMethod: own } = layer;
  return own === undefined ? undefined : findInterpolation(own);
}

/** Undefined where all features are wanted: what is selected, of the times and heights that are asked for or are the usual ones. */
export async function resolveLayerFilter(
  opened: OpenedType,
  { selection, dimensions }: Pick<LayerOptions, 'selection' | 'dimensions'>,
  terms: DimensionSettings,
): Promise<ResolvedFilter | undefined> {
  return joinFilters([
    // Geometries that name no system are in that of the layer, x before y, whatever the version.
    await resolveSelection(selection, opened, getUnnamedGeometries(opened)),
    await resolveDimensionFilter(opened, { ...terms, asked: dimensions, layer: opened.published.qualifiedName }),
  ]);
}

function joinFilters(filters: readonly (ResolvedFilter | undefined)[]): ResolvedFilter | undefined {
  const given = filters.filter((each) => each !== undefined);
  return given.length > 1 ? joinResolvedFilters('and', given) : given[0];
}

/** The system of geometries that name none. */
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
