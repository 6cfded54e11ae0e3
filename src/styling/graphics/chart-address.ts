/**
 * Parses charts: `http://chart?cht=p&chd=t:40,60&chco=ff0000,00ff00`. The address is a description, and is never
 * requested.
 */
import { findNearestName } from '../../lib/text/nearest-name.ts';
import { toPrintable } from '../../lib/text/wording.ts';
import type { OnlineResource } from '../model/paint.ts';

export interface Chart {
  /** In `points` and in lines that have x, the first series is x and the second is y. */
  readonly kind: 'pie' | 'bars' | 'lines' | 'points';
  /** Whether pairs of series are the x and y of lines. */
  readonly hasX: boolean;
  readonly isHorizontal: boolean;
  readonly isStacked: boolean;
  readonly hasAxes: boolean;
  /** NaN for missing values. */
  readonly series: readonly (readonly number[])[];
  readonly range: readonly [min: number, max: number];
  /** Of x. */
  readonly xRange: readonly [min: number, max: number];
  /** For each series, the colours of its values; the last one is repeated. CSS colours. */
  readonly colors: readonly (readonly string[])[];
  readonly background: string;
  /** Where the first slice of a pie begins: clockwise in radians, 0 to the right. */
  readonly startRadians: number;
  readonly lineWidth: number;
  /** In pixels, unless the graphic has a size. */
  readonly width: number;
  readonly height: number;
}

type ChartShape = Pick<Chart, 'kind' | 'isHorizontal' | 'isStacked' | 'hasAxes' | 'hasX'>;

const plain = { isHorizontal: false, isStacked: false, hasAxes: false, hasX: false };
const chartTypes: ReadonlyMap<string, ChartShape> = new Map<string, ChartShape>([
  ['p', { ...plain, kind: 'pie' }],
  ['p3', { ...plain, kind: 'pie' }],
  ['bhg', { ...plain, kind: 'bars', isHorizontal: true }],
  ['bhs', { ...plain, kind: 'bars', isHorizontal: true, isStacked: true }],
  ['bvg', { ...plain, kind: 'bars' }],
  ['bvs', { ...plain, kind: 'bars', isStacked: true }],
  ['lc', { ...plain, kind: 'lines', hasAxes: true }],
  ['ls', { ...plain, kind: 'lines' }],
  ['lxy', { ...plain, kind: 'lines', hasAxes: true, hasX: true }],
  ['s', { ...plain, kind: 'points', hasAxes: true, hasX: true }],
]);
const typeNames = [...chartTypes.keys()].join(', ');

/** The parameters of charts, for the documentation. */
export const chartParameters: Readonly<Record<string, string>> = {
  cht: `The type: ${typeNames}. \`p3\` is drawn flat.`,
  chd: 'The values: `t:` and numbers with commas, series with `|`. `lxy` has series of x and y in turn; x of `-1` means even distances. `s` has x, y and the sizes of points in percent.',
  chds: 'The range of bars, lines and points, `min,max`; 0,100 by default. `lxy` and `s` accept `minX,maxX,minY,maxY`.',
  chco: 'Colours as RRGGBB or RRGGBBAA: of slices or series with commas, of the values of a series with `|`.',
  chf: 'The background, `bg,s,RRGGBBAA`; white by default.',
  chp: 'The angle in radians at which a pie begins.',
  chls: 'The width of lines.',
  chs: 'The size in pixels, such as `60x40`, if the graphic has none; otherwise its proportions.',
};

const DEFAULT_PIXELS = 50;
/** A chart is a symbol on a map. */
const MAX_PIXELS = 1000;

/** More are not legible in a symbol. */
const MAX_SERIES = 20;
const MAX_VALUES = 100;

const defaultColors: readonly (readonly Rgba[])[] = [
  [[255, 153, 0, 1]],
  [[51, 102, 204, 1]],
  [[16, 150, 24, 1]],
  [[220, 57, 18, 1]],
  [[153, 0, 153, 1]],
  [[0, 153, 198, 1]],
];

/** Stands for an expression in an address that is checked. */
const DYNAMIC = '0';

/** The values of samples in legends, where expressions have none. */
const sampleValues = [40, 25, 60, 35];

export function isChartAddress(href: string): boolean {
  return /^\s*https?:\/\/chart\/?\?/i.test(href);
}

/** Returns undefined if the source is not a chart, or if its type is unknown. */
export function parseChart(source: OnlineResource): Chart | undefined {
  if (!isChartAddress(source.href)) return undefined;
  const query = readQuery(expandChartAddress(source));
  const shape = chartTypes.get((query.get('cht') ?? '').toLowerCase());
  const series = parseSeries(query.get('chd') ?? '');
  if (shape === undefined || series === undefined) return undefined;
  const [width, height] = parseSize(query.get('chs') ?? '');
  return {
    ...shape,
    series,
    ...parseRanges(query.get('chds') ?? '', shape.hasX),
    colors: parseColors(query.get('chco') ?? '', shape.kind === 'pie', series),
    background: parseBackground(query.get('chf') ?? ''),
    startRadians: readFinite(query.get('chp')),
    lineWidth: Math.min(20, Math.max(0, Number((query.get('chls') ?? '').split(',')[0]) || 2)),
    width,
    height,
  };
}

