/** Draws a lat/lon box on a graticule, with its bounds in words. */
import type { Bounds } from '../../crs/bounds.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';

/** Line spacings in degrees; the first one with few enough lines is used. */
const spacings = [0.000_1, 0.001, 0.01, 0.1, 0.5, 1, 5, 10, 30] as const;
/** More lines make the figure illegible. */
const MAX_LINES = 12;

/** Size of the figure in its own units: twice as wide as high, like the world. */
const WIDTH = 320;
const HEIGHT = 160;

/** The share of the figure that a box may fill, so that its surroundings are visible. */
const SHARE = 0.4;

export function drawExtentFigure(bounds: Bounds | null): readonly Html[] {
  if (bounds === null || !Object.values(bounds).every(Number.isFinite)) {
    return [];
  }
  const shown = computeFrame(bounds);
  const x = (longitude: number) => round(((longitude - shown.minX) / (shown.maxX - shown.minX)) * WIDTH);
  const y = (latitude: number) => round(((shown.maxY - latitude) / (shown.maxY - shown.minY)) * HEIGHT);
  const meridians = computeGridLines(shown.minX, shown.maxX).map((each) => `M${x(each)} 0V${HEIGHT}`);
  const parallels = computeGridLines(shown.minY, shown.maxY).map((each) => `M0 ${y(each)}H${WIDTH}`);
  // Minimum size, so that a tiny box stays visible.
  const width = Math.max(3, x(bounds.maxX) - x(bounds.minX));
  const height = Math.max(3, y(bounds.minY) - y(bounds.maxY));
  return [
    html`<figure><svg class="extent" viewBox="0 0 ${text(WIDTH)} ${text(HEIGHT)}" role="img" aria-label="Extent on a graticule">
<path class="lines" d="${text([...meridians, ...parallels].join(''))}"/>
<rect class="box" x="${text(x(bounds.minX))}" y="${text(y(bounds.maxY))}" width="${text(width)}" height="${text(height)}"/>
</svg>
<figcaption>${text(`${latitude(bounds.minY)} to ${latitude(bounds.maxY)}, ${longitude(bounds.minX)} to ${longitude(bounds.maxX)}`)}</figcaption></figure>`,
  ];
}

/** The part of the world that leaves room around the box. */
function computeFrame({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const height = Math.max((maxY - minY) / SHARE, (maxX - minX) / SHARE / 2, 0.001);
  if (height >= 180) {
    const [west, south] = [Math.min(-180, minX), Math.min(-90, minY)];
    return { minX: west, minY: south, maxX: Math.max(180, maxX), maxY: Math.max(90, maxY) };
  }
  const [middleX, middleY] = [(minX + maxX) / 2, (minY + maxY) / 2];
  return { minX: middleX - height, maxX: middleX + height, minY: middleY - height / 2, maxY: middleY + height / 2 };
}

function computeGridLines(from: number, to: number): readonly number[] {
  const spacing = spacings.find((each) => (to - from) / each <= MAX_LINES) ?? (to - from) / MAX_LINES;
  const first = Math.ceil(from / spacing);
  const count = Math.max(0, Math.floor(to / spacing) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * spacing);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function latitude(degrees: number): string {
  return `${formatDegrees(degrees)}${degrees < 0 ? 'S' : 'N'}`;
}

function longitude(degrees: number): string {
  return `${formatDegrees(degrees)}${degrees < 0 ? 'W' : 'E'}`;
}

/** Rounded to about a metre. */
function formatDegrees(degrees: number): string {
  return `${Number(Math.abs(degrees).toFixed(5))}°`;
}
