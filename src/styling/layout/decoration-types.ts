/** The types of decorations with their options, each declared once: reading, warnings and documentation use them. */
import { formatColor, parseColor } from '../../lib/values/parse-color.ts';

export interface OptionKind<V> {
  /** Describes valid values. */
  readonly expected: string;
  /** Returns undefined for an invalid text. */
  readonly parse: (text: string) => V | undefined;
  readonly default: V;
}

export interface DecorationOption<V> extends OptionKind<V> {
  readonly description: string;
}

type OptionTable = Readonly<Record<string, DecorationOption<unknown>>>;

export interface DecorationType<T extends OptionTable = OptionTable> {
  readonly description: string;
  readonly options: T;
}

/** Limits of text on a map; larger text covers the map. */
const MAX_FONT_PIXELS = 200;
const MAX_HALO_PIXELS = 20;
const MAX_TEXT_CHARACTERS = 2_000;

/** Percentages are usual; fractions come from styles. */
const opacity: OptionKind<number> = {
  expected: 'a percentage from 0 to 100, or a fraction up to 1',
  parse: (text) => {
    const number = readNumber(text, 0, 100);
    return number !== undefined && number > 1 ? number / 100 : number;
  },
  default: 1,
};

function text(initial = ''): OptionKind<string> {
  return {
    expected: `a text of at most ${MAX_TEXT_CHARACTERS} characters`,
    parse: (written) => (written.length > MAX_TEXT_CHARACTERS ? undefined : written),
    default: initial,
  };
}

/** `#RRGGBB`. */
function color(initial: string): OptionKind<string> {
  return {
    expected: 'a colour such as #FF0000 or red',
    parse: (written) => {
      const found = parseColor(written);
      return found && formatColor(found);
    },
    default: initial,
  };
}

function pixels(initial: number, most: number): OptionKind<number> {
  return {
    expected: `a number of pixels from 0 to ${most}`,
    parse: (written) => readNumber(written, 0, most),
    default: initial,
  };
}

function flag(initial: boolean): OptionKind<boolean> {
  return {
    expected: 'true or false',
    parse: (written) =>
      ({ true: true, false: false, yes: true, no: false, on: true, off: false })[written.toLowerCase()],
    default: initial,
  };
}

function choice<const V extends string>(values: readonly V[], initial: V): OptionKind<V> {
  return {
    expected: `one of ${values.join(', ')}`,
    parse: (written) => values.find((each) => each === written.toLowerCase()),
    default: initial,
  };
}

function option<V>(kind: OptionKind<V>, description: string): DecorationOption<V> {
  return { ...kind, description };
}

function type<T extends OptionTable>(description: string, options: T): DecorationType<T> {
  return { description, options };
}

const opacityOption = option(opacity, 'The opacity of the picture.');
const foreground = option(color('#000000'), 'The colour of lines and letters.');
const background = option(color('#FFFFFF'), 'The colour behind it.');
const isTransparent = option(flag(false), 'Whether nothing is drawn behind it.');
const fontSize = option(pixels(12, MAX_FONT_PIXELS), 'The size of letters.');

const northArrow = type('An arrow that points to the north at the centre of the map.', {
  fgcolor: foreground,
  bgcolor: background,
});

export const decorationTypes = {
  image: type('A picture of the folder layouts or of the folder styles, or from an address that URL checks allow.', {
    url: option(text(), 'The file or the address of the picture. Required.'),
    opacity: opacityOption,
  }),
  watermark: type('The watermark of the WMS settings, at the position of the decoration.', {
    opacity: option({ ...opacity, default: Number.NaN }, 'The opacity; by default that of the settings.'),
  }),
  text: type('One or several lines of text.', {
    message: option(text(), 'The text. Required.'),
    'font-family': option(text('sans'), 'The font.'),
    'font-size': fontSize,
    'font-bold': option(flag(false), 'Whether letters are bold.'),
    'font-italic': option(flag(false), 'Whether letters are italic.'),
    'font-color': option(color('#000000'), 'The colour of letters.'),
    'halo-radius': option(pixels(0, MAX_HALO_PIXELS), 'The width of the halo around letters.'),
    'halo-color': option(color('#FFFFFF'), 'The colour of the halo.'),
  }),
  scaleratio: type('The scale, such as 1 : 50,000.', {
    bgcolor: background,
    fgcolor: foreground,
    fontsize: fontSize,
    transparent: isTransparent,
    format: option(text('#,##0'), 'The format of the number, such as 0 or #,##0.'),
    formatLanguage: option(text(), 'Accepted without an effect: numbers have English separators.'),
  }),
  scaleline: type('A line with its length on the ground at the centre of the map.', {
    bgcolor: background,
    fgcolor: foreground,
    fontsize: fontSize,
    transparent: isTransparent,
    'measurement-system': option(choice(['both', 'metric', 'imperial'], 'both'), 'The units.'),
  }),
  legend: type('The legend of the layers of the map.', {
    layers: option(text(), 'The only layers of the legend, separated by commas; by default all layers of the map.'),
    opacity: opacityOption,
    bgcolor: background,
    transparent: isTransparent,
  }),
  northarrow: northArrow,
  compass: type('A compass that shows the north at the centre of the map.', northArrow.options),
} as const;

export type DecorationTypeName = keyof typeof decorationTypes;

export type OptionsOf<N extends DecorationTypeName> = {
  readonly [K in keyof (typeof decorationTypes)[N]['options']]: (typeof decorationTypes)[N]['options'][K] extends DecorationOption<
    infer V
  >
    ? V
    : never;
};

export function isDecorationType(name: string): name is DecorationTypeName {
  return Object.hasOwn(decorationTypes, name);
}

/** Names are case-insensitive. */
export function findDecorationOption(
  typeName: DecorationTypeName,
  name: string,
): [string, DecorationOption<unknown>] | undefined {
  const options: OptionTable = decorationTypes[typeName].options;
  return Object.entries(options).find(([known]) => known.toLowerCase() === name.toLowerCase());
}

/** Returns all options of a type: invalid and absent ones have their default. */
export function readDecorationOptions<N extends DecorationTypeName>(
  typeName: N,
  written: ReadonlyMap<string, string>,
): OptionsOf<N> {
  const options: OptionTable = decorationTypes[typeName].options;
  const entries = Object.entries(options).map(([name, kind]) => {
    const value = written.get(name);
    return [name, (value === undefined ? undefined : kind.parse(value.trim())) ?? kind.default];
  });
  return Object.fromEntries(entries) as OptionsOf<N>;
}

function readNumber(written: string, least: number, most: number): number | undefined {
  const number = /^\s*[\d.]+\s*(?:px)?\s*$/i.test(written) ? Number.parseFloat(written) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}
