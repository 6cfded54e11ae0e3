/** Public interface of the predicate module: decides in memory whether rows match a resolved filter. */
export { compilePredicate } from './compile.ts';
export type { Predicate, RowAccess, RowValue } from './row-access.ts';
