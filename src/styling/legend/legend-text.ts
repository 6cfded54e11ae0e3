/** Draws the text of a legend: titles and labels, wrapped to a maximum length. */
import type { CanvasLibrary, DrawingContext } from './canvas/canvas.ts';
import type { LegendFont, ResolvedAppearance } from './legend-appearance.ts';

const maxLabelPixels = 400;
const maxLabelCharacters = 200;
/** The maximum number of lines of a label. */
export const maxLines = 10;

/** Returns the width of a line in pixels. */
export type MeasureText = (line: string) => number;

/** Each text has its own list of fonts, with one for each of its characters. */
export function createTextMeasure(context: DrawingContext, { typeface, pixels }: LegendFont): MeasureText {
  return (line) => {
    typeface.setFont(context, pixels, line);
    return context.measureText(line).width;
  };
}

/** Wraps a label; returns no lines for an empty one. */
export function wrapLabel(measure: MeasureText, label: string, wrapLimit: number | undefined): readonly string[] {
  const words = label.replace(/\s+/g, ' ').trim();
  if (words === '') return [];
  const lines: string[] = [];
  for (const word of wrapLimit === undefined ? [words] : words.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && measure(longer) <= (wrapLimit ?? 0)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.slice(0, maxLines).map((line) => shortenLine(measure, line));
}

function shortenLine(measure: MeasureText, line: string): string {
  let text = line.slice(0, maxLabelCharacters).toWellFormed();
  if (text.length === line.length && measure(text) <= maxLabelPixels) return text;
  while (text !== '' && measure(`${text}…`) > maxLabelPixels) text = text.slice(0, -1).toWellFormed();
  return `${text}…`;
}

export interface LegendTextLines {
  readonly lines: readonly string[];
  readonly left: number;
  /** Of the first line. */
  readonly middle: number;
  readonly isTitle?: boolean;
}

export function writeLines(
  context: DrawingContext,
  look: ResolvedAppearance,
  { lines, left, middle, isTitle }: LegendTextLines,
) {
  context.save();
  const { typeface, pixels } = isTitle ? look.titleFont : look.font;
  context.fillStyle = look.fontColor;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  for (const [index, line] of lines.entries()) {
    typeface.setFont(context, pixels, line);
    context.fillText(line, left, middle + index * look.linePixels);
  }
  context.restore();
}

/** Draws text without antialiasing. */
export function writeSharply(
  library: CanvasLibrary,
  context: DrawingContext,
  size: { readonly width: number; readonly height: number },
  write: (context: DrawingContext) => void,
): void {
  const surface = library.createCanvas(size.width, size.height);
  const letters = surface.getContext('2d');
  write(letters);
  const { data } = letters.getImageData(0, 0, size.width, size.height);
  for (let at = 3; at < data.length; at += 4) data[at] = (data[at] ?? 0) >= 128 ? 255 : 0;
  letters.putImageData(new library.ImageData(data, size.width, size.height), 0, 0);
  context.drawImage(surface, 0, 0, size.width, size.height);
}
