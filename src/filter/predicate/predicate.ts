/** Decides in memory whether rows fit a resolved filter, at the edge of its module. */
export { compilePredicate } from './compile.ts';
export type { Predicate, RowAccess, RowValue } from './row-access.ts';
