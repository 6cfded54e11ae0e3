/** Letters and where they stand. */
import type { Expression } from '../../data/filter/expression.ts';
import type { Fill } from './fill.ts';
import type { Point } from './point.ts';

export interface Font {
  readonly kind: 'font';
  /** The first family that is there is used; a serif font with an empty list. */
  readonly families: readonly Expression[];
  /** `normal` (default), `italic` or `oblique`. */
  readonly style?: Expression | undefined;
  /** `normal` (default), `bold`, or a number of 100 to 900. */
  readonly weight?: Expression | undefined;
  /** In units of the symbolizer; 10 by default. */
  readonly size?: Expression | undefined;
}

export interface Halo {
  readonly kind: 'halo';
  /** In units of the symbolizer; 1 by default. */
  readonly radius?: Expression | undefined;
  /** White by default. */
  readonly fill?: Fill | undefined;
}

export type LabelPlacement = PointPlacement | LinePlacement;

export interface PointPlacement {
  readonly kind: 'pointPlacement';
  /** Which point of the text stands on the place: `0,0` is its lower left; `0,0.5` by default. */
  readonly anchorPoint?: Point | undefined;
  /** How far to move it right and up, in units of the symbolizer; `0,0` by default. */
  readonly displacement?: Point | undefined;
  /** Clockwise in degrees; 0 by default. */
  readonly rotation?: Expression | undefined;
}

export interface LinePlacement {
  readonly kind: 'linePlacement';
  /** How far to the left of the line, in units of the symbolizer; 0 by default. */
  readonly perpendicularOffset?: Expression | undefined;
  /** Whether the text comes again along the line; false by default. */
  readonly isRepeated?: boolean | undefined;
  /** How far from the start of the line the first text stands, in units of the symbolizer; 0 by default. */
  readonly initialGap?: Expression | undefined;
  /** The distance between two texts, in units of the symbolizer; 0 by default. */
  readonly gap?: Expression | undefined;
  /** Whether the text follows the line rather than lying level; true by default. */
  readonly isAligned?: boolean | undefined;
  /** Whether a smoothed line may carry the text; false by default. */
  readonly generalizeLine?: boolean | undefined;
}
