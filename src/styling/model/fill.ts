/** How an area is filled. */
import type { Expression } from '../../data/filter/expression.ts';
import type { Graphic } from './graphic.ts';

export interface Fill {
  readonly kind: 'fill';
  /** Repeated over the area as tiles, instead of a colour. */
  readonly graphicFill?: Graphic | undefined;
  /** `#808080` by default; white in a halo, black in a text symbolizer. */
  readonly color?: Expression | undefined;
  /** 0 to 1; 1 by default. */
  readonly opacity?: Expression | undefined;
}
