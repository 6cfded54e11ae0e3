/** The vendor options of styles, with their values. Warnings at uploads and the documentation follow from this table. */
import { findNearestName } from '../../lib/text/nearest-name.ts';
import { toPrintable } from '../../lib/text/wording.ts';
import { parseAxisValues } from '../fonts/font-variation.ts';
import type { VendorOption } from '../model/model.ts';

/** The parts of a style that options belong to: kinds of the model, and their elements in SLD. */
export const optionPlaces = {
  textSymbolizer: 'TextSymbolizer',
  polygonSymbolizer: 'PolygonSymbolizer',
  lineSymbolizer: 'LineSymbolizer',
  pointSymbolizer: 'PointSymbolizer',
  rasterSymbolizer: 'RasterSymbolizer',
  featureTypeStyle: 'FeatureTypeStyle',
  rule: 'Rule',
  contrastEnhancement: 'ContrastEnhancement',
} as const;

export type OptionPlace = keyof typeof optionPlaces;

interface OptionValues {
  /** Completes the sentence "must be". */
  readonly expected: string;
  readonly accepts: (text: string) => boolean;
}

export interface OptionDescription {
  readonly name: string;
  readonly places: readonly OptionPlace[];
  readonly values: OptionValues;
  /** As text; empty without one. */
  readonly byDefault: string;
  readonly meaning: string;
  /** Whether the option is known and has no effect. */
  readonly isIgnored?: true;
}

function createWords(...words: readonly string[]): OptionValues {
  const lower = words.map((word) => word.toLowerCase());
  return {
    expected: words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words.join(''),
    accepts: (text) => lower.includes(text.toLowerCase()),
  };
}

function createNumber(from: number, to = Number.POSITIVE_INFINITY): OptionValues {
  const expected = Number.isFinite(to)
    ? `a number from ${from} to ${to}`
    : Number.isFinite(from)
      ? `a number from ${from}`
      : 'a number';
  return { expected, accepts: (text) => isNumber(text) && Number(text) >= from && Number(text) <= to };
}

function isNumber(text: string): boolean {
  return text !== '' && Number.isFinite(Number(text));
}

/** Lengths may have a unit. */
function isLength(text: string): boolean {
  return isNumber(text.replace(/\s*(?:px|m|ft)$/, ''));
}

const flag: OptionValues = {
  expected: 'true or false',
  accepts: (text) => ['true', 'false', 'yes', 'no'].includes(text.toLowerCase()),
};
const pixels: OptionValues = {
  expected: 'a number of pixels from 0',
  accepts: (text) => isLength(text) && !text.startsWith('-'),
};
const signedPixels: OptionValues = { expected: 'a number of pixels', accepts: isLength };
const scatteredSymbols: OptionValues = {
  expected: 'an integer from 1 to 500',
  accepts: (text) => /^[1-9]\d*(?:\.0*)?$/.test(text) && Number(text) <= 500,
};
const tilePixels: OptionValues = {
  expected: 'a number of pixels from 1 to 1024',
  accepts: (text) => {
    // The pixels of a length in metres or feet depend on the scale: it is not a number here.
    const length = Number(text.replace(/\s*px$/, ''));
    return pixels.accepts(text) && !(length < 1 || length > 1024);
  },
};
const integer: OptionValues = { expected: 'an integer', accepts: (text) => /^-?\d+(?:\.0*)?$/.test(text) };
const share = createNumber(0, 1);
const anyText: OptionValues = { expected: 'a text', accepts: (text) => text !== '' };
const margin: OptionValues = {
  expected: 'one to four numbers of pixels: top, right, bottom, left',
  accepts: (text) => {
    const lengths = text.split(/[\s,]+/);
    return lengths.length <= 4 && lengths.every(isLength);
  },
};
const compassPoints = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
const directions: OptionValues = {
  expected: `a list of ${compassPoints.join(', ')}`,
  accepts: (text) => text.split(/[\s,]+/).every((word) => compassPoints.includes(word.toUpperCase())),
};

