/** Draws the labels of all layers above everything else: by priority, without overlaps. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CanvasLibrary, DrawingContext } from '../../styling/legend/canvas/canvas.ts';
import { Budget, type Drawing, drawIsolated } from '../../styling/legend/canvas/drawing.ts';
import { limitRecording } from '../../styling/legend/canvas/recorded-pixels.ts';
import { drawLines, drawShield, measureShield, type ShieldBox } from '../../styling/legend/symbols/label.ts';
import { drawTextLines, fillPiece, layOutCurve, strokePiece } from '../../styling/legend/text/fonts.ts';
import type { TextPiece } from '../../styling/legend/text/typeface.ts';
import { black, formatFillColor, white } from '../../styling/legend/values/color.ts';
import type { Frame } from '../shapes/frame.ts';
import { groupLabels } from './group-labels.ts';
import { type Label, listFontSizes, type MeasuredLabel, measureLabel } from './label.ts';
import { type LabelPosition, listLabelCandidates, type Position } from './label-positions.ts';
import { type OccupiedBox, OccupiedSpace } from './occupied-space.ts';

/** More labels than this are unreadable. */
const MAX_LABELS = 20_000;

/** With more symbols than this, no label fits anyway. */
const MAX_OBSTACLES = 100_000;

/** Legends limit the size of a label; maps do not. */
const unlimitedSize = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };

export class LabelLayer {
  readonly #labels: Label[] = [];

  /** Areas that labels must not cover. */
  readonly #obstacles: OccupiedBox[] = [];

  addObstacle(room: OccupiedBox): void {
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
    const all = new OccupiedSpace(width, height);
    all.addBoxes(this.#obstacles);
    const taken = { all, byText: new Map<string, OccupiedSpace>() };
    // The sort is stable: labels of equal priority stay in the order of layers and features.
    const labels = groupLabels(this.#labels).toSorted((one, other) => other.priority - one.priority);
    for (const label of labels) placeLabel({ ...drawing, pictures: label.pictures }, label, taken);
  }
}

/** The space that is taken on a map, by all labels and by labels of one text. */
interface TakenSpace {
  readonly all: OccupiedSpace;
  readonly byText: Map<string, OccupiedSpace>;
}

function placeLabel(drawing: Drawing, label: Label, taken: TakenSpace): void {
  for (const fontPixels of listFontSizes(label)) {
    if (placeText(drawing, label, measureLabel(drawing.library, label, fontPixels), taken)) return;
  }
}

/** Returns whether the label is drawn at least once. */
function placeText(drawing: Drawing, label: Label, text: MeasuredLabel, { all, byText }: TakenSpace): boolean {
  const { options, owners } = label;
  const shield = measureShield(drawing, label, text);
  const same = options.minGroupDistance > 0 ? (byText.get(label.text) ?? all.createEmpty()) : undefined;
  if (same !== undefined) byText.set(label.text, same);
  let isDrawn = false;
  for (const { places, isSuitable: suits } of listLabelCandidates(label, text)) {
    for (const place of places) {
      const boxes = listLabelBoxes(label, shield, text, place);
      const isSeen = options.isPartial || boxes.every((box) => all.isInside(box));
      if (!isSeen || (options.isAlone && !all.isFree(boxes, options.spaceAround, owners))) continue;
      if (same?.isFree(boxes, options.minGroupDistance) === false || !suits(place)) continue;
      if (options.isAlone) all.addBoxes(boxes);
      same?.addBoxes(boxes);
      drawLabelAt(drawing, label, text, place);
      isDrawn = true;
      break;
    }
  }
  return isDrawn;
}

/**
 * Returns the area of a label as axis-aligned boxes: several for a slanted text, one for each letter of a curved text.
 */
function listLabelBoxes(
  { options: { isShieldIndependent } }: Label,
  shield: ShieldBox,
  text: MeasuredLabel,
  place: LabelPosition,
): readonly Bounds[] {
  const { haloPixels } = text;
  if (isShieldIndependent && place.kind === 'straight') {
    const alone = listStraightBoxes(text.width + 2 * haloPixels, text.height + 2 * haloPixels, place);
    const { x, y } = place.anchor;
    const [shiftX, shiftY] = shield.shift;
    return [...alone, createBoxAround(x + shiftX, y + shiftY, shield.width / 2, shield.height / 2)];
  }
  if (place.kind === 'along') {
    const half = text.fontPixels / 2 + haloPixels;
    return measureLetters(text, place).map(({ x, y }) => createBoxAround(x, y, half, half));
  }
  const width = Math.max(text.width + 2 * haloPixels, shield.width);
  const height = Math.max(text.height + 2 * haloPixels, shield.height);
  return listStraightBoxes(width, height, place);
}

function listStraightBoxes(
  width: number,
  height: number,
  { x, y, radians }: Extract<LabelPosition, { kind: 'straight' }>,
): readonly Bounds[] {
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
  { line, start, offset }: Extract<LabelPosition, { kind: 'along' }>,
): readonly Letter[] {
  return layOutCurve(lettering, lines.join(' ')).map((piece) => {
    const from = start + piece.x * fontPixels;
    const width = piece.width * fontPixels;
    const { x, y, radians } = line.getChord(from, from + width);
    return { piece, width, x: x + offset * Math.sin(radians), y: y - offset * Math.cos(radians), radians };
  });
}

function drawLabelAt(drawing: Drawing, label: Label, text: MeasuredLabel, place: LabelPosition): void {
  const { context } = drawing;
  const { symbolizer } = label;
  if (place.kind === 'straight') {
    drawIsolated(context, () => {
      if (label.options.isShieldIndependent) drawIndependentShield(drawing, label, text, place.anchor);
      context.translate(place.x, place.y);
      context.rotate(place.radians);
      if (!label.options.isShieldIndependent) drawShield(drawing, unlimitedSize, label, text);
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

function drawIndependentShield(drawing: Drawing, label: Label, text: MeasuredLabel, { x, y }: Position): void {
  const { context } = drawing;
  const [shiftX, shiftY] = measureShield(drawing, label, text).shift;
  drawIsolated(context, () => {
    context.translate(x + shiftX, y + shiftY);
    drawShield(drawing, unlimitedSize, label, text);
  });
}
