/** What LEGEND_OPTIONS says of a legend; what cannot be read says nothing. */
import type { LegendAppearance } from '../../styling/legend/legend-look.ts';
import { present } from '../ows/parameters.ts';

export interface LegendOptions {
  readonly look: LegendAppearance;
  /** Whether layers are named above their samples; where there are several by default. */
  readonly hasTitles: boolean | undefined;
  /** Whether the legends of several layers stand side by side. */
  readonly isGroupHorizontal: boolean;
  /** `#rrggbb`. */
  readonly background: string;
  /** The colour of the line around it; undefined for none. */
  readonly border: string | undefined;
  readonly tellsCounts: boolean;
  readonly hidesEmpty: boolean;
}

/** `sampleWidth` is that of one sample, in pixels. */
export function readLegendOptions(options: ReadonlyMap<string, string>, sampleWidth: number): LegendOptions {
  const word = (name: string): string | undefined => options.get(name)?.toLowerCase();
  const hasBorder = isOn(word('border'));
  return {
    look: lookOf(options, word, sampleWidth),
    hasTitles: switched(word('forcetitles')),
    isGroupHorizontal: word('grouplayout') === 'horizontal',
    background: colourNamed(options.get('bgcolor')) ?? '#ffffff',
    border: hasBorder ? (colourNamed(options.get('bordercolor')) ?? '#000000') : undefined,
    tellsCounts: isOn(word('countmatched')),
    hidesEmpty: isOn(word('hideemptyrules')),
  };
}

const STANDARD_DPI = 25.4 / 0.28;
const MIN_DPI = 10;
const MAX_DPI = 1_200;

/** Labels are wrapped here where nobody says where. */
const WRAP_PIXELS = 100;

function lookOf(
  options: ReadonlyMap<string, string>,
  word: (name: string) => string | undefined,
  sampleWidth: number,
): LegendAppearance {
  const above = (name: string): number | undefined => {
    const number = Number(options.get(name));
    return number > 0 && Number.isFinite(number) ? number : undefined;
  };
  const style = word('fontstyle');
  const dpi = above('dpi');
  const isHorizontal = word('layout') === 'horizontal';
  const lines = above(isHorizontal ? 'rows' : 'columns');
  // Margins are in pixels, or else shares of a sample.
  const unit = switched(word('absolutemargins')) === false ? sampleWidth : 1;
  const margin = Number(options.get('labelmargin') ?? Number.NaN) * unit;
  return {
    ...present('fontName', word('fontname')),
    ...present('fontSize', above('fontsize')),
    ...present('fontColor', colourNamed(options.get('fontcolor'))),
    ...present('hasLabels', switched(word('forcelabels'))),
    ...present('hasSmoothLetters', switched(word('fontantialiasing'))),
    ...present('labelMargin', margin >= 0 ? margin : undefined),
    ...present('wrapLimit', isOn(word('wrap')) ? (above('wrap_limit') ?? WRAP_PIXELS) : undefined),
    ...present('factor', dpi !== undefined && dpi >= MIN_DPI && dpi <= MAX_DPI ? dpi / STANDARD_DPI : undefined),
    isBold: style === 'bold' || style === 'bold-italic',
    isItalic: style === 'italic' || style === 'bold-italic',
    listsColors: true,
    arrangement: {
      isHorizontal,
      lines: lines === undefined ? undefined : Math.max(1, Math.floor(lines)),
      lineLength: above(isHorizontal ? 'rowwidth' : 'columnheight'),
    },
  };
}

function isOn(word: string | undefined): boolean {
  return switched(word) === true;
}

function switched(word: string | undefined): boolean | undefined {
  if (word === 'on' || word === 'true' || word === 'yes') return true;
  return word === 'off' || word === 'false' || word === 'no' ? false : undefined;
}

/** `0xRRGGBB` or `#RRGGBB`. */
function colourNamed(text: string | undefined): string | undefined {
  const [, digits] = /^(?:0x|#)?([0-9a-f]{6})$/i.exec(text?.trim() ?? '') ?? [];
  return digits === undefined ? undefined : `#${digits.toLowerCase()}`;
}
