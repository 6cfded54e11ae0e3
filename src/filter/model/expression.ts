/** An expression whose value can depend on a feature. */
import type { GeometryLiteral } from './geometry-literal.ts';

export type Expression = Literal | PropertyName | FunctionCall | Arithmetic | Concatenation | GeometryLiteral;

export interface Literal {
  readonly kind: 'literal';
  /**
   * As written: numbers are text too (`'0.5'`), colours are `#RRGGBB` or `#RGB`, lengths may end in `px`, `m` or `ft`.
   * `literalNumber` in literal.ts reads numbers.
   */
  readonly value: string;
}

export interface PropertyName {
  readonly kind: 'property';
  /** The name of an attribute, or an XPath to one, as written. */
  readonly name: string;
}

/**
 * A call by name. The functions that Symbology Encoding spells as elements are calls too, with positional arguments
 * as in the standard, attributes last: `Recode(lookup, data, value, …)`, `Categorize(lookup, value, threshold, value, …)`.
 */
export interface FunctionCall {
  readonly kind: 'function';
  readonly name: string;
  readonly arguments: readonly Expression[];
  /** The value to use if the function is unknown or fails. */
  readonly fallback?: string | undefined;
}

export interface Arithmetic {
  readonly kind: 'arithmetic';
  readonly operator: ArithmeticOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export type ArithmeticOperator = 'add' | 'subtract' | 'multiply' | 'divide';

/** Text and expressions, such as `Height: [height] m`, whose results are concatenated. */
export interface Concatenation {
  readonly kind: 'concatenation';
  /** At least two parts, without adjacent literals, empty literals or nested concatenations. */
  readonly parts: readonly Expression[];
}
