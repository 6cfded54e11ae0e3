/** How a line is drawn. */
import type { Expression } from '../../data/filter/expression.ts';
import type { Graphic } from './graphic.ts';

export interface Stroke {
  readonly kind: 'stroke';
  /** Tiles that paint the inside of the line. */
  readonly graphicFill?: Graphic | undefined;
  /** A graphic repeated along the line. */
  readonly graphicStroke?: GraphicStroke | undefined;
  /** `#000000` by default. */
  readonly color?: Expression | undefined;
  /** 0 to 1; 1 by default. */
  readonly opacity?: Expression | undefined;
  /** In units of the symbolizer; 1 by default. */
  readonly width?: Expression | undefined;
  /** `mitre` (default), `round` or `bevel`; `miter` means the same as `mitre`. */
  readonly lineJoin?: Expression | undefined;
  /** `butt` (default), `round` or `square`. */
  readonly lineCap?: Expression | undefined;
  /**
   * Lengths of dashes and gaps in turn, in units of the symbolizer; a solid line by default.
   * Each part is one length, or an expression that gives one or more of them.
   */
  readonly dashArray?: readonly Expression[] | undefined;
  /** How far into the dashes the line begins, in units of the symbolizer; 0 by default. */
  readonly dashOffset?: Expression | undefined;
}

export interface GraphicStroke {
  readonly graphic: Graphic;
  /** How far from the start of the line the first graphic stands, in units of the symbolizer; 0 by default. */
  readonly initialGap?: Expression | undefined;
  /** The distance between two graphics, in units of the symbolizer; 0 by default. */
  readonly gap?: Expression | undefined;
  /** How far to the left of the line the graphics stand, in units of the symbolizer; 0 by default. */
  readonly perpendicularOffset?: Expression | undefined;
}
