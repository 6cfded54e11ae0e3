/** Which features are drawn at which scales, and how. */

import type { Filter } from '../../data/filter/filter.ts';
import type { Description } from './description.ts';
import type { Graphic } from './graphic.ts';
import type { Symbolizer } from './symbolizer.ts';
import type { VendorOption } from './vendor-option.ts';

export interface Rule extends Description {
  readonly kind: 'rule';
  readonly name?: string | undefined;
  /** The symbol of the rule in a legend; by default what the symbolizers draw. */
  readonly legendGraphic?: Graphic | undefined;
  /** All features by default; `else` means those that no other rule of the same style and scale took. */
  readonly filter?: Filter | ElseFilter | undefined;
  /** Drawn at this scale denominator and above (from `1:25000` on, for 25000); 0 by default. */
  readonly minScaleDenominator?: number | undefined;
  /** Drawn below this scale denominator, exclusive; without end by default. */
  readonly maxScaleDenominator?: number | undefined;
  /** Painted in this order. */
  readonly symbolizers: readonly Symbolizer[];
  /** In the order written; never an empty list. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}

export interface ElseFilter {
  readonly kind: 'else';
}
