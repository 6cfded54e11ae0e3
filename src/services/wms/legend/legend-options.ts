/** Parses LEGEND_OPTIONS; invalid values are ignored. */
import type { LegendAppearance } from '../../../styling/legend/legend-appearance.ts';
import { toOptionalProperty } from '../../ows/parameters.ts';

export interface LegendOptions {
  readonly look: LegendAppearance;
  /** Whether samples have layer titles; by default if there are several layers. */
  readonly hasTitles: boolean | undefined;
  /** Whether the legends of several layers are placed side by side. */
  readonly isGroupHorizontal: boolean;
  /** `#rrggbb`. */
  readonly background: string;
  /** The border colour; undefined for no border. */
  readonly border: string | undefined;
  readonly tellsCounts: boolean;
  readonly hidesEmpty: boolean;
}

/** `sampleWidth` is the width of one sample in pixels. */
export function readLegendOptions(options: ReadonlyMap<string, string>, sampleWidth: number): LegendOptions {
  const readWord = (name: string): string | undefined => options.get(name)?.toLowerCase();
  const hasBorder = isOn(readWord('border'));
  return {
    look: readLegendLook(options, readWord, sampleWidth),
    hasTitles: readSwitch(readWord('forcetitles')),
    isGroupHorizontal: readWord('grouplayout') === 'horizontal',
    background: readColor(options.get('bgcolor')) ?? '#ffffff',
    border: hasBorder ? (readColor(options.get('bordercolor')) ?? '#000000') : undefined,
    tellsCounts: isOn(readWord('countmatched')),
    hidesEmpty: isOn(readWord('hideemptyrules')),
  };
}

const STANDARD_DPI = 25.4 / 0.28;
/** The range of screens and printers. */
const MIN_DPI = 10;
const MAX_DPI = 1_200;

/** The default wrap width of labels. */
const WRAP_PIXELS = 100;

function readLegendLook(
  options: ReadonlyMap<string, string>,
  word: (name: string) => string | undefined,
  sampleWidth: number,
): LegendAppearance {
  const readPositive = (name: string): number | undefined => {
    const number = Number(options.get(name));
    return number > 0 && Number.isFinite(number) ? number : undefined;
  };
  const style = word('fontstyle');
  const dpi = readPositive('dpi');
  const isHorizontal = word('layout') === 'horizontal';
  const lines = readPositive(isHorizontal ? 'rows' : 'columns');
  // Margins are in pixels, or else fractions of a sample.
  const unit = readSwitch(word('absolutemargins')) === false ? sampleWidth : 1;
  const margin = Number(options.get('labelmargin') ?? Number.NaN) * unit;
  return {
    ...toOptionalProperty('fontName', word('fontname')),
    ...toOptionalProperty('fontSize', readPositive('fontsize')),
    ...toOptionalProperty('fontColor', readColor(options.get('fontcolor'))),
    ...toOptionalProperty('hasLabels', readSwitch(word('forcelabels'))),
    ...toOptionalProperty('hasSmoothLetters', readSwitch(word('fontantialiasing'))),
    ...toOptionalProperty('labelMargin', margin >= 0 ? margin : undefined),
    ...toOptionalProperty('wrapLimit', isOn(word('wrap')) ? (readPositive('wrap_limit') ?? WRAP_PIXELS) : undefined),
    ...toOptionalProperty(
      'factor',
      dpi !== undefined && dpi >= MIN_DPI && dpi <= MAX_DPI ? dpi / STANDARD_DPI : undefined,
    ),
    isBold: style === 'bold' || style === 'bold-italic',
    isItalic: style === 'italic' || style === 'bold-italic',
    listsColors: true,
    arrangement: {
      isHorizontal,
      lines: lines === undefined ? undefined : Math.max(1, Math.floor(lines)),
      lineLength: readPositive(isHorizontal ? 'rowwidth' : 'columnheight'),
    },
  };
}

function isOn(word: string | undefined): boolean {
  return readSwitch(word) === true;
}

function readSwitch(word: string | undefined): boolean | undefined {
  if (word === 'on' || word === 'true' || word === 'yes') return true;
  return word === 'off' || word === 'false' || word === 'no' ? false : undefined;
}

/** `0xRRGGBB` or `#RRGGBB`. */
function readColor(text: string | undefined): string | undefined {
  const [, digits] = /^(?:0x|#)?([0-9a-f]{6})$/i.exec(text?.trim() ?? '') ?? [];
  return digits === undefined ? undefined : `#${digits.toLowerCase()}`;
}
