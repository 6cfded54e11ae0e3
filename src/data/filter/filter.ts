/** A condition on features. */
import type { Expression } from './expression.ts';
import type { EnvelopeLiteral } from './geometry-literal.ts';

/** A function that decides by itself is compared with the literal `true`, as in the standards. */
export type Filter =
  | Comparison
  | Like
  | IsNull
  | Between
  | LogicalFilter
  | Negation
  | SpatialFilter
  | DistanceFilter
  | BoundingBoxFilter
  | IdentifierFilter;

export interface Comparison {
  readonly kind: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: Expression;
  readonly right: Expression;
  /** Whether upper and lower case differ; true by default, and only written down if false. */
  readonly matchCase?: false | undefined;
}

export type ComparisonOperator = 'equal' | 'notEqual' | 'less' | 'lessOrEqual' | 'greater' | 'greaterOrEqual';

export interface Like {
  readonly kind: 'like';
  readonly value: Expression;
  readonly pattern: string;
  /** Stands for any run of characters, commonly `*` or `%`. */
  readonly wildCard: string;
  /** Stands for any one character, commonly `.`, `_`, `?` or `#`. */
  readonly singleCharacter: string;
  /** Takes the special meaning from the character behind it, commonly `\` or `!`. */
  readonly escape: string;
  /** Whether upper and lower case differ; true by default, and only written down if false. */
  readonly matchCase?: false | undefined;
}

export interface IsNull {
  readonly kind: 'isNull';
  readonly value: Expression;
}

export interface Between {
  readonly kind: 'between';
  readonly value: Expression;
  /** Both bounds belong to the range. */
  readonly lower: Expression;
  readonly upper: Expression;
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

export interface DistanceFilter {
  readonly kind: 'distance';
  readonly operator: 'within' | 'beyond';
  readonly left: Expression;
  readonly right: Expression;
  readonly distance: number;
  /** The unit of the distance as written, such as `metre`; by default that of the coordinates. */
  readonly units?: string | undefined;
}

export interface BoundingBoxFilter {
  readonly kind: 'boundingBox';
  /** The geometry to look at; by default the first of the feature. */
  readonly geometry?: Expression | undefined;
  readonly bounds: EnvelopeLiteral;
}

export interface IdentifierFilter {
  readonly kind: 'identifiers';
  /** At least one. */
  readonly identifiers: readonly string[];
}
