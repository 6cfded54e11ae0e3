/** A label before placement: its text, broken into lines, and its feature. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CanvasLibrary } from '../../styling/legend/canvas/canvas.ts';
import type { Pictures } from '../../styling/legend/canvas/drawing.ts';
import {
  createLettering,
  type Lettering,
  type LetterStyle,
  measureLine,
  readLetterStyle,
} from '../../styling/legend/text/fonts.ts';
import { type Lengths, readPixels } from '../../styling/legend/values/lengths.ts';
import { sampleNumber, sampleWord } from '../../styling/legend/values/sample-value.ts';
import { readLiteralText, type TextSymbolizer, type VendorOption } from '../../styling/model/model.ts';
import { LINES, POINTS, POLYGONS, type ShapeKind } from '../../vector/port/packed-features.ts';
import { listRings } from '../rasterizer/skia-painter.ts';
import { clipLine, clipRing } from '../shapes/clip.ts';
import type { PixelShape } from '../shapes/pixel-shape.ts';
import { joinLines } from './join-lines.ts';

export interface Label {
  /** With all expressions evaluated. */
  readonly symbolizer: TextSymbolizer;
  readonly lengths: Lengths;
  /** The pictures for the graphic behind the label. */
  readonly pictures: Pictures;
  readonly text: string;
  readonly options: LabelOptions;
  readonly priority: number;
  readonly kind: ShapeKind;
  /** The visible points, lines or rings of the labelled feature. */
  readonly parts: readonly LabelledPart[];
}

export interface LabelledPart {
  readonly places: Float64Array;
  /** For rings of polygons: holes follow the outer ring that contains them. */
  readonly isOuter: boolean;
}

/** The vendor options of a label. Lengths are in pixels. */
export interface LabelOptions {
  readonly isAlone: boolean;
  readonly spaceAround: number;
  readonly maxDisplacement: number;
  /** The length at which lines of text are broken; 0 for no limit. */
  readonly wrapAt: number;
  readonly followsLine: boolean;
  readonly maxAngleDelta: number;
  /** The distance between two labels on a line; 0 for a single label. */
  readonly repeat: number;
  /** Whether the edge of the map may cut off the label. */
  readonly isPartial: boolean;
  /** Whether equal labels of a rule are merged into one. */
  readonly isGrouped: boolean;
  readonly labelsAllOfGroup: boolean;
  readonly readsLeftToRight: boolean;
  readonly mayOverrun: boolean;
  /** The share of a label that must be on its polygon, from 0 to 1. */
  readonly goodnessOfFit: number;
  readonly polygonAlign: 'none' | 'ortho' | 'mbr';
}

/** The values that all labels of a symbolizer share. */
export interface LabelContext extends Pick<Label, 'lengths' | 'pictures'> {
  /** The visible area, in pixels. */
  readonly window: Bounds;
}

const MAX_CHARACTERS = 1_000;
const DEFAULT_PRIORITY = 1_000;
const DEFAULT_FIT = 0.5;
const DEFAULT_ANGLE_DELTA = 22.5;

/** Returns undefined if the text is empty or no part of the feature is visible. */
export function createLabel(
  symbolizer: TextSymbolizer,
  shape: PixelShape,
  { lengths, pictures, window }: LabelContext,
): Label | undefined {
  const text = (readLiteralText(symbolizer.label) ?? '').slice(0, MAX_CHARACTERS).trim().toWellFormed();
  if (text === '' && symbolizer.graphic === undefined) return undefined;
  const parts = listVisibleParts(shape, window);
  if (parts.length === 0) return undefined;
  return {
    symbolizer,
    lengths,
    pictures,
    text,
    options: readLabelOptions(symbolizer.vendorOptions ?? [], lengths),
    priority: sampleNumber(symbolizer.priority, DEFAULT_PRIORITY),
    kind: shape.kind,
    parts,
  };
}

function listVisibleParts(shape: PixelShape, window: Bounds): readonly LabelledPart[] {
  const rings = listRings(shape);
  if (shape.kind === POLYGONS) {
    return rings
      .map((ring, index) => ({ places: clipRing(ring, window), isOuter: shape.isOuter[index] === 1 }))
      .filter(({ places }) => places.length >= 6);
  }
  if (shape.kind === LINES) {
    return rings.flatMap((ring) => clipLine(ring, window)).map((places) => ({ places, isOuter: true }));
  }
  const [points = new Float64Array()] = rings;
  return [{ places: points.subarray(0, 2), isOuter: true }].filter(({ places: [x = -1, y = -1] }) =>
    isIn(x, y, window),
  );
}

