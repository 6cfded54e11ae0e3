/** Draws the labels of all layers above everything else: by priority, without overlaps. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CanvasLibrary, DrawingContext } from '../../styling/legend/canvas/canvas.ts';
import { Budget, type Drawing, drawIsolated } from '../../styling/legend/canvas/drawing.ts';
import { limitRecording } from '../../styling/legend/canvas/recorded-pixels.ts';
import { drawLines, drawShield, measureShield } from '../../styling/legend/symbols/label.ts';
import { drawTextLines, fillPiece, layOutCurve, strokePiece } from '../../styling/legend/text/fonts.ts';
import type { TextPiece } from '../../styling/legend/text/typeface.ts';
import { black, formatFillColor, white } from '../../styling/legend/values/color.ts';
import type { Frame } from '../shapes/frame.ts';
import { groupLabels, type Label, type MeasuredLabel, measureLabel } from './label.ts';
import { type LabelPosition, listLabelCandidates } from './label-positions.ts';

/** More labels than this are unreadable. */
const MAX_LABELS = 20_000;

/** With more symbols than this, no label fits anyway. */
const MAX_OBSTACLES = 100_000;

/** Legends limit the size of a label; maps do not. */
const unlimitedSize = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };

export class LabelLayer {
  readonly #labels: Label[] = [];

  /** Areas that labels must not cover. */
  readonly #obstacles: Bounds[] = [];

