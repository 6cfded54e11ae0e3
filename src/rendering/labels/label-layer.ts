/** Draws the labels of all layers above everything else: by priority, without overlaps. */
import type { Bounds } from '../../crs/bounds.ts';
import { mergeBounds } from '../../geometry/geometry-bounds.ts';
import { MissingGlyphCollector, type MissingGlyphs } from '../../styling/fonts/missing-glyphs.ts';
import type { CanvasLibrary, DrawingContext } from '../../styling/legend/canvas/canvas.ts';
import { createUnlimitedDrawing, type Drawing } from '../../styling/legend/canvas/drawing.ts';
import { limitRecording } from '../../styling/legend/canvas/recorded-pixels.ts';
import { measureShield, type ShieldBox } from '../../styling/legend/symbols/label.ts';
import { layOutCurve, listFontNames } from '../../styling/legend/text/fonts.ts';
import type { Picture } from '../rasterizer/picture.ts';
import type { ScanlineRasterizer } from '../rasterizer/scanline-rasterizer.ts';
import type { Frame } from '../shapes/frame.ts';
import { drawPlacedLabel } from './draw-label.ts';
import { GlyphPainter } from './glyph-painter.ts';
import { groupLabels } from './group-labels.ts';
import { type Label, listFontSizes, type MeasuredLabel, measureLabel } from './label.ts';
import { type LabelCandidates, type LabelPosition, listLabelCandidates } from './label-positions.ts';
import { type OccupiedBox, OccupiedSpace } from './occupied-space.ts';
import { isPlainText, paintPlacedLabel } from './paint-label.ts';
import type { Letter, PlacedLabel } from './placed-label.ts';
import {
  type AdjacentTiles,
  crossesTileEdge,
  isCentredInside,
  isShort,
  type SharedCandidate,
  selectCrossing,
} from './shared-labels.ts';

/** More labels than this are unreadable. */
const MAX_LABELS = 20_000;

/** With more symbols than this, no label fits anyway. */
const MAX_OBSTACLES = 100_000;

