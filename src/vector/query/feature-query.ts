/** What can be asked of a feature type, whatever its source can do by itself. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { FeatureTypeDescription, SortKey, VectorSource } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';

/** A type of a source, or a view that stands for one. */
export interface QueriedType {
  readonly source: VectorSource;
  /** As the source has it; the systems of its geometries may be others, if somebody says that they are. */
  readonly description: FeatureTypeDescription;
  readonly view?: SqlView;
  /** Where filters are evaluated that the source leaves to others; on this thread where it is absent. */
  readonly filterRunner?: FilterRunner;
}

export interface FeatureQuery {
  readonly filter?: ResolvedFilter;
  /** Only features whose default geometry meets it, in the system of that; across the antimeridian where minX is greater than maxX. */
  readonly box?: Bounds;
  readonly sort?: readonly SortKey[];
  /** So many are passed over; not together with the key of a page. */
  readonly offset?: number;
  /** The keys of an answer: the page behind it, or before it, which needs a limit. */
  readonly after?: string;
  readonly before?: string;
  readonly limit?: number;
  /** By name, in any order: features have them in the order of the description. By default all. */
  readonly attributes?: readonly string[];
  /** By default that of each geometry. Longitude, easting or x comes first in all of them. */
  readonly crs?: CrsReference;
  /** Whether the number of all that fit is wanted, if it comes with the features. */
  readonly isCounted?: true;
  /** How far lines may be moved to have fewer positions, in units of the system of the answer. */
  readonly tolerance?: number;
}