/** The modes of `composite`. */
export const compositeModes: readonly string[] = [
  ...['copy', 'destination', 'source-over', 'destination-over', 'source-in', 'destination-in', 'source-out'],
  ...['destination-out', 'source-atop', 'destination-atop', 'xor'],
  ...['multiply', 'screen', 'overlay', 'darken', 'lighten', 'color-dodge', 'color-burn', 'hard-light', 'soft-light'],
  ...['difference', 'exclusion'],
];
const composite: OptionValues = {
  expected: `a mode and optionally an opacity, such as 'multiply, 0.5'. Modes: ${compositeModes.join(', ')}`,
  accepts: (text) => {
    const [mode = '', opacity = '1', ...others] = text.split(',').map((part) => part.trim().toLowerCase());
    return compositeModes.includes(mode) && share.accepts(opacity) && others.length === 0;
  },
};
const sortKeys: OptionValues = {
  expected: 'names of attributes, each followed by A or D if needed',
  accepts: (text) => text.split(',').every((key) => /^\S+(?:\s+[AD]\w*)?$/i.test(key.trim())),
};

const shapes = ['pointSymbolizer', 'lineSymbolizer', 'polygonSymbolizer', 'rasterSymbolizer'] as const;
const symbolizers = [...shapes, 'textSymbolizer'] as const;

interface Row extends Partial<Pick<OptionDescription, 'isIgnored'>> {
  readonly values: OptionValues;
  readonly byDefault?: string;
  readonly meaning: string;
}

function createOptions(
  places: readonly OptionPlace[],
  rows: Readonly<Record<string, Row>>,
): readonly OptionDescription[] {
  return Object.entries(rows).map(([name, row]) => ({ name, places, byDefault: '', ...row }));
}

const labelPlacement = createOptions(['textSymbolizer'], {
  group: { values: flag, byDefault: 'false', meaning: 'Draws one label for all features of the same text.' },
  labelAllGroup: { values: flag, byDefault: 'false', meaning: 'Labels every separate line of a group.' },
  removeOverlaps: { values: flag, byDefault: 'false', meaning: 'Counts common parts of the lines of a group once.' },
  minGroupDistance: { values: signedPixels, meaning: 'The least distance between labels of the same text.' },
  repeat: { values: signedPixels, byDefault: '0', meaning: 'The distance of repeated labels along a line.' },
  maxDisplacement: { values: signedPixels, byDefault: '0', meaning: 'How far a label may move from its place.' },
  displacementMode: {
    values: directions,
    byDefault: 'E, NE, N, NW, W, SW, S, SE',
    meaning: 'The directions in which labels of points and polygons move, in the order to try.',
  },
  followLine: { values: flag, byDefault: 'false', meaning: 'Bends the label along its line.' },
  maxAngleDelta: { values: createNumber(0), byDefault: '22.5', meaning: 'The largest angle between two letters.' },
  forceLeftToRight: { values: flag, byDefault: 'true', meaning: 'Turns labels that would be upside down.' },
  allowOverruns: { values: flag, byDefault: 'true', meaning: 'A label may be longer than its line.' },
  allowOverrun: { values: flag, byDefault: 'true', meaning: 'The same as `allowOverruns`.' },
  conflictResolution: { values: flag, byDefault: 'true', meaning: 'Omits labels that would cover another one.' },
  spaceAround: { values: signedPixels, byDefault: '0', meaning: 'The space around a label; may be negative.' },
  partials: { values: flag, byDefault: 'false', meaning: 'A label may be cut off at the edge of the map.' },
  goodnessOfFit: { values: share, byDefault: '0.5', meaning: 'The share of a label that must be in its polygon.' },
  polygonAlign: {
    values: createWords('manual', 'ortho', 'mbr', 'none'),
    byDefault: 'manual',
    meaning: 'Turns the label with its polygon: in right angles, or along the smallest rectangle.',
  },
});

