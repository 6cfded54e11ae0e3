/** The time attributes of features, and the `datetime` parameter. */

import type { ComparisonOperator, Filter } from '../../../../filter/model/filter.ts';
import { formatExactMoment, parseMoment } from '../../../../filter/model/moment.ts';
import { compareExactMoments, type ExactMoment } from '../../../../lib/values/exact-moment.ts';
import { findMemberText, listMembersNamed } from '../../../../lib/values/value-tree.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import { createParameterProblem } from '../../common/parameters.ts';

export interface TimeAttributes {
  readonly start: string;
  readonly startIsDate: boolean;
  readonly end: string;
  readonly endIsDate: boolean;
}

/** Returns the attributes of the time dimension, or else the first date attribute, or undefined. */
export function findTimeAttributes({ attributes, records }: PublishedType): TimeAttributes | undefined {
  const [dimension] = listMembersNamed(records.type.metadata['time'], 'dimensionInfo');
  const moments = attributes.filter(({ kind, type }) => kind === 'value' && (type === 'date' || type === 'timestamp'));
  const findMomentAttribute = (name: string | undefined) => moments.find((each) => each.name === name);
  const start = findMomentAttribute(dimension && findMemberText(dimension, 'attribute')) ?? moments[0];
  if (start === undefined) {
    return undefined;
  }
  const end = findMomentAttribute(dimension && findMemberText(dimension, 'endAttribute')) ?? start;
  return { start: start.name, startIsDate: start.type === 'date', end: end.name, endIsDate: end.type === 'date' };
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;
const DAY_MS = 86_400_000;
/** The maximum date of a filter. */
const LAST_DAY_MS = Date.parse('9999-12-31');

/** Creates a filter for features whose time intersects an instant or interval; undefined if every time does. */
export function createTimeFilter(datetime: string, time: TimeAttributes | undefined): Filter | undefined {
  const { from, to } = parseInterval(datetime);
  if (time === undefined) {
    return undefined;
  }
  const parts: Filter[] = [];
  if (from !== undefined) {
    // A date includes the whole day.
    parts.push(createComparison(time.end, 'greaterOrEqual', time.endIsDate ? toStartOfDay(from.moment) : from.moment));
  }
  if (to !== undefined && !(to.isDay && to.moment === LAST_DAY_MS)) {
    parts.push(
      to.isDay
        ? createComparison(time.start, 'less', to.moment + DAY_MS)
        : createComparison(time.start, 'lessOrEqual', time.startIsDate ? toStartOfDay(to.moment) : to.moment),
    );
  }
  const [first, second] = parts;
  return first !== undefined && second !== undefined ? { kind: 'and', filters: [first, second] } : first;
}

/** A date denotes its midnight. */
type IntervalEnd =
  | { readonly isDay: true; readonly moment: number }
  | { readonly isDay: false; readonly moment: ExactMoment };

/** Both ends are included; undefined for an open end. */
function parseInterval(datetime: string): {
  readonly from: IntervalEnd | undefined;
  readonly to: IntervalEnd | undefined;
} {
  const ends = datetime.split('/');
  const [first = '', last = first] = ends;
  const isInterval = ends.length === 2;
  const expected =
    'a date, a time such as 2024-03-01T12:00:00Z, or an interval of two of them separated by a slash, one of which may be ..';
  const [from, to] = [parseIntervalEnd(first, isInterval), parseIntervalEnd(last, isInterval)];
  if (
    ends.length > 2 ||
    from === null ||
    to === null ||
    (from !== undefined && to !== undefined && isReversed(from, to))
  ) {
    throw createParameterProblem('datetime', datetime, expected);
  }
  return { from, to };
}

function isReversed(from: IntervalEnd, to: IntervalEnd): boolean {
  return compareExactMoments(from.moment, to.isDay ? to.moment + DAY_MS - 1 : to.moment) > 0;
}

/** Returns null for invalid text. */
function parseIntervalEnd(text: string, mayBeOpen: boolean): IntervalEnd | undefined | null {
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

function toStartOfDay(moment: ExactMoment): number {
  return Math.floor(Date.parse(formatExactMoment(moment)) / DAY_MS) * DAY_MS;
}

function createComparison(name: string, operator: ComparisonOperator, moment: ExactMoment): Filter {
  return {
    kind: 'comparison',
    operator,
    left: { kind: 'property', name },
    right: { kind: 'literal', value: formatExactMoment(moment) },
  };
}
