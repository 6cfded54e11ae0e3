/** Two numbers that belong together: an anchor (shares of the size) or a displacement (units of the symbolizer). */
import type { Expression } from '../../data/filter/expression.ts';

export interface Point {
  readonly x: Expression;
  readonly y: Expression;
}
