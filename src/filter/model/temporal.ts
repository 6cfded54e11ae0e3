/** Defines the temporal operators as comparisons of moments. */
import type { Expression } from './expression.ts';
import {
  type ComparisonOperator,
  type Constant,
  type Filter,
  isTrueForOrder,
  type Period,
  type TemporalFilter,
} from './filter.ts';
import { joinFilters } from './join-filters.ts';
import { createLiteral } from './literal.ts';
import { openEnd, resolvePeriod } from './moment.ts';

/** A moment, or plus or minus infinity. */
type End = Expression | number;

/**
 * Returns the equivalent comparisons, or undefined for an invalid period. A moment is a period with equal ends.
 * "During" excludes the ends; periods meet if one ends where the other starts.
 */
export function createTemporalCondition({ operator, value, time }: TemporalFilter): Filter | Constant | undefined {
  const [own, other] = [readEnds(value), readEnds(time)];
  if (own === undefined || other === undefined) return undefined;
  const [[start, end], [otherStart, otherEnd]] = [own, other];
  const joinAll = (...parts: readonly (Filter | Constant)[]): Filter | Constant => joinFilters('and', parts);
  switch (operator) {
    case 'before':
      return compareEnds(end, 'less', otherStart);
    case 'after':
      return compareEnds(start, 'greater', otherEnd);
    case 'beforeOrDuring':
      return compareEnds(end, 'less', otherEnd);
    case 'duringOrAfter':
      return compareEnds(start, 'greater', otherStart);
    case 'tequals':
      return isSame(own) && isSame(other)
        ? compareEnds(start, 'equal', otherStart)
        : joinAll(compareEnds(start, 'equal', otherStart), compareEnds(end, 'equal', otherEnd));
    case 'during':
      return joinAll(compareEnds(start, 'greater', otherStart), compareEnds(end, 'less', otherEnd));
    case 'contains':
      return joinAll(compareEnds(start, 'less', otherStart), compareEnds(end, 'greater', otherEnd));
    case 'intersects':
      return joinAll(compareEnds(start, 'lessOrEqual', otherEnd), compareEnds(end, 'greaterOrEqual', otherStart));
    case 'disjoint':
      return joinFilters('or', [compareEnds(end, 'less', otherStart), compareEnds(start, 'greater', otherEnd)]);
    case 'starts':
      return joinAll(compareEnds(start, 'equal', otherStart), compareEnds(end, 'less', otherEnd));
    case 'startedBy':
      return joinAll(compareEnds(start, 'equal', otherStart), compareEnds(end, 'greater', otherEnd));
    case 'finishes':
      return joinAll(compareEnds(start, 'greater', otherStart), compareEnds(end, 'equal', otherEnd));
    case 'finishedBy':
      return joinAll(compareEnds(start, 'less', otherStart), compareEnds(end, 'equal', otherEnd));
    case 'meets':
      return compareEnds(end, 'equal', otherStart);
    case 'metBy':
      return compareEnds(start, 'equal', otherEnd);
    case 'overlaps':
      return joinAll(
        compareEnds(start, 'less', otherStart),
        compareEnds(end, 'greater', otherStart),
        compareEnds(end, 'less', otherEnd),
      );
    case 'overlappedBy':
      return joinAll(
        compareEnds(start, 'greater', otherStart),
        compareEnds(start, 'less', otherEnd),
        compareEnds(end, 'greater', otherEnd),
      );
  }
}

function readEnds(time: Expression | Period): readonly [start: End, end: End] | undefined {
  if (time.kind !== 'period') return [time, time];
  const { start, end } = time;
  const areWritten = typeof start === 'string' && typeof end === 'string';
  const [first, last] = areWritten ? (resolvePeriod(start, end) ?? []) : [start, end];
  if (first === undefined || last === undefined) return undefined;
  return [readEnd(first, Number.NEGATIVE_INFINITY), readEnd(last, Number.POSITIVE_INFINITY)];
}

function readEnd(written: Period['start'], open: number): End {
  if (written === openEnd) return open;
  return typeof written === 'string' ? createLiteral(written) : written;
}

function isSame([start, end]: readonly [End, End]): boolean {
  return start === end;
}

/** An open end is after every known moment, but a comparison with null is unknown, like that of null with itself. */
function compareEnds(left: End, operator: ComparisonOperator, right: End): Filter | Constant {
  if (typeof left === 'object' && typeof right === 'object') return { kind: 'comparison', operator, left, right };
  const isTrue = isTrueForOrder(operator, Math.sign(getEndOrder(left) - getEndOrder(right)) || 0);
  const known = [left, right].find((each) => typeof each === 'object' && each.kind !== 'literal');
  if (typeof known !== 'object') return { kind: isTrue ? 'include' : 'exclude' };
  return { kind: 'comparison', operator: isTrue ? 'equal' : 'notEqual', left: known, right: known };
}

function getEndOrder(end: End): number {
  return typeof end === 'object' ? 0 : Math.sign(end);
}
