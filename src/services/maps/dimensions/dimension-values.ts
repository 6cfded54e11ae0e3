/** Parses dimension values: single values, lists, ranges, and dates that denote whole days, months or years. */
import { formatExactMoment, isDuration, parseMoment, resolvePeriod } from '../../../filter/model/moment.ts';
import { type Problem, problem } from '../../../lib/problems/problem.ts';
import type { LayerDimension } from './layer-dimensions.ts';

/** A range with both ends included; a single value has equal ends. */
export interface DimensionRange {
  readonly from: string;
  readonly to: string;
}

/** `current` requests the default value of the layer. */
export type RequestedDimension = 'default' | readonly DimensionRange[];

export interface DimensionLimits {
  readonly maxValues: number;
  readonly now: Date;
}

/** True if the result depends on the clock; this includes an absent value. */
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
  const most = `expected at most ${maxValues} values`;
  return problem('wms-dimension-invalid', { dimension, value, expected: most, field: dimension });
}

const expected: Readonly<Record<LayerDimension['kind'], string>> = {
  time: 'expected a time such as 2024-03-15T00:00:00Z, or start/end with an optional /step',
  number: 'expected a number, or start/end with an optional /step',
  text: 'expected a value, or start/end',
};

/** Returns the values of an item; undefined if it is invalid. Stops at one value above the limit. */
type ReadItem = (item: string, now: Date, maxValues: number) => readonly DimensionRange[] | undefined;

const readText: ReadItem = (item) => {
  const [from = '', to = from, ...rest] = item.split('/');
  return from === '' || rest.length > 0 ? undefined : [{ from, to }];
};

const readNumber: ReadItem = (item, _now, maxValues) => {
  const [from = '', to = from, step, ...rest] = item.split('/').map((each) => each.trim());
  const [low, high] = [Number(from), Number(to)];
  if (from === '' || !Number.isFinite(low) || !Number.isFinite(high) || low > high || rest.length > 0) return undefined;
  // A step of 0 means a continuous range.
  if (step === undefined || Number(step) === 0) return [{ from, to }];
  if (!(Number(step) > 0)) return undefined;
  const count = Math.min(maxValues + 1, Math.floor((high - low) / Number(step) + ROUNDING) + 1);
  return Array.from({ length: count }, (_, index) => toSingleRange(String(low + index * Number(step))));
};

/** The tolerance for rounding, as a fraction of a step. */
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

/** `PT0S` and the like denote a continuous range. */
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

/** Parses a time, or the whole year, month, day, hour or minute. */
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
