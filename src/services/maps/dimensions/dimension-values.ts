/** Values of dimensions as clients write them: single ones, lists, ranges, and moments that are whole days, months or years. */
import { formatExactMoment, isDuration, parseMoment, resolvePeriod } from '../../../filter/model/moment.ts';
import { type Problem, problem } from '../../../lib/problems/problem.ts';
import type { LayerDimension } from './layer-dimensions.ts';

/** From one value to another, both included; one that is alone is from itself to itself. */
export interface DimensionRange {
  readonly from: string;
  readonly to: string;
}

/** `current` asks for whatever the layer shows by default. */
export type RequestedDimension = 'default' | readonly DimensionRange[];

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
): RequestedDimension {
  const items = text.split(',').map((each) => each.trim());
  if (items.every((each) => /^(?:current|now)$/i.test(each))) return 'default';
  if (items.length > maxValues) throw createTooManyProblem(name, text, maxValues);
  const read = { time: readTime, number: readNumber, text: readText }[kind];
  const ranges = items.flatMap((item) => {
    const found = read(item, now, maxValues);
    if (found === undefined) {
      throw problem('wms-dimension-invalid', { dimension: name, value: item, expected: expected[kind], field: name });
    }
    return found;
  });
  if (ranges.length > maxValues) throw createTooManyProblem(name, text, maxValues);
  return ranges;
}

function createTooManyProblem(dimension: string, value: string, maxValues: number): Problem {
  const most = `${maxValues} values were expected at most`;
  return problem('wms-dimension-invalid', { dimension, value, expected: most, field: dimension });
}

const expected: Readonly<Record<LayerDimension['kind'], string>> = {
  time: 'a moment such as 2024-03-15T00:00:00Z, or two of them and perhaps a step with slashes between, was expected',
  number: 'a number, or two of them and perhaps a step with slashes between, was expected',
  text: 'a value, or two of them with a slash between, was expected',
};

/** What an item stands for; undefined for what cannot be read. Of steps one more than may be asked for is enough. */
type ReadItem = (item: string, now: Date, maxValues: number) => readonly DimensionRange[] | undefined;

const readText: ReadItem = (item) => {
  const [from = '', to = from, ...rest] = item.split('/');
  return from === '' || rest.length > 0 ? undefined : [{ from, to }];
};

const readNumber: ReadItem = (item, _now, maxValues) => {
  const [from = '', to = from, step, ...rest] = item.split('/').map((each) => each.trim());
  const [low, high] = [Number(from), Number(to)];
  if (from === '' || !Number.isFinite(low) || !Number.isFinite(high) || low > high || rest.length > 0) return undefined;
  // A step of 0 means that there is a value everywhere.
  if (step === undefined || Number(step) === 0) return [{ from, to }];
  if (!(Number(step) > 0)) return undefined;
  const count = Math.min(maxValues + 1, Math.floor((high - low) / Number(step) + ROUNDING) + 1);
  return Array.from({ length: count }, (_, index) => toSingleRange(String(low + index * Number(step))));
};

/** What is off by less than this part of a step is off by rounding alone. */
const ROUNDING = 1e-9;

const readTime: ReadItem = (item, now, maxValues) => {
  const [start = '', end, step, ...rest] = item.split('/').map((each) => each.trim());
  if (rest.length > 0 || (step !== undefined && !isDuration(step))) return undefined;
  const first = parseMomentRange(start, now);
  if (end === undefined) return first && [first];
  const last = parseMomentRange(end, now);
  const [from, to] = resolvePeriod(first?.from ?? start, last?.to ?? end) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return step === undefined || NO_STEP.test(step)
    ? [{ from: normalizeMoment(from), to: normalizeMoment(to) }]
    : listSteps(from, to, step, maxValues);
};

/** `PT0S` and the like: there is a value everywhere. */
const NO_STEP = /^[PTYMWDHS0]+$/i;

function listSteps(from: string, to: string, step: string, maxValues: number): readonly DimensionRange[] {
  const moments: DimensionRange[] = [];
  let at: string | undefined = from;
  while (at !== undefined && Date.parse(at) <= Date.parse(to) && moments.length <= maxValues) {
    moments.push(toSingleRange(normalizeMoment(at)));
    [, at] = resolvePeriod(at, step) ?? [];
  }
  return moments;
}

function toSingleRange(value: string): DimensionRange {
  return { from: value, to: value };
}

function normalizeMoment(text: string): string {
  const moment = parseMoment(text);
  return moment === undefined ? text : formatExactMoment(moment);
}

/** A moment, or all of the year, month, day, hour or minute that is written. */
function parseMomentRange(text: string, now: Date): DimensionRange | undefined {
  if (/^present$/i.test(text)) return { from: now.toISOString(), to: now.toISOString() };
  const [, year, month, day, hour, minute] =
    /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2})(?::(\d{2}))?Z?)?)?)?$/.exec(text) ?? [];
  if (year === undefined) {
    const moment = parseMoment(text);
    return moment === undefined ? undefined : { from: formatExactMoment(moment), to: formatExactMoment(moment) };
  }
  const from = parseMoment(`${year}-${month ?? '01'}-${day ?? '01'}T${hour ?? '00'}:${minute ?? '00'}:00Z`);
  if (from === undefined) return undefined;
  const length =
    month === undefined ? 'P1Y' : day === undefined ? 'P1M' : hour === undefined ? 'P1D' : selectPeriod(minute);
  const [, next] = resolvePeriod(formatExactMoment(from), length) ?? [];
  return next === undefined
    ? undefined
    : { from: formatExactMoment(from), to: new Date(Date.parse(next) - 1).toISOString() };
}

function selectPeriod(minute: string | undefined): string {
  return minute === undefined ? 'PT1H' : 'PT1M';
}
