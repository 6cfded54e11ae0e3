/** The syntax tree of Jiffle scripts, a small language that computes each cell of a raster. */

export type JiffleExpression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'variable'; readonly name: string }
  | {
      readonly kind: 'source';
      readonly name: string;
      readonly band: JiffleExpression | undefined;
      /** The offset of the cell, to the right and down. */
      readonly offset: readonly [JiffleExpression, JiffleExpression] | undefined;
    }
  | { readonly kind: 'unary'; readonly operator: '-' | '!'; readonly value: JiffleExpression }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: JiffleExpression;
      readonly right: JiffleExpression;
    }
  | {
      readonly kind: 'choice';
      readonly condition: JiffleExpression;
      readonly whenTrue: JiffleExpression;
      readonly whenFalse: JiffleExpression;
    }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly JiffleExpression[] }
  | { readonly kind: 'list'; readonly items: readonly JiffleExpression[] };

export type JiffleStatement =
  | { readonly kind: 'assign'; readonly name: string; readonly value: JiffleExpression }
  | { readonly kind: 'append'; readonly name: string; readonly value: JiffleExpression }
  | {
      readonly kind: 'write';
      readonly band: JiffleExpression | undefined;
      readonly value: JiffleExpression;
    }
  | {
      readonly kind: 'if';
      readonly condition: JiffleExpression;
      readonly whenTrue: JiffleStatement;
      readonly whenFalse: JiffleStatement | undefined;
    }
  | {
      readonly kind: 'loop';
      readonly condition: JiffleExpression;
      /** The value of the condition that ends the loop. */
      readonly endsWhen: boolean;
      readonly body: JiffleStatement;
    }
  | {
      readonly kind: 'forEach';
      readonly name: string;
      readonly items: JiffleExpression | readonly [from: JiffleExpression, to: JiffleExpression];
      readonly body: JiffleStatement;
    }
  | { readonly kind: 'break' }
  | { readonly kind: 'block'; readonly statements: readonly JiffleStatement[] };

export interface JiffleScript {
  /** Run once, before the first cell. */
  readonly initial: readonly JiffleStatement[];
  readonly statements: readonly JiffleStatement[];
  /** The value of cells outside of the source; NaN by default. */
  readonly outside: number;
  /** The bands that the script writes by number, at least one. */
  readonly bands: number;
}

/** Explains why a script is invalid; the message has the line and the column in the script if they are known. */
export class JiffleError extends Error {}
