/** A label with its position on the map. */
import type { TextPiece } from '../../styling/legend/text/typeface.ts';
import type { Label, MeasuredLabel } from './label.ts';
import type { LabelPosition } from './label-positions.ts';

export interface PlacedLabel {
  readonly label: Label;
  readonly text: MeasuredLabel;
  readonly place: LabelPosition;
  /** The letters of a text along a line; empty for straight text. */
  readonly letters: readonly Letter[];
}

/** A letter with the position of its centre and its clockwise rotation. */
export interface Letter {
  readonly piece: TextPiece;
  readonly x: number;
  readonly y: number;
  readonly radians: number;
  readonly width: number;
}
