/** The time of features: which attributes tell it, and the parameter `datetime`. */
import { type ExactMoment, compareExactMoments } from '../../../data/exact-moment.ts';
import type { ComparisonOperator, Filter } from '../../../data/filter/filter.ts';
import { parseMoment, formatExactMoment } from '../../../data/filter/moment.ts';
import { membersNamed, memberText } from '../../../lib/value-tree.ts';
import type { PublishedType } from '../../door/published-type.ts';
import { invalidParameter } from '../common/parameters.ts';

export interface TimeAttributes {
  readonly start: string;
  readonly startIsDate: boolean;
  readonly end: string;
  readonly endIsDate: boolean;
}

/** Those of the time dimension where there is one, else the first attribute with dates; undefined where there is none. */
export function timeAttributes({ attributes, records }: PublishedType): TimeAttributes | undefined {
  const [dimension] = membersNamed(records.type.metadata['time'], 'dimensionInfo');
  const moments = attributes.filter(({ kind, type }) => kind === 'value' && (type === 'date' || type === 'timestamp'));
  const named = (name: string | undefined) => moments.find((each) => each.name === name);
  const start = named(dimension && memberText(dimension, 'attribute')) ?? moments[0];
  if (start === undefined) {
    return undefined;
  }
  const end = named(dimension && memberText(dimension, 'endAttribute')) ?? start;
  return { start: start.name, startIsDate: start.type === 'date', end: end.name, endIsDate: end.type === 'date' };
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;
const DAY_MS = 86_400_000;
/** No moment of a filter is later. */
const LAST_DAY_MS = Date.parse('9999-12-31');

/** Features whose time meets an instant or an interval; undefined where every time does. */
export function timeFilter(datetime: string, time: TimeAttributes | undefined): Filter | undefined {
  const { from, to } = intervalOf(datetime);
  if (time === undefined) {
    return undefined;
  }
  const parts: Filter[] = [];
  if (from !== undefined) {
    // Of a day all that lies in it counts.
    parts.push(compared(time.end, 'greaterOrEqual', time.endIsDate ? startOfDay(from.moment) : from.moment));
  }
  if (to !== undefined && !(to.isDay && to.moment === LAST_DAY_MS)) {
    parts.push(
      to.isDay
        ? compared(time.start, 'less', to.moment + DAY_MS)
        : compared(time.start, 'lessOrEqual', time.startIsDate ? startOfDay(to.moment) : to.moment),
    );
  }
  const [first, second] = parts;
  return first !== undefined && second !== undefined ? { kind: 'and', filters: [first, second] } : first;
}

/** A day is its midnight. */
type End = { readonly isDay: true; readonly moment: number } | { readonly isDay: false; readonly moment: ExactMoment };

/** Both belong to it; undefined for an open end. */
function intervalOf(datetime: string): { readonly from: End | undefined; readonly to: End | undefined } {
  const ends = datetime.split('/');
  const [first = '', last = first] = ends;
  const isInterval = ends.length === 2;
  const expected =
    'a date, a time such as 2024-03-01T12:00:00Z, or two of them with a slash between, one of which may be ..';
  const [from, to] = [endAt(first, isInterval), endAt(last, isInterval)];
  if (
    ends.length > 2 ||
    from === null ||
    to === null ||
    (from !== undefined && to !== undefined && isTurned(from, to))
  ) {
    throw invalidParameter('datetime', datetime, expected);
  }
  return { from, to };
}

function isTurned(from: End, to: End): boolean {
  return compareExactMoments(from.moment, to.isDay ? to.moment + DAY_MS - 1 : to.moment) > 0;
}

/** Null for what is no moment. */
function endAt(text: string, mayBeOpen: boolean): End | undefined | null {
  if (mayBeOpen && (text === '' || text === '..')) {
    return undefined;
  }
  const isDay = DATE.test(text);
  const moment = isDay || INSTANT.test(text) ? parseMoment(text) : undefined;
  if (moment === undefined) {
    return null;
  }
  return isDay && typeof moment === 'number' ? { isDay, moment } : { isDay: false, moment };
}

function startOfDay(moment: ExactMoment): number {
  return Math.floor(Date.parse(formatExactMoment(moment)) / DAY_MS) * DAY_MS;
}

function compared(name: string, operator: ComparisonOperator, moment: ExactMoment): Filter {
  return {
    kind: 'comparison',
    operator,
    left: { kind: 'property', name },
    right: { kind: 'literal', value: formatExactMoment(moment) },
  };
}
