/** What the temporal operators mean: comparisons of moments with other moments. */
import type { Expression } from './expression.ts';
import {
  type ComparisonOperator,
  type Constant,
  type Filter,
  holdsInOrder,
  type Period,
  type TemporalFilter,
} from './filter.ts';
import { joined } from './join.ts';
import { literal } from './literal.ts';
import { openEnd, periodMoments } from './moment.ts';

/** A moment, or what is before or after all of them, as infinity. */
type End = Expression | number;

/**
 * The same said with comparisons; undefined for a period that is none. A moment is a period that ends where it starts.
 * Periods are during others inside of their ends, and meet where one ends and the other starts.
 */
export function temporalCondition({ operator, value, time }: TemporalFilter): Filter | Constant | undefined {
  const [own, other] = [endsOf(value), endsOf(time)];
  if (own === undefined || other === undefined) return undefined;
  const [[start, end], [otherStart, otherEnd]] = [own, other];
  const all = (...parts: readonly (Filter | Constant)[]): Filter | Constant => joined('and', parts);
  switch (operator) {
    case 'before':
      return compared(end, 'less', otherStart);
    case 'after':
      return compared(start, 'greater', otherEnd);
    case 'beforeOrDuring':
      return compared(end, 'less', otherEnd);
    case 'duringOrAfter':
      return compared(start, 'greater', otherStart);
    case 'tequals':
      return isSame(own) && isSame(other)
        ? compared(start, 'equal', otherStart)
        : all(compared(start, 'equal', otherStart), compared(end, 'equal', otherEnd));
    case 'during':
      return all(compared(start, 'greater', otherStart), compared(end, 'less', otherEnd));
    case 'contains':
      return all(compared(start, 'less', otherStart), compared(end, 'greater', otherEnd));
    case 'intersects':
      return all(compared(start, 'lessOrEqual', otherEnd), compared(end, 'greaterOrEqual', otherStart));
    case 'disjoint':
      return joined('or', [compared(end, 'less', otherStart), compared(start, 'greater', otherEnd)]);
    case 'starts':
      return all(compared(start, 'equal', otherStart), compared(end, 'less', otherEnd));
    case 'startedBy':
      return all(compared(start, 'equal', otherStart), compared(end, 'greater', otherEnd));
    case 'finishes':
      return all(compared(start, 'greater', otherStart), compared(end, 'equal', otherEnd));
    case 'finishedBy':
      return all(compared(start, 'less', otherStart), compared(end, 'equal', otherEnd));
    case 'meets':
      return compared(end, 'equal', otherStart);
    case 'metBy':
      return compared(start, 'equal', otherEnd);
    case 'overlaps':
      return all(
        compared(start, 'less', otherStart),
        compared(end, 'greater', otherStart),
        compared(end, 'less', otherEnd),
      );
    case 'overlappedBy':
      return all(
        compared(start, 'greater', otherStart),
        compared(start, 'less', otherEnd),
        compared(end, 'greater', otherEnd),
      );
  }
}

function endsOf(time: Expression | Period): readonly [start: End, end: End] | undefined {
  if (time.kind !== 'period') return [time, time];
  const { start, end } = time;
  const areWritten = typeof start === 'string' && typeof end === 'string';
  const [first, last] = areWritten ? (periodMoments(start, end) ?? []) : [start, end];
  if (first === undefined || last === undefined) return undefined;
  return [endOf(first, Number.NEGATIVE_INFINITY), endOf(last, Number.POSITIVE_INFINITY)];
}

function endOf(written: Period['start'], open: number): End {
  if (written === openEnd) return open;
  return typeof written === 'string' ? literal(written) : written;
}

function isSame([start, end]: readonly [End, End]): boolean {
  return start === end;
}

/** What never comes is after every moment there is, but not after one that is not known. */
function compared(left: End, operator: ComparisonOperator, right: End): Filter | Constant {
  if (typeof left === 'object' && typeof right === 'object') return { kind: 'comparison', operator, left, right };
  if (!holdsInOrder(operator, Math.sign(placeOf(left) - placeOf(right)) || 0)) return { kind: 'exclude' };
  const known = [left, right].find((each) => typeof each === 'object' && each.kind !== 'literal');
  return typeof known === 'object' ? { kind: 'not', filter: { kind: 'isNull', value: known } } : { kind: 'include' };
}

function placeOf(end: End): number {
  return typeof end === 'object' ? 0 : Math.sign(end);
}
