/** A label before placement: its text, broken into lines, and its feature. */
import type { Bounds } from '../../crs/bounds.ts';
import { toText } from '../../filter/evaluate/evaluate.ts';
import type { CanvasLibrary } from '../../styling/legend/canvas/canvas.ts';
import type { Pictures } from '../../styling/legend/canvas/drawing.ts';
import { LINE_SPACING } from '../../styling/legend/symbols/label.ts';
import {
  createLettering,
  type Lettering,
  type LetterStyle,
  measureLine,
  readLetterStyle,
} from '../../styling/legend/text/fonts.ts';
import { type Lengths, readPixels } from '../../styling/legend/values/lengths.ts';
import { sampleNumber, sampleValue } from '../../styling/legend/values/sample-value.ts';
import { DEFAULT_FONT_PIXELS, PIXELS_WITHOUT_FONT } from '../../styling/model/default-sizes.ts';
import type { TextSymbolizer } from '../../styling/model/model.ts';
import { LINES, POINTS, type ShapeKind } from '../../vector/port/packed-features.ts';
import { listRings } from '../rasterizer/skia-painter.ts';
import { clipLine, clipRing } from '../shapes/clip.ts';
import type { PixelShape } from '../shapes/pixel-shape.ts';
import { type LabelOptions, readLabelOptions } from './label-options.ts';
import { listBreakableParts } from './line-breaks.ts';
import { isSmallShape, widenForSmallShapes } from './shared-labels.ts';

/** The part of a label that many features share. */
export interface LabelStyle {
  /** With all expressions evaluated, except for the text and the priority. */
  readonly symbolizer: TextSymbolizer;
  readonly lengths: Lengths;
  /** The pictures for the graphic behind the label. */
  readonly pictures: Pictures;
  readonly options: LabelOptions;
  /** The used typefaces by their sizes. */
  readonly letterings: Map<number, Lettering>;
}

export interface Label extends LabelStyle {
  readonly text: string;
  readonly priority: number;
  readonly kind: ShapeKind;
  /** The visible points, lines or rings of the labelled feature. */
  readonly parts: readonly LabelledPart[];
  /** Whether its positions are the same in all blocks of tiles. */
  readonly isShared: boolean;
  /** The labelled features. Their own symbols do not repel the label. */
  readonly owners: ReadonlySet<object>;
}

export interface LabelledPart {
  readonly places: Float64Array;
  /** For rings of polygons: holes follow the outer ring that contains them. */
  readonly isOuter: boolean;
}

/** The values that all labels of a symbolizer share. */
export interface LabelContext extends Pick<Label, 'lengths' | 'pictures'> {
  /** The visible area, in pixels. */
  readonly window: Bounds;
  /** Whether the map is a block of tiles that others continue. */
  readonly isTiled: boolean;
}

/** A longer label does not fit on a map. */
const MAX_CHARACTERS = 1_000;
const DEFAULT_PRIORITY = 1_000;

export function createLabelStyle(symbolizer: TextSymbolizer, { lengths, pictures }: LabelContext): LabelStyle {
  const options = readLabelOptions(symbolizer.vendorOptions ?? [], lengths);
  return { symbolizer, lengths, pictures, options, letterings: new Map() };
}

/** The values of a label that differ from feature to feature. */
export type LabelValues = Pick<TextSymbolizer, 'label' | 'priority'>;

/** Returns undefined if the text is empty or no part of the feature is visible. */
export function createLabel(
  style: LabelStyle,
  { label, priority }: LabelValues,
  { shape, owner }: { readonly shape: PixelShape; readonly owner: object },
  { window, isTiled }: Pick<LabelContext, 'window' | 'isTiled'>,
): Label | undefined {
  const text = toText(sampleValue(label) ?? null)
    .slice(0, MAX_CHARACTERS)
    .trim()
    .toWellFormed();
  if (text === '' && style.symbolizer.graphic === undefined) return undefined;
  // Groups depend on all features of a block.
  const { factor } = style.lengths;
  const isShared = isTiled && !style.options.isGrouped && isSmallShape(shape, factor);
  const parts = listVisibleParts(shape, isShared ? widenForSmallShapes(window, factor) : window);
  if (parts.length === 0) return undefined;
  return {
    ...style,
    text,
    priority: sampleNumber(priority, DEFAULT_PRIORITY),
    kind: shape.kind,
    parts,
    isShared,
    owners: new Set([owner]),
  };
}