function isIn(x: number, y: number, { minX, minY, maxX, maxY }: Bounds): boolean {
  return x >= minX && x <= maxX && y >= minY && y <= maxY;
}

function readLabelOptions(options: readonly VendorOption[], lengths: Lengths): LabelOptions {
  const findOption = (name: string) => options.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value;
  const readFlag = (name: string, byDefault: boolean): boolean => {
    const word = sampleWord(findOption(name));
    return word === undefined ? byDefault : word === 'true' || word === 'yes';
  };
  const readLength = (name: string): number => sampleNumber(findOption(name), 0) * lengths.factor;
  const align = sampleWord(findOption('polygonAlign'));
  return {
    isAlone: readFlag('conflictResolution', true),
    spaceAround: readLength('spaceAround'),
    maxDisplacement: Math.max(0, readLength('maxDisplacement')),
    wrapAt: Math.max(0, readLength('autoWrap')),
    followsLine: readFlag('followLine', false),
    maxAngleDelta: (sampleNumber(findOption('maxAngleDelta'), DEFAULT_ANGLE_DELTA) * Math.PI) / 180,
    repeat: Math.max(0, readLength('repeat')),
    isPartial: readFlag('partials', false),
    isGrouped: readFlag('group', false),
    labelsAllOfGroup: readFlag('labelAllGroup', false),
    readsLeftToRight: readFlag('forceLeftToRight', true),
    mayOverrun: readFlag('allowOverruns', true),
    goodnessOfFit: Math.min(1, Math.max(0, sampleNumber(findOption('goodnessOfFit'), DEFAULT_FIT))),
    polygonAlign: align === 'ortho' || align === 'mbr' ? align : 'none',
  };
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

const DEFAULT_FONT_PIXELS = 10;
const MAX_FONT_PIXELS = 1_000;
const MAX_HALO_PIXELS = 100;
const LINE_SPACING = 1.2;

export function measureLabel(library: CanvasLibrary, { symbolizer, lengths, text, options }: Label): MeasuredLabel {
  const { font, halo } = symbolizer;
  const fontPixels = Math.min(MAX_FONT_PIXELS, Math.max(1, readPixels(lengths, font?.size, DEFAULT_FONT_PIXELS)));
  const look = readLetterStyle(symbolizer.vendorOptions, lengths.factor);
  const lettering = createLettering(library, font, fontPixels, look);
  const lines = text
    .split(/\r\n|[\n\r]/)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .flatMap((line) => (options.wrapAt > 0 ? wrapLine(lettering, line, options.wrapAt) : line))
    .filter((line) => line !== '');
  return {
    lines,
    fontPixels,
    haloPixels: halo ? Math.min(MAX_HALO_PIXELS, Math.max(0, readPixels(lengths, halo.radius, 1))) : 0,
    width: lines.reduce((widest, line) => Math.max(widest, measureLine(lettering, line)), 1),
    height: fontPixels * (1 + Math.max(0, lines.length - 1) * LINE_SPACING),
    look,
    lettering,
  };
}

function wrapLine(lettering: Lettering, line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && measureLine(lettering, longer) > width) {
      lines.push(current);
      current = word;
    } else {
      current = longer;
    }
  }
  return [...lines, current];
}

/** Merges equal labels of a rule into one label of the largest part; joins touching lines first. */
export function groupLabels(labels: readonly Label[]): readonly Label[] {
  const groups = new Map<string, Label[]>();
  const keys = new Map<object, number>();
  const result: Label[] = [];
  for (const label of labels) {
    if (!label.options.isGrouped) {
      result.push(label);
      continue;
    }
    const font = label.symbolizer.font ?? label.symbolizer.kind;
    const style = typeof font === 'string' ? -1 : (keys.get(font) ?? keys.set(font, keys.size).size - 1);
    const key = `${label.kind} ${style} ${label.text}`;
    const group = groups.get(key);
    if (group !== undefined) {
      group.push(label);
      continue;
    }
    groups.set(key, [label]);
  }
  return [
    ...result,
    ...[...groups.values()].flatMap(([first, ...others]) => (first ? mergeLabels(first, others) : [])),
  ];
}

function mergeLabels(first: Label, others: readonly Label[]): readonly Label[] {
  const parts = [first, ...others].flatMap(({ parts: each }) => each);
  if (first.kind === POINTS) return first.options.labelsAllOfGroup ? [first, ...others] : [first];
  if (first.kind === POLYGONS) return [{ ...first, parts }];
  const lines = joinLines(parts.map(({ places }) => places)).map((places) => ({ places, isOuter: true }));
  return first.options.labelsAllOfGroup
    ? lines.map((line) => ({ ...first, parts: [line] }))
    : [{ ...first, parts: lines }];
}