/** Returns sentences on what is not drawn as written. */
export function checkChart(href: string): readonly string[] {
  const query = readQuery(href.replaceAll(/\$\{[^}]*\}/g, DYNAMIC));
  const type = query.get('cht') ?? '';
  if (!chartTypes.has(type.toLowerCase()) && !type.includes(DYNAMIC)) {
    return [`Unknown chart type cht='${toPrintable(type, 40)}'. The chart is not drawn. Use ${typeNames}.`];
  }
  if (parseSeries(query.get('chd') ?? '') === undefined) {
    return ['A chart has no values and is not drawn. Write them as chd=t:10,20,30; expressions are allowed.'];
  }
  const names = Object.keys(chartParameters);
  return [...new Set(query.keys())]
    .filter((name) => !names.includes(name))
    .map((name) => {
      const guess = findNearestName(name, names);
      const hint = guess === undefined ? `Supported are ${names.join(', ')}.` : `Did you mean '${guess}'?`;
      return `The chart parameter '${toPrintable(name, 40)}' has no effect on maps. ${hint}`;
    });
}

function expandChartAddress({ href, template }: OnlineResource): string {
  if (template === undefined) {
    let sample = 0;
    return href.replaceAll(/\$\{[^}]*\}/g, () => String(sampleValues[sample++ % sampleValues.length]));
  }
  return template
    .map(({ text, value }) => text ?? (value?.kind === 'literal' ? encodeURIComponent(value.value.toWellFormed()) : ''))
    .join('');
}

function readQuery(href: string): URLSearchParams {
  return new URLSearchParams(href.slice(href.indexOf('?') + 1).trim());
}

/** Returns 0 for other text. */
function readFinite(text: string | null): number {
  const number = Number(text ?? 0);
  return Number.isFinite(number) ? number : 0;
}

/** Returns undefined without any values. */
function parseSeries(data: string): Chart['series'] | undefined {
  const [, list] = /^\s*t\d*:(.*)$/is.exec(data) ?? [];
  if (list === undefined || list.trim() === '') return undefined;
  return list
    .split('|', MAX_SERIES)
    .map((series) => series.split(',', MAX_VALUES).map((value) => (value.trim() === '' ? Number.NaN : Number(value))));
}

function parseRanges(text: string, hasX: boolean): Pick<Chart, 'range' | 'xRange'> {
  const numbers = text.split(',').map(Number);
  const xRange = parseRange(numbers);
  return { xRange, range: hasX && numbers.length >= 4 ? parseRange(numbers.slice(2)) : xRange };
}

function parseRange([min = Number.NaN, max = Number.NaN]: readonly number[]): Chart['range'] {
  return Number.isFinite(min) && max > min ? [min, max] : [0, 100];
}

function parseSize(text: string): readonly [number, number] {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text.trim()) ?? [];
  const limit = (length: string | undefined): number =>
    Math.min(MAX_PIXELS, Math.max(1, Number(length ?? DEFAULT_PIXELS)));
  return [limit(width), limit(height)];
}

type Rgba = readonly [number, number, number, number];

function parseHexColor(text: string): Rgba | undefined {
  const [, rgb, opacity = 'ff'] = /^#?([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(text.trim()) ?? [];
  if (rgb === undefined) return undefined;
  const color = Number.parseInt(rgb, 16);
  return [color >> 16, (color >> 8) & 255, color & 255, Number.parseInt(opacity, 16) / 255];
}

function formatColor([red, green, blue, opacity]: Rgba): string {
  return `rgba(${Math.round(red)}, ${Math.round(green)}, ${Math.round(blue)}, ${Number(opacity.toFixed(3))})`;
}

function parseColors(text: string, isPie: boolean, series: Chart['series']): Chart['colors'] {
  const written = text
    .split(',')
    .map((colors) =>
      colors
        .split('|')
        .map(parseHexColor)
        .filter((color) => color !== undefined),
    )
    .filter((colors) => colors.length > 0);
  const colors = written.length > 0 ? written : defaultColors;
  if (!isPie) return series.map((_, index) => (colors[index % colors.length] ?? []).map(formatColor));
  const slices = series[0]?.length ?? 0;
  return [spreadColors(colors.flat(), slices).map(formatColor)];
}

/** Fewer colours than slices are a ramp; a single one fades to white. */
function spreadColors(colors: readonly Rgba[], slices: number): readonly Rgba[] {
  if (colors.length >= slices) return colors;
  const [first = [0, 0, 0, 1] as const] = colors;
  const stops = colors.length > 1 ? colors : [first, [255, 255, 255, first[3]] as const];
  const last = colors.length > 1 ? slices - 1 : slices;
  return Array.from({ length: slices }, (_, slice) => {
    const at = (slice / last) * (stops.length - 1);
    const [from = first, to = first] = [stops[Math.floor(at)], stops[Math.ceil(at)]];
    const part = at % 1;
    const mix = (channel: 0 | 1 | 2 | 3): number => from[channel] + (to[channel] - from[channel]) * part;
    return [mix(0), mix(1), mix(2), mix(3)] as const;
  });
}

function parseBackground(text: string): string {
  for (const fill of text.split('|')) {
    const [area, kind, color = ''] = fill.trim().split(',');
    const parsed = kind === 's' && (area === 'bg' || area === 'c') ? parseHexColor(color) : undefined;
    if (parsed !== undefined) return formatColor(parsed);
  }
  return 'rgba(255, 255, 255, 1)';
}
