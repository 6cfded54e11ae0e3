/** Values of dimensions as clients write them: single ones, lists, ranges, and moments that are whole days, months or years. */
import { momentOf, momentText, periodMoments } from '../../../data/filter/moment.ts';
import { problem } from '../../../lib/problem.ts';
import type { LayerDimension } from './layer-dimensions.ts';

/** From one value to another, both included; one that is alone is from itself to itself. */
export interface DimensionRange {
  readonly from: string;
  readonly to: string;
}

/** `current` asks for whatever the layer shows by default. */
export type DimensionWish = 'default' | readonly DimensionRange[];

export interface DimensionLimits {
  readonly maxValues: number;
  readonly now: Date;
}

/** What moves along with the clock; also where nothing is said. */
export function isPresent(reference: string | undefined): boolean {
  return reference === undefined || /^(?:current|now|present)$/i.test(reference);
}

export function readDimension(
  { name, kind }: Pick<LayerDimension, 'name' | 'kind'>,
  text: string,
  { maxValues, now }: DimensionLimits,
): DimensionWish {
  const items = text.split(',').map((each) => each.trim());
  if (items.every((each) => /^(?:current|now)$/i.test(each))) return 'default';
  if (items.length > maxValues) {
    throw problem('wms-dimension-invalid', {
      dimension: name,
      value: text,
      expected: `${maxValues} values were expected at most`,
      field: name,
    });
  }
  const read = { time: readTime, number: readNumber, text: readText }[kind];
  return items.map((item) => {
    const range = read(item, now);
    if (range === undefined) {
      throw problem('wms-dimension-invalid', { dimension: name, value: item, expected: expected[kind], field: name });
    }
    return range;
  });
}

const expected: Readonly<Record<LayerDimension['kind'], string>> = {
  time: 'a moment such as 2024-03-15T00:00:00Z, or two of them with a slash between, was expected',
  number: 'a number, or two of them with a slash between, was expected',
  text: 'a value, or two of them with a slash between, was expected',
};

function readText(item: string): DimensionRange | undefined {
  const [from = '', to = from, ...rest] = item.split('/');
  return from === '' || rest.length > 0 ? undefined : { from, to };
}

function readNumber(item: string): DimensionRange | undefined {
  const [from = '', to = from, resolution] = item.split('/').map((each) => each.trim());
  const isRead = from !== '' && Number.isFinite(Number(from)) && Number.isFinite(Number(to));
  const isStepped = resolution === undefined || Number.isFinite(Number(resolution));
  return isRead && isStepped && Number(from) <= Number(to) ? { from, to } : undefined;
}

/** The steps of a range are not looked at: all that lies within it is shown. */
function readTime(item: string, now: Date): DimensionRange | undefined {
  const [start = '', end, step, ...rest] = item.split('/').map((each) => each.trim());
  if (rest.length > 0 || (step !== undefined && !/^PT?\w+$/i.test(step))) return undefined;
  const first = wholeOf(start, now);
  if (end === undefined) return first;
  const last = wholeOf(end, now);
  const [from, to] = periodMoments(first?.from ?? start, last?.to ?? end) ?? [];
  return from === undefined || to === undefined ? undefined : { from: exact(from), to: exact(to) };
}

function exact(text: string): string {
  const moment = momentOf(text);
  return moment === undefined ? text : momentText(moment);
}

/** A moment, or all of the year, month, day, hour or minute that is written. */
function wholeOf(text: string, now: Date): DimensionRange | undefined {
  if (/^present$/i.test(text)) return { from: now.toISOString(), to: now.toISOString() };
  const [, year, month, day, hour, minute] =
    /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2})(?::(\d{2}))?Z?)?)?)?$/.exec(text) ?? [];
  if (year === undefined) {
    const moment = momentOf(text);
    return moment === undefined ? undefined : { from: momentText(moment), to: momentText(moment) };
  }
  const from = momentOf(`${year}-${month ?? '01'}-${day ?? '01'}T${hour ?? '00'}:${minute ?? '00'}:00Z`);
  if (from === undefined) return undefined;
  const length =
    month === undefined ? 'P1Y' : day === undefined ? 'P1M' : hour === undefined ? 'P1D' : hourOrMinute(minute);
  const [, next] = periodMoments(momentText(from), length) ?? [];
  return next === undefined ? undefined : { from: momentText(from), to: new Date(Date.parse(next) - 1).toISOString() };
}

function hourOrMinute(minute: string | undefined): string {
  return minute === undefined ? 'PT1H' : 'PT1M';
}
