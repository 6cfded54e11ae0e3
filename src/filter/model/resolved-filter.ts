/**
 * A filter with known attributes and typed literals: the input of SQL writers and predicates.
 *
 * A condition with a null value is unknown, as in SQL, and so is its negation; only the null test is always known. A
 * row matches if the filter is true. Text is compared by code points, booleans with
 * false first, dates as midnight UTC, times and decimals with all their digits.
 */
import type { Bounds } from '../../crs/bounds.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import type { ArithmeticOperator } from './expression.ts';
import type { ComparisonOperator, Filter, Like, SpatialOperator } from './filter.ts';
import type { GeometryLiteral } from './geometry-literal.ts';

/** Moments are in the format of `exact-moment.ts`, decimals in that of `exact-decimal.ts`. */
export type ScalarType = 'text' | 'number' | 'decimal' | 'boolean' | 'moment';

export type ResolvedFilter =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly ResolvedFilter[] }
  | { readonly kind: 'not'; readonly filter: ResolvedFilter }
  | ResolvedComparison
  | ResolvedMembership
  | ResolvedLike
  | { readonly kind: 'isNull'; readonly value: Scalar | AttributeValue }
  | { readonly kind: 'identifiers'; readonly identifiers: readonly string[] }
  | ResolvedRelation
  | ResolvedDistance
  | ResolvedHeights
  | ComputedCondition;

/** Both sides have the same type, or one is a decimal and the other a number. */
export interface ResolvedComparison {
  readonly kind: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: Scalar;
  readonly right: Scalar;
}

export interface ResolvedMembership {
  readonly kind: 'membership';
  readonly value: Scalar;
  /** At least one value, all of the type of the left side. */
  readonly list: readonly ScalarConstant[];
}

export interface ResolvedLike extends Omit<Like, 'value'> {
  readonly attribute: AttributeValue;
}

/** The intersection matrix matches, or the named relation holds. */
export interface ResolvedRelation {
  readonly kind: 'relation';
  readonly relation: SpatialOperator | { readonly pattern: string };
  /** An attribute if either operand is one. */
  readonly left: GeometryOperand;
  readonly right: GeometryOperand;
  /** Whether bounding boxes decide, for callers that inspect the features anyway; implies `intersects`. */
  readonly byBoxes?: true;
}

export interface ResolvedDistance {
  readonly kind: 'distance';
  readonly operator: 'within' | 'beyond';
  readonly left: GeometryOperand;
  readonly right: GeometryOperand;
  /** In units of the coordinates. */
  readonly distance: number;
}

/** Matches geometries whose heights overlap a range, and geometries without heights. */
export interface ResolvedHeights {
  readonly kind: 'heights';
  readonly geometry: AttributeValue;
  readonly lowest: number;
  readonly highest: number;
}

/** A condition with functions, concatenated texts or ignored case: evaluated as in styles, in memory only. */
export interface ComputedCondition {
  readonly kind: 'computed';
  readonly filter: Filter;
  /** The attributes that it uses, with their names in the condition. */
  readonly attributes: readonly { readonly written: string; readonly attribute: AttributeValue }[];
}

export type Scalar = ScalarConstant | AttributeValue | ScalarArithmetic;

export interface ScalarConstant {
  readonly kind: 'constant';
  readonly type: ScalarType;
  readonly value: string | number | bigint | boolean;
}

export interface AttributeValue {
  readonly kind: 'attribute';
  readonly type: ScalarType | 'geometry' | 'bytes';
  readonly name: string;
}

/** Arithmetic on doubles; a result that is not finite is null. */
export interface ScalarArithmetic {
  readonly kind: 'arithmetic';
  readonly type: 'number';
  readonly operator: ArithmeticOperator;
  readonly left: Scalar;
  readonly right: Scalar;
}

export type GeometryOperand =
  | AttributeValue
  | {
      readonly kind: 'geometry';
      readonly geometry: Geometry;
      /** The literal as written, for error messages. */
      readonly literal: GeometryLiteral;
      readonly bounds: Bounds;
      /** Whether the geometry equals its bounds. */
      readonly isBox: boolean;
    };
