/** The queries on a feature type, independent of the capabilities of its source. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { FeatureTypeDescription, SortKey, VectorSource } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';

/** A type of a source, or an SQL view. */
export interface QueriedType {
  readonly source: VectorSource;
  /** The description by the source; the CRSs of its geometries can be overridden. */
  readonly description: FeatureTypeDescription;
  readonly view?: SqlView;
  /** Evaluates filters that the source does not support; defaults to this thread. */
  readonly filterRunner?: FilterRunner;
}

export interface FeatureQuery {
  readonly filter?: ResolvedFilter;
  /**
   * Selects features whose default geometry intersects the box, in its CRS; the box crosses the antimeridian if minX
   * is greater than maxX.
   */
  readonly box?: Bounds;
  readonly sort?: readonly SortKey[];
  /** The number of features to skip; not allowed with a page key. */
  readonly offset?: number;
  /** A page key of a response: the page after or before it, which requires a limit. */
  readonly after?: string;
  readonly before?: string;
  readonly limit?: number;
  /** Names in any order; features keep the order of the description. Defaults to all. */
  readonly attributes?: readonly string[];
  /** Defaults to the CRS of each geometry. The first axis is always longitude, easting or x. */
  readonly crs?: CrsReference;
  /** Whether the total number of matches is requested, if it comes with the features. */
  readonly isCounted?: true;
  /** The side of a pixel of a map in units of the default geometry's CRS, for sources with levels of detail. */
  readonly resolution?: number;
  /** The simplification tolerance in units of the CRS of the response. */
  readonly tolerance?: number;
}
