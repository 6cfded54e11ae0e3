/**
 * Estimates an upper bound for the cost of a filter without evaluating it. The constants are rounded up from
 * measurements on a slow machine: an estimate that is too high costs a transfer to another thread, one that is too
 * low blocks other requests.
 */
import type { Expression } from '../model/expression.ts';
import type { GeometryOperand, ResolvedFilter, ResolvedRelation, Scalar } from '../model/resolved-filter.ts';
import type { RowValue } from '../predicate/predicate.ts';

export interface FilterCost {
  readonly nanosecondsPerRow: number;
  readonly nanosecondsPerCharacter: number;
  readonly nanosecondsPerPosition: number;
  /** Whether preparing the filter alone takes too long for the main thread. */
  readonly isLarge: boolean;
}

/** Reading one value and comparing it. */
const COMPARISON_NS = 100;

/** A function can create a text of 100,000 characters from a short one. */
const FUNCTION_NS = 10_000;

/** One segment of a row against one segment of the filter. */
const SEGMENT_NS = 10;

/** An intersection matrix, for each position and for each pair of positions. */
const MATRIX_POSITION_NS = 10_000;
const MATRIX_PAIR_NS = 100;

/** Filters with more conditions or positions are prepared in another thread. */
const MOST_CONDITIONS = 500;
const MOST_POSITIONS = 500;

export function estimateFilterCost(filter: ResolvedFilter): FilterCost {
  let [perRow, perCharacter, perPosition] = [0, 0, 0];
  let [conditions, positions] = [0, 0];

  const addGeometries = (operands: readonly GeometryOperand[], needsMatrix: boolean): void => {
    const own = operands.reduce((sum, operand) => sum + countPositions(operand), 0);
    positions += own;
    perPosition += needsMatrix ? MATRIX_POSITION_NS : COMPARISON_NS + own * SEGMENT_NS;
    if (needsMatrix) perRow += own * MATRIX_POSITION_NS + own * own * MATRIX_PAIR_NS;
  };
  const add = (part: ResolvedFilter): void => {
    conditions += 1;
    perRow += COMPARISON_NS;
    switch (part.kind) {
      case 'and':
      case 'or':
        for (const each of part.filters) add(each);
        return;
      case 'not':
        add(part.filter);
        return;
      case 'comparison':
        perRow += COMPARISON_NS * (countTerms(part.left) + countTerms(part.right));
        return;
      case 'like':
        // In the worst case each character is compared with the whole pattern.
        perCharacter += 1 + part.pattern.length;
        return;
      case 'computed': {
        const functions = countFunctions(part.filter);
        perRow += COMPARISON_NS + functions * FUNCTION_NS;
        perCharacter += 1 + functions;
        perPosition += functions * MATRIX_POSITION_NS;
        return;
      }
      case 'heights':
        perPosition += SEGMENT_NS;
        return;
      case 'relation':
        if (part.byBoxes) perPosition += SEGMENT_NS;
        else addGeometries([part.left, part.right], needsMatrix(part));
        return;
      case 'distance':
        addGeometries([part.left, part.right], part.right.kind !== 'geometry');
        return;
      default:
    }
  };
  add(filter);
  return {
    nanosecondsPerRow: perRow,
    nanosecondsPerCharacter: perCharacter,
    nanosecondsPerPosition: perPosition,
    isLarge: conditions > MOST_CONDITIONS || positions > MOST_POSITIONS,
  };
}

function needsMatrix({ relation, right }: ResolvedRelation): boolean {
  return right.kind !== 'geometry' || (relation !== 'intersects' && relation !== 'disjoint');
}

/** The part of the cost that depends on the size of a value. */
export function estimateValueCost(price: FilterCost, value: RowValue): number {
  if (typeof value === 'string') return value.length * price.nanosecondsPerCharacter;
  if (typeof value !== 'object' || value === null || !('ordinates' in value)) return 0;
  const own = (value.ordinates.length / value.dimension.length) * price.nanosecondsPerPosition;
  return (value.members ?? []).reduce((sum, member) => sum + estimateValueCost(price, member), own);
}

function countPositions(operand: GeometryOperand): number {
  if (operand.kind !== 'geometry') return 0;
  const count = ({ ordinates, dimension, members = [] }: typeof operand.geometry): number =>
    members.reduce((sum, member) => sum + count(member), ordinates.length / dimension.length);
  return count(operand.geometry);
}

function countTerms(scalar: Scalar): number {
  return scalar.kind === 'arithmetic' ? 1 + countTerms(scalar.left) + countTerms(scalar.right) : 0;
}

/** Includes concatenations; recurses into conditions and values only. */
function countFunctions(part: object): number {
  const { kind } = part as Partial<Expression>;
  let count = kind === 'function' || kind === 'concatenation' || kind === 'arithmetic' ? 1 : 0;
  for (const inner of Object.values(part))
    if (typeof inner === 'object' && inner !== null) count += countFunctions(inner);
  return count;
}
