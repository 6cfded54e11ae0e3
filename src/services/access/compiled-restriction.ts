/** Data rules as filters and masks over the data of a type. */
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { Geometry } from '../../geometry/geometry.ts';

/** A compiled rule. Filters use native names. */
export interface CompiledRule {
  /** The rows that can be read. */
  readonly filter: ResolvedFilter;
  /** The rows that can be changed, without the area. */
  readonly writeFilter: ResolvedFilter;
  readonly area: CompiledArea | undefined;
  /** The published names of visible and writable attributes. */
  readonly shown: ReadonlySet<string>;
  readonly writable: ReadonlySet<string>;
}

export interface CompiledArea {
  /** Selects the features whose default geometry intersects the area. */
  readonly filter: ResolvedFilter;
  /** Undefined if geometries are whole. */
  readonly clip: ClipAreas | undefined;
}

/** The area in the CRS of each published geometry; null if it has no place there, which hides the geometry. */
export type ClipAreas = ReadonlyMap<string, Geometry | null>;

export interface CompiledRestriction {
  readonly rules: readonly CompiledRule[];
  /** Selects the visible rows. */
  readonly filter: ResolvedFilter;
  /** Undefined if all visible rows show the same attributes, without clipping. */
  readonly mask: RowMask | undefined;
}

/** Values that only some rows show. */
export interface RowMask {
  readonly groups: readonly MaskGroup[];
  /** The published attributes that are hidden or clipped in some rows. */
  readonly attributes: ReadonlySet<string>;
  /** The published geometries that are clipped in some rows. */
  readonly clipped: ReadonlySet<string>;
}

export interface MaskGroup {
  readonly filter: ResolvedFilter;
  readonly shown: ReadonlySet<string>;
  /** Undefined if geometries are whole. */
  readonly clip: ClipAreas | undefined;
}