function listVisibleParts(shape: PixelShape, window: Bounds): readonly LabelledPart[] {
  if (shape.kind === POINTS) {
    const [x = -1, y = -1] = shape.places;
    return isIn(x, y, window) ? [{ places: Float64Array.of(x, y), isOuter: true }] : [];
  }
  const rings = listRings(shape);
  if (shape.kind === LINES)
    return rings.flatMap((ring) => clipLine(ring, window)).map((places) => ({ places, isOuter: true }));
  return rings
    .map((ring, index) => ({ places: clipRing(ring, window), isOuter: shape.isOuter[index] === 1 }))
    .filter(({ places }) => places.length >= 6);
}

function isIn(x: number, y: number, { minX, minY, maxX, maxY }: Bounds): boolean {
  return x >= minX && x <= maxX && y >= minY && y <= maxY;
}

/** A text broken into lines. Its box is measured as in legends. */
export interface MeasuredLabel {
  readonly lines: readonly string[];
  readonly fontPixels: number;
  readonly haloPixels: number;
  readonly width: number;
  readonly height: number;
  readonly look: LetterStyle;
  readonly lettering: Lettering;
}

/** Larger letters and halos do not fit on a map. */
const MAX_FONT_PIXELS = 1_000;
const MAX_HALO_PIXELS = 100;
/** Steps of a pixel, for letters that are not huge. */
const MAX_SHRINK_STEPS = 20;

/** Returns the sizes to try, largest first. */
export function listFontSizes({ symbolizer: { font }, lengths, options: { minFontPixels } }: Label): readonly number[] {
  const byDefault = font === undefined ? PIXELS_WITHOUT_FONT : DEFAULT_FONT_PIXELS;
  const size = Math.min(MAX_FONT_PIXELS, Math.max(1, readPixels(lengths, font?.size, byDefault)));
  if (minFontPixels <= 0 || minFontPixels >= size) return [size];
  const steps = Math.min(MAX_SHRINK_STEPS, Math.ceil(size - minFontPixels));
  return Array.from({ length: steps + 1 }, (_, step) => size - ((size - minFontPixels) * step) / steps);
}

export function measureLabel(
  library: CanvasLibrary,
  { symbolizer, lengths, text, options, letterings }: Label,
  fontPixels: number,
): MeasuredLabel {
  const { font, halo } = symbolizer;
  const lettering =
    letterings.get(fontPixels) ??
    createLettering(library, font, fontPixels, readLetterStyle(symbolizer.vendorOptions, lengths.factor));
  letterings.set(fontPixels, lettering);
  const lines = splitLines(text)
    .flatMap((line) => (options.wrapAt > 0 ? wrapLine(lettering, line, options.wrapAt) : line))
    .filter((line) => line !== '');
  return {
    lines,
    fontPixels,
    haloPixels: halo ? Math.min(MAX_HALO_PIXELS, Math.max(0, readPixels(lengths, halo.radius, 1))) : 0,
    width: lines.reduce((widest, line) => Math.max(widest, measureLine(lettering, line)), 1),
    height: fontPixels * (1 + Math.max(0, lines.length - 1) * LINE_SPACING),
    look: lettering.look,
    lettering,
  };
}

/** Collapses spaces, which most texts do not need. */
function splitLines(text: string): readonly string[] {
  if (!/[^\S ]| {2}/.test(text)) return [text];
  return text.split(/\r\n|[\n\r]/).map((line) => line.replace(/\s+/g, ' ').trim());
}

function wrapLine(lettering: Lettering, line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const part of listBreakableParts(line)) {
    const longer = current + part;
    if (current !== '' && measureLine(lettering, longer.trimEnd()) > width) {
      lines.push(current.trimEnd());
      current = part;
    } else {
      current = longer;
    }
  }
  return [...lines, current.trimEnd()];
}
