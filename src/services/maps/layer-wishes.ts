/** What of a layer a client wants to see: by filters, ids and dimensions, in an order, out of a query with parameters. */
import { joinResolvedFilters } from '../../data/filter/joined.ts';
import type { ResolvedFilter } from '../../data/filter/resolved-filter.ts';
import { type Interpolation, findInterpolation } from '../../data/raster/warp/interpolate.ts';
import type { OpenedCoverage } from '../door/open-coverage.ts';
import type { OpenedType } from '../door/open-type.ts';
import type { MapLayer } from '../door/published-map.ts';
import { resolvedSelection } from '../ows/resolve-selection.ts';
import type { Selection, SortKey } from '../ows/selection.ts';
import { propertyNamed } from '../wfs/property-names.ts';
import type { DimensionWishes } from './dimensions/chosen-values.ts';
import { coverageWishes } from './dimensions/coverage-wishes.ts';
import { dimensionFilter } from './dimensions/dimension-filter.ts';
import type { LayerToDraw } from './open-layers.ts';

export interface LayerWishes {
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
export type DimensionTerms = Omit<DimensionWishes, 'asked' | 'layer'>;

/** More values of a dimension than this are nobody's map. */
const MAX_DIMENSION_VALUES = 100;

/** Where no settings say otherwise: where nothing is of the time that is asked for, nothing is shown. */
export function usualTerms(now: Date): DimensionTerms {
  return { maxValues: MAX_DIMENSION_VALUES, now, refusesUnmatched: false };
}

/** A layer with its wishes; a client may narrow it further. */
export function wishedLayer(
  layer: MapLayer,
  style: LayerToDraw['style'],
  wishes: LayerWishes,
  terms: DimensionTerms,
  further: (opened: OpenedType) => Promise<readonly ResolvedFilter[]> = async () => [],
): LayerToDraw {
  const { sortBy, viewParameters, maxFeatures, startIndex, dimensions } = wishes;
  const interpolation = wishes.interpolation ?? interpolationOf(layer);
  return {
    layer,
    style,
    narrow: async (opened) => allOf([await wishedFilter(opened, wishes, terms), ...(await further(opened))]),
    ...(sortBy.length === 0 ? {} : { sort: (opened: OpenedType) => sortKeys(opened, sortBy) }),
    ...(maxFeatures === undefined ? {} : { limit: maxFeatures }),
    ...(startIndex === undefined ? {} : { offset: startIndex }),
    ...(viewParameters.size === 0 ? {} : { viewParameters }),
    ...(layer.type === undefined
      ? {
          interpolation,
          dimensions: (opened: OpenedCoverage) =>
            coverageWishes(opened, { ...terms, asked: dimensions, layer: layer.qualifiedName }),
        }
      : {}),
  };
}

/** As the layer says; undefined where it does not. */
export function interpolationOf({ layer }: MapLayer): Interpolation | undefined {
  const { defaultWMSInterpolationMethod: own } = layer;
  return own === undefined ? undefined : findInterpolation(own);
}

/** Undefined where all features are wanted: what is selected, of the times and heights that are asked for or are the usual ones. */
export async function wishedFilter(
  opened: OpenedType,
  { selection, dimensions }: Pick<LayerWishes, 'selection' | 'dimensions'>,
  terms: DimensionTerms,
): Promise<ResolvedFilter | undefined> {
  return allOf([
    // Geometries that name no system are in that of the layer, x before y, whatever the version.
    await resolvedSelection(selection, opened, unnamedIn(opened)),
    await dimensionFilter(opened, { ...terms, asked: dimensions, layer: opened.published.qualifiedName }),
  ]);
}

function allOf(filters: readonly (ResolvedFilter | undefined)[]): ResolvedFilter | undefined {
  const given = filters.filter((each) => each !== undefined);
  return given.length > 1 ? joinResolvedFilters('and', given) : given[0];
}

/** The system of geometries that name none. */
export function unnamedIn({ published }: OpenedType): { readonly srsName?: string } {
  const { code } = published.crs;
  return code === undefined ? {} : { srsName: code };
}

function sortKeys({ published }: OpenedType, sortBy: readonly SortKey[]) {
  return sortBy.map(({ property, descending }) => ({
    attribute: propertyNamed(published, property, 'sortBy').name,
    isDescending: descending,
  }));
}