const labelText = createOptions(['textSymbolizer'], {
  autoWrap: { values: signedPixels, byDefault: '0', meaning: 'The width at which lines of text are broken.' },
  charSpacing: { values: signedPixels, byDefault: '0', meaning: 'Additional space between letters.' },
  wordSpacing: { values: signedPixels, byDefault: '0', meaning: 'Additional space between words.' },
  underlineText: { values: flag, byDefault: 'false', meaning: 'Underlines the text.' },
  strikethroughText: { values: flag, byDefault: 'false', meaning: 'Strikes the text through.' },
  fontShrinkSizeMin: {
    values: signedPixels,
    byDefault: '0',
    meaning: 'Smaller letters are tried down to this size before a label is omitted.',
  },
  'font-variation': {
    values: {
      expected: "values of axes, such as 'wght 650, wdth 80'",
      accepts: (text) => parseAxisValues(text) !== undefined,
    },
    meaning: 'The axes of a variable font.',
  },
  'graphic-resize': {
    values: createWords('none', 'stretch', 'proportional'),
    byDefault: 'none',
    meaning: 'Fits the graphic behind a label to its text.',
  },
  graphicPlacement: {
    values: createWords('label', 'independent'),
    byDefault: 'label',
    meaning: 'Whether the graphic is centred on the text or has its own anchor and displacement.',
  },
  kerning: { values: flag, byDefault: 'true', meaning: 'Letters are always kerned.', isIgnored: true },
});

const fills = createOptions(['polygonSymbolizer'], {
  random: {
    values: createWords('none', 'grid', 'free'),
    byDefault: 'none',
    meaning: 'Scatters the symbols of a fill: one in each cell, or anywhere. Symbols do not overlap.',
  },
  'random-tile-size': { values: tilePixels, byDefault: '256', meaning: 'The side of the tile that is repeated.' },
  'random-symbol-count': {
    values: scatteredSymbols,
    byDefault: '16',
    meaning: 'The number of symbols in a tile, if they fit.',
  },
  'random-seed': { values: integer, byDefault: '0', meaning: 'Another number gives another arrangement.' },
  'random-rotation': { values: createWords('none', 'free'), byDefault: 'none', meaning: 'Turns each symbol.' },
  'random-space-around': { values: pixels, byDefault: '0', meaning: 'The space around each symbol.' },
});

const lines = createOptions(['lineSymbolizer', 'polygonSymbolizer'], {
  markAlongLine: { values: flag, byDefault: 'false', meaning: 'Bends the marks of a graphic stroke along the line.' },
  markAlongLineScaleLimit: {
    values: share,
    meaning: 'Scales the last mark to the rest of the line, down to this scale; 1 omits it. It is cut off by default.',
  },
  markAlongLineSimplify: {
    values: share,
    byDefault: '0',
    meaning: 'Simplifies the line before marks are bent, by this share of their size.',
  },
});

const points = createOptions(['pointSymbolizer'], {
  fallbackOnDefaultMark: {
    values: flag,
    byDefault: 'true',
    meaning: 'Draws a crossed box for a missing picture, and a square for an unknown mark.',
  },
});

const common = [
  ...createOptions(shapes, {
    labelObstacle: {
      values: flag,
      byDefault: 'false',
      meaning: 'Keeps labels of other features away from the symbol.',
    },
  }),
  ...createOptions([...shapes, 'featureTypeStyle'], {
    composite: { values: composite, byDefault: 'source-over', meaning: 'Blends with the content below.' },
  }),
  ...createOptions(['polygonSymbolizer', 'textSymbolizer'], {
    'graphic-margin': {
      values: margin,
      byDefault: '0',
      meaning: 'The space around the symbols of a fill or a shield.',
    },
  }),
  ...createOptions([...symbolizers, 'rule', 'featureTypeStyle'], {
    inclusion: {
      values: createWords('normal', 'legendOnly', 'mapOnly'),
      byDefault: 'normal',
      meaning: 'Restricts the part to legends or to maps.',
    },
  }),
  ...createOptions([...shapes, 'featureTypeStyle'], {
    exactStrokes: {
      values: flag,
      byDefault: 'false',
      meaning: 'Draws lines in their written width, not half a pixel wider.',
    },
  }),
];

const layers = createOptions(['featureTypeStyle'], {
  ruleEvaluation: {
    values: createWords('all', 'first'),
    byDefault: 'all',
    meaning: 'Whether a feature is drawn by all matching rules or by the first.',
  },
  sortBy: { values: sortKeys, meaning: 'The order in which features are drawn. The first one of a style applies.' },
  sortByGroup: {
    values: anyText,
    meaning: 'Draws feature type styles of the same group level by level, also across layers. Needs `sortBy`.',
  },
  'composite-base': {
    values: flag,
    byDefault: 'false',
    meaning: 'Starts a separate picture, on which the following feature type styles are drawn.',
  },
  transformFeatureInfo: {
    values: flag,
    byDefault: 'true',
    meaning: 'Whether GetFeatureInfo returns the result of the transformation.',
  },
  firstMatch: { values: flag, meaning: 'Use `ruleEvaluation`.', isIgnored: true },
  translateTitles: { values: flag, meaning: 'Titles are not translated.', isIgnored: true },
});

