/** Reads the instants and intervals of CQL2. */

import { excerpt } from '../../lib/text/excerpt.ts';
import { formatFoundCount } from '../../lib/text/wording.ts';
import type { Period } from '../model/filter.ts';
import { createLiteral } from '../model/literal.ts';
import { openEnd, parseMoment, resolvePeriod } from '../model/moment.ts';
import { Cql2Error, createValue, type Operand, type SourcePosition, type SourcePositions } from './operand.ts';

const date = /^\d{4}-\d{2}-\d{2}$/;
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Reads the argument of `DATE('…')` or `TIMESTAMP('…')`. */
export function readMoment(
  kind: 'date' | 'timestamp',
  text: string,
  place: SourcePosition,
  places: SourcePositions,
): Operand {
  if (!(kind === 'date' ? date : timestamp).test(text) || parseMoment(text) === undefined) {
    const example = kind === 'date' ? '2020-12-31' : '2020-12-31T12:00:00Z';
    throw new Cql2Error(place, `invalid ${kind} '${excerpt(text)}'; expected a value such as '${example}'`);
  }
  return createValue(places, place, createLiteral(text));
}

/** Creates a period from two ends: instants, `..`, or attributes that contain instants. */
export function readInterval(ends: readonly Operand[], place: SourcePosition, places: SourcePositions): Operand {
  const [start, end, more] = ends.map(readEnd);
  if (start === undefined || end === undefined || more !== undefined)
    throw new Cql2Error(place, `an interval must have a start and an end, but ${formatFoundCount(ends.length)}`);
  const period: Period = { kind: 'period', start, end };
  if (typeof start === 'string' && typeof end === 'string' && resolvePeriod(start, end) === undefined)
    throw new Cql2Error(place, 'the end of the interval is before its start');
  places.set(period, place);
  return { kind: 'period', period, place };
}

function readEnd({ place, ...operand }: Operand): Period['start'] {
  const value = operand.kind === 'value' ? operand.value : undefined;
  if (value?.kind === 'property') return value;
  if (value?.kind !== 'literal')
    throw new Cql2Error(place, "a date, a timestamp, '..' or an attribute name was expected");
  if (value.value !== openEnd && parseMoment(value.value) === undefined)
    throw new Cql2Error(place, `invalid date or timestamp '${excerpt(value.value)}'`);
  return value.value;
}
