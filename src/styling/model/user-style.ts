/** A style that is written out, rather than named. */
import type { Description } from './description.ts';
import type { FeatureTypeStyle } from './feature-type-style.ts';
import type { Fill } from './fill.ts';

export interface UserStyle extends Description {
  readonly kind: 'userStyle';
  readonly name?: string | undefined;
  /** Whether a layer uses it without being asked; false by default. */
  readonly isDefault?: boolean | undefined;
  /** Painted below everything; transparent by default. */
  readonly background?: Fill | undefined;
  /** Painted in this order. */
  readonly featureTypeStyles: readonly FeatureTypeStyle[];
  /** Addresses of styles elsewhere, which follow its own; never an empty list. */
  readonly remoteStyles?: readonly string[] | undefined;
}