const rasters = [
  ...createOptions(['contrastEnhancement'], {
    algorithm: {
      values: createWords('StretchToMinimumMaximum', 'ClipToMinimumMaximum', 'ClipToZero'),
      byDefault: 'StretchToMinimumMaximum',
      meaning: 'How `Normalize` uses the range of values.',
    },
    minValue: { values: createNumber(Number.NEGATIVE_INFINITY), meaning: 'The lower end of the range.' },
    maxValue: { values: createNumber(Number.NEGATIVE_INFINITY), meaning: 'The upper end of the range.' },
    normalizationFactor: { values: createNumber(0), byDefault: '255', meaning: 'N in N log(1 + C v / N).' },
    correctionFactor: { values: createNumber(0), byDefault: '1', meaning: 'C in N log(1 + C v / N).' },
  }),
  ...createOptions(['rasterSymbolizer'], {
    labelInFeatureInfo: {
      values: createWords('none', 'add', 'replace'),
      byDefault: 'none',
      meaning: 'Whether GetFeatureInfo returns the label of the colour map: not, after the value, or instead of it.',
    },
    labelAttributeName: {
      values: anyText,
      byDefault: 'Label_ and the band',
      meaning: 'The name of that label in GetFeatureInfo. The name of a returned band is preceded by `Label_`.',
    },
  }),
];

const vectorTiles = createOptions(['featureTypeStyle', 'rule'], {
  'vt-attributes': {
    values: anyText,
    meaning: 'The attributes of vector tiles, separated by commas, unless the request has `properties`.',
  },
  'vt-coalesce': {
    values: flag,
    byDefault: 'false',
    meaning: 'Merges the features of vector tiles that have equal attributes. Merged features have no id.',
  },
  'vt-labels': {
    values: flag,
    byDefault: 'false',
    meaning:
      'Adds a layer with a point for the label of each feature to vector tiles, named like the layer with `-labels`.',
  },
  'vt-label-attributes': {
    values: anyText,
    byDefault: 'those of the layer',
    meaning: 'The attributes of that layer, separated by commas.',
  },
});

export const vendorOptions: readonly OptionDescription[] = [
  ...[...labelPlacement, ...labelText],
  ...[...fills, ...lines, ...points, ...common, ...layers, ...rasters, ...vectorTiles],
];

const byName = new Map(vendorOptions.map((option) => [option.name.toLowerCase(), option]));

/** Options that styles have for other programs, and that change nothing. */
const silentOptions: ReadonlySet<string> = new Set(['firstmatch', 'translatetitles', 'kerning']);

/** Returns a sentence on an option without effect or with an invalid value. `place` is a kind of the model. */
export function checkOption({ name, value }: VendorOption, place: string | undefined): string | undefined {
  const option = byName.get(name.trim().toLowerCase());
  const shown = `The vendor option '${toPrintable(name, 40)}'`;
  if (option === undefined) {
    const guess = findNearestName(
      name,
      [...byName.values()].map((each) => each.name),
    );
    return `${shown} has no effect on maps.${guess === undefined ? '' : ` Did you mean '${guess}'?`}`;
  }
  if (option.isIgnored) {
    return silentOptions.has(option.name.toLowerCase())
      ? undefined
      : `${shown} has no effect on maps. ${option.meaning}`;
  }
  if (isOptionPlace(place) && !option.places.includes(place)) {
    const right = option.places.map((each) => optionPlaces[each]).join(', ');
    return `${shown} has no effect in ${optionPlaces[place]}. It belongs to ${right}.`;
  }
  const text = value.kind === 'literal' ? value.value.trim() : undefined;
  if (text === undefined || text.includes('${') || option.values.accepts(text)) return undefined;
  return `${shown} has the invalid value '${toPrintable(text, 40)}'. It must be ${option.values.expected}.`;
}

function isOptionPlace(place: string | undefined): place is OptionPlace {
  return place !== undefined && Object.hasOwn(optionPlaces, place);
}
