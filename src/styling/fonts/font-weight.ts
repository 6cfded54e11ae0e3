/** The words for weights of letters, with their numbers. */

export const NORMAL_WEIGHT = 400;
export const BOLD_WEIGHT = 700;

const weights: ReadonlyMap<string, number> = new Map([
  ...['thin', 'hairline'].map((word) => [word, 100] as const),
  ...['extralight', 'ultralight'].map((word) => [word, 200] as const),
  ...['light', 'lighter'].map((word) => [word, 300] as const),
  ...['normal', 'regular', 'book', 'roman'].map((word) => [word, NORMAL_WEIGHT] as const),
  ['medium', 500],
  ...['semibold', 'demibold', 'demi'].map((word) => [word, 600] as const),
  ...['bold', 'bolder'].map((word) => [word, BOLD_WEIGHT] as const),
  ...['extrabold', 'ultrabold'].map((word) => [word, 800] as const),
  ...['black', 'heavy'].map((word) => [word, 900] as const),
]);

/** Returns the weight of a word, such as `semi-bold`, or of a number from 1 to 1000; undefined for other texts. */
export function parseWeight(text: string): number | undefined {
  const word = text.toLowerCase().replace(/["'\s_-]/g, '');
  const number = /^\d+(?:\.\d+)?$/.test(word) ? Number(word) : undefined;
  if (number !== undefined) return number >= 1 && number <= 1_000 ? number : undefined;
  // `bold italic` is written by mistake.
  return weights.get(word) ?? (word.startsWith('bold') ? BOLD_WEIGHT : undefined);
}

/** The widths of letters in CSS, in percent of the normal one. */
const widths: readonly (readonly [percent: number, word: string])[] = [
  [50, 'ultra-condensed'],
  [62.5, 'extra-condensed'],
  [75, 'condensed'],
  [87.5, 'semi-condensed'],
  [100, 'normal'],
  [112.5, 'semi-expanded'],
  [125, 'expanded'],
  [150, 'extra-expanded'],
  [200, 'ultra-expanded'],
];

export const NORMAL_WIDTH_PERCENT = 100;

/** Returns the nearest width of CSS. */
export function nameWidth(percent: number): string {
  return widths.reduce((best, each) => (Math.abs(each[0] - percent) < Math.abs(best[0] - percent) ? each : best))[1];
}

/** Returns the width in percent of a width class of a font file, which counts from 1 to 9. */
export function toWidthPercent(widthClass: number): number {
  return widths[widthClass - 1]?.[0] ?? NORMAL_WIDTH_PERCENT;
}
