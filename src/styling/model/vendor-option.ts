/** A named setting beyond the standards, kept as it is for whoever draws. */
import type { Expression } from '../../data/filter/expression.ts';

export interface VendorOption {
  /** Such as `followLine`; names are not checked. */
  readonly name: string;
  readonly value: Expression;
}
