/** The condition tree that ECQL, CQL2, Filter Encoding, SLD and CSS are parsed into. */
import type { Expression, PropertyName } from './expression.ts';
import type { EnvelopeLiteral } from './geometry-literal.ts';

/** A boolean function is compared with the literal `true`, as in the standards. */
export type Filter =
  | Comparison
  | Like
  | IsNull
  | Between
  | Membership
  | LogicalFilter
  | Negation
  | TemporalFilter
  | ExistenceFilter
  | SpatialFilter
  | RelationFilter
  | DistanceFilter
  | BoundingBoxFilter
  | IdentifierFilter;

/** Matches all features or none. It is never part of another filter. */
export type Constant = { readonly kind: 'include' } | { readonly kind: 'exclude' };

export interface Comparison {
  readonly kind: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: Expression;
  readonly right: Expression;
  /** Defaults to true and is present only if false. */
  readonly matchCase?: false | undefined;
}

export type ComparisonOperator = 'equal' | 'notEqual' | 'less' | 'lessOrEqual' | 'greater' | 'greaterOrEqual';

export interface Like {
  readonly kind: 'like';
  readonly value: Expression;
  readonly pattern: string;
  /** Matches any sequence of characters, commonly `*` or `%`. */
  readonly wildCard: string;
  /** Matches any single character, commonly `.`, `_`, `?` or `#`. */
  readonly singleCharacter: string;
  /** Escapes the following character, commonly `\` or `!`. */
  readonly escape: string;
  /** Defaults to true and is present only if false. */
  readonly matchCase?: false | undefined;
}

export interface IsNull {
  readonly kind: 'isNull';
  readonly value: Expression;
}

export interface Between {
  readonly kind: 'between';
  readonly value: Expression;
  /** Both bounds are inclusive. */
  readonly lower: Expression;
  readonly upper: Expression;
}

/** The value equals one of the list. */
export interface Membership {
  readonly kind: 'membership';
  readonly value: Expression;
  /** At least one. */
  readonly list: readonly Expression[];
}

export interface LogicalFilter {
  readonly kind: 'and' | 'or';
  /** At least two. */
  readonly filters: readonly Filter[];
}

export interface Negation {
  readonly kind: 'not';
  readonly filter: Filter;
}

/** Compares two moments or periods; temporal.ts defines the operators. */
export interface TemporalFilter {
  readonly kind: 'temporal';
  readonly operator: TemporalOperator;
  readonly value: Expression | Period;
  readonly time: Expression | Period;
}

export type TemporalOperator =
  | 'before'
  | 'after'
  | 'during'
  | 'tequals'
  | 'beforeOrDuring'
  | 'duringOrAfter'
  | 'intersects'
  | 'disjoint'
  | 'contains'
  | 'starts'
  | 'startedBy'
  | 'finishes'
  | 'finishedBy'
  | 'meets'
  | 'metBy'
  | 'overlaps'
  | 'overlappedBy';

export interface Period {
  readonly kind: 'period';
  /**
   * Both as written: a moment such as `2008-11-01T00:00:00Z`, `..` for an open end, or an attribute that contains a
   * moment. One of the two can be a duration such as `P1D` if the other is a moment.
   */
  readonly start: string | PropertyName;
  readonly end: string | PropertyName;
}

/** Whether an attribute of that name exists, regardless of its value. */
export interface ExistenceFilter {
  readonly kind: 'exists';
  readonly property: PropertyName;
}

export interface SpatialFilter {
  readonly kind: 'spatial';
  readonly operator: SpatialOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export type SpatialOperator =
  | 'equals'
  | 'disjoint'
  | 'touches'
  | 'within'
  | 'overlaps'
  | 'crosses'
  | 'intersects'
  | 'contains';

/** The intersection matrix matches a pattern of nine characters, each `T`, `F`, `*`, `0`, `1` or `2`. */
export interface RelationFilter {
  readonly kind: 'relate';
  readonly left: Expression;
  readonly right: Expression;
  readonly pattern: string;
}

export interface DistanceFilter {
  readonly kind: 'distance';
  readonly operator: 'within' | 'beyond';
  readonly left: Expression;
  readonly right: Expression;
  readonly distance: number;
  /** The unit of the distance as written, such as `metre`; defaults to the unit of the coordinates. */
  readonly units?: string | undefined;
}

export interface BoundingBoxFilter {
  readonly kind: 'boundingBox';
  /** The geometry to test; defaults to the default geometry, or the first of several. */
  readonly geometry?: Expression | undefined;
  readonly bounds: EnvelopeLiteral;
}

export interface IdentifierFilter {
  readonly kind: 'identifiers';
  /** At least one. */
  readonly identifiers: readonly string[];
}

/** Whether a comparison holds if the first value is less than (negative), equal to (0) or greater than the second. */
/** The operators of the negated comparisons. */
export const oppositeOperators: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  equal: 'notEqual',
  notEqual: 'equal',
  less: 'greaterOrEqual',
  lessOrEqual: 'greater',
  greater: 'lessOrEqual',
  greaterOrEqual: 'less',
};

export function isTrueForOrder(operator: ComparisonOperator, order: number): boolean {
  switch (operator) {
    case 'equal':
      return order === 0;
    case 'notEqual':
      return order !== 0;
    case 'less':
      return order < 0;
    case 'lessOrEqual':
      return order <= 0;
    case 'greater':
      return order > 0;
    case 'greaterOrEqual':
      return order >= 0;
  }
}