  addObstacle(room: Bounds): void {
    if (this.#obstacles.length < MAX_OBSTACLES) this.#obstacles.push(room);
  }

  add(label: Label): void {
    if (this.#labels.length < MAX_LABELS) this.#labels.push(label);
  }

  get isEmpty(): boolean {
    return this.#labels.length === 0;
  }

  /** Returns the pixels of all labels, with premultiplied colours. */
  drawPicture(library: CanvasLibrary, frame: Frame): Uint8Array {
    const surface = library.createCanvas(frame.width, frame.height);
    this.#draw(limitRecording(surface.getContext('2d')), library, frame, false);
    return surface.data();
  }

  /** Draws the labels as text above the existing content of a document. */
  drawOnto(context: DrawingContext, library: CanvasLibrary, frame: Frame): void {
    this.#draw(context, library, frame, true);
  }

  #draw(context: DrawingContext, library: CanvasLibrary, { width, height }: Frame, keepsText: boolean): void {
    const drawing: Drawing = {
      library,
      context,
      pictures: new Map(),
      budget: new Budget(Number.POSITIVE_INFINITY),
      nesting: 0,
      middle: { x: 0, y: 0 },
      maxGraphicsAlongLine: 0,
      ...(keepsText ? { keepsText } : {}),
    };
    const taken = new OccupiedSpace(width, height);
    taken.addBoxes(this.#obstacles);
    // The sort is stable: labels of equal priority stay in the order of layers and features.
    const labels = groupLabels(this.#labels).toSorted((one, other) => other.priority - one.priority);
    for (const label of labels) placeLabel({ ...drawing, pictures: label.pictures }, label, taken);
  }
}

function placeLabel(drawing: Drawing, label: Label, taken: OccupiedSpace): void {
  const text = measureLabel(drawing.library, label);
  const shield = measureShield(drawing, label, text);
  for (const { places, isSuitable: suits } of listLabelCandidates(label, text)) {
    for (const place of places) {
      const boxes = listLabelBoxes(shield, text, place);
      const isSeen = label.options.isPartial || boxes.every((box) => taken.isInside(box));
      if (!isSeen || (label.options.isAlone && !taken.isFree(boxes, label.options.spaceAround))) continue;
      if (!suits(place)) continue;
      if (label.options.isAlone) taken.addBoxes(boxes);
      drawLabelAt(drawing, label, text, place);
      break;
    }
  }
}

/**
 * Returns the area of a label as axis-aligned boxes: several for a slanted text, one for each letter of a curved text.
 */
function listLabelBoxes(
  [shieldWidth, shieldHeight]: readonly [number, number],
  text: MeasuredLabel,
  place: LabelPosition,
): readonly Bounds[] {
  const { haloPixels } = text;
  if (place.kind === 'along') {
    const half = text.fontPixels / 2 + haloPixels;
    return measureLetters(text, place).map(({ x, y }) => createBoxAround(x, y, half, half));
  }
  const width = Math.max(text.width + 2 * haloPixels, shieldWidth);
  const height = Math.max(text.height + 2 * haloPixels, shieldHeight);
  const { x, y, radians } = place;
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  const pieces = Math.abs(Math.sin(2 * radians)) < 0.01 ? 1 : Math.max(1, Math.ceil(width / height));
  const length = width / pieces;
  const [halfX, halfY] = [
    (Math.abs(cosine) * length + Math.abs(sine) * height) / 2,
    (Math.abs(sine) * length + Math.abs(cosine) * height) / 2,
  ];
  return Array.from({ length: pieces }, (_, index) => {
    const along = (index + 0.5) * length - width / 2;
    return createBoxAround(x + along * cosine, y + along * sine, halfX, halfY);
  });
}

function createBoxAround(x: number, y: number, halfX: number, halfY: number): Bounds {
  return { minX: x - halfX, minY: y - halfY, maxX: x + halfX, maxY: y + halfY };
}

interface Letter {
  readonly piece: TextPiece;
  readonly x: number;
  readonly y: number;
  readonly radians: number;
  readonly width: number;
}

/** Returns the letters of a text along a line, each with the position of its centre. */
function measureLetters(
  { lines, lettering, fontPixels }: MeasuredLabel,
  { line, start }: Extract<LabelPosition, { kind: 'along' }>,
): readonly Letter[] {
  return layOutCurve(lettering, lines.join(' ')).map((piece) => ({
    piece,
    width: piece.width * fontPixels,
    ...line.getPointAt(start + (piece.x + piece.width / 2) * fontPixels),
  }));
}

function drawLabelAt(drawing: Drawing, label: Label, text: MeasuredLabel, place: LabelPosition): void {
  const { context } = drawing;
  const { symbolizer } = label;
  if (place.kind === 'straight') {
    drawIsolated(context, () => {
      context.translate(place.x, place.y);
      context.rotate(place.radians);
      drawShield(drawing, unlimitedSize, label, text);
      const originY = place.radians === 0 ? place.y : undefined;
      if (text.lines.length > 0) drawLines(drawing, symbolizer, { ...text, originY }, unlimitedSize);
    });
    return;
  }
  drawIsolated(context, () => {
    context.lineJoin = 'round';
    context.lineWidth = Math.max(2 * text.haloPixels, Number.MIN_VALUE);
    context.strokeStyle = formatFillColor(symbolizer.halo?.fill, white);
    context.fillStyle = formatFillColor(symbolizer.fill, black);
    const letters = measureLetters(text, place);
    const forEachLetter = (draw: (piece: TextPiece, width: number) => void): void => {
      for (const { piece, x, y, radians, width } of letters) {
        drawIsolated(context, () => {
          context.translate(x, y);
          context.rotate(radians);
          draw(piece, width);
        });
      }
    };
    // Draw all halos first, so that no halo covers a neighbouring letter.
    if (text.haloPixels > 0) forEachLetter((piece) => strokePiece(drawing, text.lettering, piece));
    forEachLetter((piece, width) => {
      fillPiece(drawing, text.lettering, piece);
      drawTextLines(context, text.lettering, { x: 0, y: 0, width });
    });
  });
}

const CELL_PIXELS = 64;

/** The areas of the map that have a label, indexed by squares to keep the number of comparisons small. */
class OccupiedSpace {
  readonly #width: number;
  readonly #height: number;
  readonly #cells = new Map<number, Bounds[]>();

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  isInside({ minX, minY, maxX, maxY }: Bounds): boolean {
    return minX >= 0 && minY >= 0 && maxX <= this.#width && maxY <= this.#height;
  }

  isFree(boxes: readonly Bounds[], space: number): boolean {
    return boxes.every((box) => {
      const wide = {
        minX: box.minX - space,
        minY: box.minY - space,
        maxX: box.maxX + space,
        maxY: box.maxY + space,
      };
      return this.#listCells(wide).every(
        (cell) => !(this.#cells.get(cell) ?? []).some((other) => areOverlapping(wide, other)),
      );
    });
  }

  addBoxes(boxes: readonly Bounds[]): void {
    for (const box of boxes) {
      for (const cell of this.#listCells(box)) {
        const inCell = this.#cells.get(cell);
        if (inCell === undefined) this.#cells.set(cell, [box]);
        else inCell.push(box);
      }
    }
  }

  /** Boxes beyond the edges belong to the squares at the edge. */
  #listCells({ minX, minY, maxX, maxY }: Bounds): readonly number[] {
    const columns = Math.ceil(this.#width / CELL_PIXELS);
    const rows = Math.ceil(this.#height / CELL_PIXELS);
    const within = (value: number, count: number): number =>
      Math.min(count - 1, Math.max(0, Math.floor(value / CELL_PIXELS)));
    const cells: number[] = [];
    for (let row = within(minY, rows); row <= within(maxY, rows); row += 1) {
      for (let column = within(minX, columns); column <= within(maxX, columns); column += 1) {
        cells.push(row * columns + column);
      }
    }
    return cells;
  }
}

function areOverlapping(one: Bounds, other: Bounds): boolean {
  return one.minX < other.maxX && one.maxX > other.minX && one.minY < other.maxY && one.maxY > other.minY;
}
