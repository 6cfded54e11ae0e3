/** What the temporal operators mean: comparisons of a moment with other moments. */
import type { Expression } from './expression.ts';
import type { Comparison, ComparisonOperator, TemporalFilter } from './filter.ts';
import { literal } from './literal.ts';
import { periodMoments } from './moment.ts';

/**
 * All of these together. A moment is during a period between its ends, which do not belong to it; before or during it
 * is any moment before its end, and during or after it any moment after its start. None at all for a period that is none.
 */
export function temporalComparisons({ operator, value, time }: TemporalFilter): readonly Comparison[] | undefined {
  const ends = time.kind === 'period' ? periodMoments(time)?.map(literal) : [time, time];
  const [start, end] = ends ?? [];
  if (start === undefined || end === undefined) return undefined;
  const compared = (sign: ComparisonOperator, right: Expression): Comparison => ({
    kind: 'comparison',
    operator: sign,
    left: value,
    right,
  });
  switch (operator) {
    case 'before':
      return [compared('less', start)];
    case 'after':
      return [compared('greater', end)];
    case 'tequals':
      return [compared('equal', start)];
    case 'during':
      return [compared('greater', start), compared('less', end)];
    case 'beforeOrDuring':
      return [compared('less', end)];
    case 'duringOrAfter':
      return [compared('greater', start)];
  }
}
