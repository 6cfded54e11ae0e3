/** Decides in memory whether rows fit a resolved filter, at the edge of its module. */
export { compilePredicate } from './predicate/compile.ts';
export type { Predicate, RowAccess, RowValue } from './predicate/row-access.ts';
