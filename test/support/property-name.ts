/** An expression for the value of an attribute, in a short notation for tests. */
import type { Expression } from '../../src/styling/model/model.ts';

export function property(name: string): Expression {
  return { kind: 'property', name };
}