type PictureSize = Pick<Frame, 'width' | 'height'>;

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

  readonly #missing = new MissingGlyphCollector();

  /** The characters of the drawn labels that no font has. */
  get missingGlyphs(): readonly MissingGlyphs[] {
    return this.#missing.list();
  }

  get isEmpty(): boolean {
    return this.#labels.length === 0;
  }

  /** Paints the labels over the picture. `coverage` must be empty. */
  paint(library: CanvasLibrary, picture: Picture, coverage: ScanlineRasterizer, adjacent?: AdjacentTiles): void {
    const measuring = createUnlimitedDrawing(library, library.createCanvas(1, 1).getContext('2d'));
    const placed = this.#place(measuring, picture, adjacent);
    // Only labels that may overlap others must keep their order.
    const isOrdered = placed.some(({ label }) => !label.options.isAlone);
    const others = placed.filter((each) => !isPlainText(each));
    const drawn = isOrdered && others.length > 0 ? placed : others;
    const painter = new GlyphPainter(picture, coverage);
    if (drawn.length < placed.length) for (const each of placed) if (isPlainText(each)) paintPlacedLabel(painter, each);
    if (drawn.length === 0) return;
    const surface = library.createCanvas(picture.width, picture.height);
    const drawing = createUnlimitedDrawing(library, limitRecording(surface.getContext('2d')));
    for (const each of drawn) drawPlacedLabel({ ...drawing, pictures: each.label.pictures }, each);
    picture.overlay(surface.data());
  }

  /** Draws the labels as text above the existing content of a document. */
  drawOnto(context: DrawingContext, library: CanvasLibrary, frame: Frame): void {
    const drawing: Drawing = { ...createUnlimitedDrawing(library, context), keepsText: true };
    for (const each of this.#place(drawing, frame))
      drawPlacedLabel({ ...drawing, pictures: each.label.pictures }, each);
  }

  #place(drawing: Drawing, size: PictureSize, adjacent?: AdjacentTiles): readonly PlacedLabel[] {
    const all = new OccupiedSpace(size.width, size.height);
    all.addBoxes(this.#obstacles);
    const taken = { all, byText: new Map<string, OccupiedSpace>() };
    // The sort is stable: labels of equal priority stay in the order of layers and features.
    const labels = groupLabels(this.#labels).toSorted((one, other) => other.priority - one.priority);
    const placed: PlacedLabel[] = [];
    const settled = adjacent && placeCrossingLabels(drawing, labels, taken, { size, adjacent, placed });
    for (const label of labels) {
      const positions = settled && (settled.get(label) ?? NONE);
      const hasGraphic = label.symbolizer.graphic !== undefined;
      const own = hasGraphic ? { ...drawing, pictures: label.pictures } : drawing;
      placeLabel(own, { label, settled: positions }, taken, placed);
    }
    for (const { label, text } of placed) {
      const characters = text.lettering.typeface.listMissing(label.text);
      if (characters.length > 0) this.#missing.add(listFontNames(label.symbolizer.font), characters);
    }
    return placed;
  }
}

/** The space that is taken on a map, by all labels and by labels of one text. */
interface TakenSpace {
  readonly all: OccupiedSpace;
  readonly byText: Map<string, OccupiedSpace>;
}

/** The numbers of the positions of a label that are drawn across an edge of tiles, or by adjacent tiles. */
type SettledPositions = ReadonlySet<number>;

const NONE: SettledPositions = new Set();

interface LabelToPlace {
  readonly label: Label;
  /** Undefined for a map without adjacent tiles. */
  readonly settled: SettledPositions | undefined;
}

/** Adds each repetition of the label that has room. */
function placeLabel(drawing: Drawing, label: LabelToPlace, taken: TakenSpace, placed: PlacedLabel[]): void {
  for (const fontPixels of listFontSizes(label.label)) {
    const text = measureLabel(drawing.library, label.label, fontPixels);
    if (placeText(drawing, { ...label, text }, taken, placed)) return;
  }
}

/** Returns whether the label is drawn at least once, here or by adjacent tiles. */
function placeText(
  drawing: Drawing,
  { label, text, settled }: LabelToPlace & Pick<PlacedLabel, 'text'>,
  { all, byText }: TakenSpace,
  placed: PlacedLabel[],
): boolean {
  const { options, owners } = label;
  const isPartial = options.isPartial && settled === undefined;
  let isDrawn = false;
  const shield = measureShield(drawing, label, text);
  const same = options.minGroupDistance > 0 ? (byText.get(label.text) ?? all.createEmpty()) : undefined;
  if (same !== undefined) byText.set(label.text, same);
  for (const [number, { places, isSuitable: suits }] of listLabelCandidates(label, text).entries()) {
    if (settled?.has(number)) {
      isDrawn = true;
      continue;
    }
    for (const place of places) {
      const letters = place.kind === 'along' ? measureLetters(text, place) : [];
      const boxes = listLabelBoxes(label, shield, text, { place, letters });
      const isSeen = isPartial || boxes.every((box) => all.isInside(box));
      if (!isSeen || (options.isAlone && !all.isFree(boxes, options.spaceAround, owners))) continue;
      if (same?.isFree(boxes, options.minGroupDistance) === false || !suits(place)) continue;
      if (options.isAlone) all.addBoxes(boxes);
      same?.addBoxes(boxes);
      placed.push({ label, text, place, letters });
      isDrawn = true;
      break;
    }
  }
  return isDrawn;
}

interface CrossingLabel extends SharedCandidate {
  readonly placed: PlacedLabel;
  /** The number of the position, of those that the label is drawn at. */
  readonly number: number;
  readonly isSuitable: LabelCandidates['isSuitable'];
}

/**
 * Places the labels across the edges of adjacent tiles. Returns their positions, and those of labels that belong to
 * adjacent tiles.
 */
function placeCrossingLabels(
  drawing: Drawing,
  labels: readonly Label[],
  { all, byText }: TakenSpace,
  { size, adjacent, placed }: { size: PictureSize; adjacent: AdjacentTiles; placed: PlacedLabel[] },
): ReadonlyMap<Label, SettledPositions> {
  const shared = labels.flatMap((label) => (label.isShared ? listSharedCandidates(drawing, label) : []));
  const candidates = shared.filter(({ bounds, placed: { label } }) => isShort(bounds, label.lengths.factor));
  const crossing = candidates.filter(
    ({ placed: { label, place }, boxes, bounds, isSuitable }) =>
      crossesTileEdge(bounds, size, adjacent) &&
      (!label.options.isAlone || all.isFree(boxes, label.options.spaceAround, label.owners)) &&
      isSuitable(place),
  );
  const settled = new Map<Label, Set<number>>();
  const settle = ({ placed: { label }, number }: CrossingLabel) =>
    settled.set(label, (settled.get(label) ?? new Set()).add(number));
  for (const chosen of selectCrossing(crossing, candidates)) {
    const { boxes } = chosen;
    const { label } = chosen.placed;
    if (label.options.isAlone) all.addBoxes(boxes);
    if (label.options.minGroupDistance > 0) {
      const same = byText.get(label.text) ?? all.createEmpty();
      byText.set(label.text, same);
      same.addBoxes(boxes);
    }
    placed.push(chosen.placed);
    settle(chosen);
  }
  for (const each of shared) if (!isCentredInside(each.bounds, size)) settle(each);
  return settled;
}

/** Returns the best positions of a label; alternatives and smaller letters are only used inside a block. */
function listSharedCandidates(drawing: Drawing, label: Label): readonly CrossingLabel[] {
  const { options, text: content, priority } = label;
  const [fontPixels = 1] = listFontSizes(label);
  const text = measureLabel(drawing.library, label, fontPixels);
  const shield = measureShield({ ...drawing, pictures: label.pictures }, label, text);
  return listLabelCandidates(label, text).flatMap(({ places, isSuitable }, number): readonly CrossingLabel[] => {
    const [place] = places;
    if (place === undefined) return [];
    const letters = place.kind === 'along' ? measureLetters(text, place) : [];
    const boxes = listLabelBoxes(label, shield, text, { place, letters });
    const bounds = boxes.reduce<Bounds | undefined>(mergeBounds, undefined);
    if (bounds === undefined) return [];
    const placed = { label, text, place, letters };
    return [{ ...options, placed, text: content, priority, number, isSuitable, boxes, bounds }];
  });
}

/**
 * Returns the area of a label as axis-aligned boxes: several for a slanted text, one for each letter of a curved text.
 */
function listLabelBoxes(
  { options: { isShieldIndependent } }: Label,
  shield: ShieldBox,
  text: MeasuredLabel,
  { place, letters }: Pick<PlacedLabel, 'place' | 'letters'>,
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
    return letters.map(({ x, y }) => createBoxAround(x, y, half, half));
  }
  const [right, down] = shield.middle;
  const width = Math.max(text.width + 2 * haloPixels, shield.width + 2 * Math.abs(right));
  const height = Math.max(text.height + 2 * haloPixels, shield.height + 2 * Math.abs(down));
  return listStraightBoxes(width, height, place);
}

function listStraightBoxes(
  width: number,
  height: number,
  { x, y, radians }: Extract<LabelPosition, { kind: 'straight' }>,
): readonly Bounds[] {
  if (radians === 0) return [createBoxAround(x, y, width / 2, height / 2)];
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
