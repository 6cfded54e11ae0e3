/** Rules that are drawn together, below the next style of the same user style. */

import type { Expression } from '../../data/filter/expression.ts';
import type { Description } from './description.ts';
import type { Rule } from './rule.ts';
import type { VendorOption } from './vendor-option.ts';

export interface FeatureTypeStyle extends Description {
  readonly kind: 'featureTypeStyle';
  readonly name?: string | undefined;
  /** Whether Symbology Encoding calls it a style of coverages; false by default. */
  readonly ofCoverages?: true | undefined;
  /** The only feature type, or coverage, to draw like this; any by default. */
  readonly featureTypeName?: string | undefined;
  /** What kinds of data it is meant for, such as `generic:line`; never an empty list. */
  readonly semanticTypeIdentifiers?: readonly string[] | undefined;
  /** Computes other data from the layer's before they are drawn; kept as it is, and never looked into here. */
  readonly transformation?: Expression | undefined;
  /** Applied in this order, each to all features that fit. */
  readonly rules: readonly Rule[];
  /** Addresses of rules elsewhere, which follow its own; never an empty list. */
  readonly remoteRules?: readonly string[] | undefined;
  /** In the order written; never an empty list. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}
