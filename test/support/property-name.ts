/** An expression that takes the value of an attribute, as short as tests want it. */
import type { Expression } from '../../src/styling/model/model.ts';

export function property(name: string): Expression {
  return { kind: 'property', name };
}
