/**
 * A filter whose attributes are known and whose literals have types: what SQL is written from and predicates are made of.
 *
 * Every condition is true or false, never unknown: with a value that is null it is false, and so its negation is true.
 * Not equal is the negation of equal, and true with null therefore. Text is compared by code points, booleans with false
 * first, dates as their midnight in UTC, times and decimals with all their digits.
 */
import type { Bounds } from '../../crs/bounds.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import type { ArithmeticOperator } from './expression.ts';
import type { ComparisonOperator, Filter, Like, SpatialOperator } from './filter.ts';
import type { GeometryLiteral } from './geometry-literal.ts';

/** Moments are as in `exact-moment.ts`, decimals as in `exact-decimal.ts`. */
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

/** Both sides are of the same type, or one is a decimal and the other a number. */
export interface ResolvedComparison {
  readonly kind: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: Scalar;
  readonly right: Scalar;
}

export interface ResolvedMembership {
  readonly kind: 'membership';
  readonly value: Scalar;
  /** At least one, all of the type of the value. */
  readonly list: readonly ScalarConstant[];
}

export interface ResolvedLike extends Omit<Like, 'value'> {
  readonly attribute: AttributeValue;
}

/** The intersection matrix of both fits, or the relation of that name holds. */
export interface ResolvedRelation {
  readonly kind: 'relation';
  readonly relation: SpatialOperator | { readonly pattern: string };
  /** An attribute where one of both is. */
  readonly left: GeometryOperand;
  readonly right: GeometryOperand;
  /** Whether the boxes around both decide, for whoever looks at the features anyway; it is `intersects` then. */
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

/** Positions between two heights: one that reaches from below to above counts, and so does one that has no heights. */
export interface ResolvedHeights {
  readonly kind: 'heights';
  readonly geometry: AttributeValue;
  readonly lowest: number;
  readonly highest: number;
}

/** A single condition on functions, on joined texts or without regard to case: decided as in styles, in memory only. */
export interface ComputedCondition {
  readonly kind: 'computed';
  readonly filter: Filter;
  /** The attributes it looks at, by the names that it has for them. */
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

/** Of numbers as they are in memory; what is not finite is null. */
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
      /** As it was written, for complaints. */
      readonly literal: GeometryLiteral;
      readonly bounds: Bounds;
      /** Where it is the same as its bounds. */
      readonly isBox: boolean;
    };
