/** Descriptions of databases and tables for the SQL writer. */
import type { PatternPart } from '../evaluate/values/like-pattern.ts';
import type { ArithmeticOperator } from '../model/expression.ts';
import type { ComparisonOperator } from '../model/filter.ts';
import type { ResolvedDistance, ResolvedRelation, ScalarConstant } from '../model/resolved-filter.ts';

/** Lists are PostgreSQL arrays. */
export type SqlParameter = string | number | bigint | Uint8Array | readonly string[];

/** SQL with inline parameters: values never become part of the text. */
export type Fragment = readonly (string | { readonly parameter: SqlParameter })[];

/** The storage type of a column, as far as conditions depend on it; `other` supports only null tests. */
export type ColumnStorage =
  | 'text'
  | 'integer'
  | 'double'
  | 'decimal'
  | 'boolean'
  /** Milliseconds since 1970, as a whole number. */
  | 'epochMs'
  | 'timestamptz'
  /** In UTC. */
  | 'timestamp'
  | 'date'
  | 'uuid'
  | 'geometry'
  | 'other';

export interface SqlColumn {
  readonly name: string;
  readonly storage: ColumnStorage;
  /** The alias of its table, for statements with several tables. */
  readonly table?: string;
  /** For a geometry in PostGIS. */
  readonly srid?: number;
  /** For a geometry in PostGIS: false if the column type excludes collections, which simplifies the SQL. */
  readonly hasCollections?: false;
  /** For a text in MySQL: whether its character set has all characters, so that its index serves any constant. */
  readonly isUnicode?: true;
  /** For a geometry in MySQL 8: how it is compared with boxes; see `mysql.ts`. */
  readonly boxes?: 'planar' | 'geographic';
  /** For a geometry in MySQL: whether the column type excludes all but points, which intersect a box if theirs does. */
  readonly hasOnlyPoints?: true;
  /** For a geometry in SQLite: the R-tree with GeoPackage columns, and the column that its ids refer to. */
  readonly spatialIndex?: { readonly table: string; readonly key: string };
}

/** Feature identifiers consist of a prefix such as `roads.` and the values of one or more columns, joined by dots. */
export interface SqlIdentifiers {
  readonly prefix: string;
  /** Integer, text or UUID columns; at least one. */
  readonly columns: readonly SqlColumn[];
}

export interface SqlTable {
  /** By attribute name. Conditions on other attributes are evaluated in memory. */
  readonly columns: ReadonlyMap<string, SqlColumn>;
  readonly identifiers?: SqlIdentifiers;
}

/** A condition that is null if the value of the column is null, and whether it selects the matching rows or a superset. */
export interface Condition {
  readonly sql: Fragment;
  readonly isExact: boolean;
}

/** Methods return undefined for conditions that must be evaluated in memory. */
export interface SqlDialect {
  /** The maximum number of parameters of a statement. */
  readonly maxParameters: number;
  /** If the SQL is written on the main thread, more conditions than this are evaluated by the filter threads. */
  readonly maxConditions: number;
  writePlaceholder(index: number): string;
  /** Whether placeholders have no numbers, so that a parameter is sent for each of them. */
  readonly isPositional?: true;
  /** Writes a column; defaults to its name in double quotes. */
  writeColumn?(column: SqlColumn): string;
  /** Writes the test for null, if columns store values that are read as null; defaults to IS NULL. */
  writeNullTest?(column: SqlColumn): Fragment;
  /** Writes a constant for comparison with a value of that storage type. */
  writeConstant(constant: ScalarConstant, storage: ColumnStorage): Fragment | undefined;
  /** Both sides have the same storage type; `columns` are the columns that occur in them. */
  writeComparison(
    operator: ComparisonOperator,
    left: Fragment,
    right: Fragment,
    operands: { readonly storage: ColumnStorage; readonly columns: readonly SqlColumn[] },
  ): Fragment;
  /** Writes arithmetic that returns null for a result that is not finite. */
  writeArithmetic(operator: ArithmeticOperator, left: Fragment, right: Fragment): Fragment | undefined;
  writeLike(column: SqlColumn, parts: readonly PatternPart[], matchCase: boolean): Condition | undefined;
  writeMembership(column: SqlColumn, list: readonly ScalarConstant[]): Fragment | undefined;
  writeRelation(column: SqlColumn, relation: ResolvedRelation): Condition | undefined;
  writeDistance(column: SqlColumn, distance: ResolvedDistance): Condition | undefined;
}

export function createParameter(value: SqlParameter): Fragment {
  return [{ parameter: value }];
}

/** Unpaired surrogates are replaced in transfer, and a NUL ends the text or is rejected. */
export function isSendable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

export const comparisonSigns: Readonly<Record<ComparisonOperator, string>> = {
  equal: '=',
  notEqual: '<>',
  less: '<',
  lessOrEqual: '<=',
  greater: '>',
  greaterOrEqual: '>=',
};

/** Databases backtrack for each wildcard: for longer patterns only the start is sent. */
const maxWildCards = 4;

/** Returns the start of a pattern with few wildcards, and whether it is complete. */
export function splitSimpleStart(parts: readonly PatternPart[]): {
  readonly start: readonly PatternPart[];
  readonly isWhole: boolean;
} {
  let wildCards = 0;
  for (const [index, { kind }] of parts.entries()) {
    if (kind === 'any') wildCards += 1;
    if (wildCards === maxWildCards && index < parts.length - 1)
      return { start: parts.slice(0, index + 1), isWhole: false };
  }
  return { start: parts, isWhole: true };
}

/** Escapes `%` and `_` with `\\`; letters that databases fold differently become wildcards. */
export function writeLikePattern(
  parts: readonly PatternPart[],
  matchCase: boolean,
): { text: string; isExact: boolean } {
  let text = '';
  let isExact = true;
  let wildCards = 0;
  let isWild = false;
  for (const [index, part] of parts.entries()) {
    const patternKind = part.kind !== 'text' || matchCase ? part.kind : foldLetter(parts, index, part.text);
    if (patternKind !== part.kind) isExact = false;
    if (patternKind === 'any' && !isWild) {
      wildCards += 1;
      text += '%';
      // The rest is evaluated in memory.
      if (wildCards > maxWildCards) return { text, isExact: false };
    } else if (patternKind === 'one') text += '_';
    else if (part.kind === 'text' && patternKind === 'text') text += part.text.replace(/[%_\\]/, '\\$&');
    isWild = patternKind === 'any';
  }
  return { text, isExact };
}

/** Letter sequences to which one letter folds, such as sharp s or a ligature. */
const pairs = /^(?:s[st]|f[fil])$/;

/**
 * Returns the pattern part for a letter in any case: the letter if the database folds it like the evaluation in
 * memory, otherwise a wildcard for one letter (long s folds to s, the Kelvin sign to k) or several.
 */
function foldLetter(parts: readonly PatternPart[], index: number, letter: string): PatternPart['kind'] {
  const [before, after] = [parts[index - 1], parts[index + 1]].map((part) => (part?.kind === 'text' ? part.text : ''));
  if (![before, letter, after].every((each) => /^[\0-\x7f]?$/.test(each ?? ''))) return 'any';
  if (pairs.test(`${before}${letter}`) || pairs.test(`${letter}${after}`)) return 'any';
  return /[iks]/.test(letter) ? 'one' : 'text';
}

/** Whether the relation implies a common point, so that the boxes intersect. */
export function isMeetingImplied(relation: ResolvedRelation['relation']): boolean {
  if (typeof relation !== 'object') return relation !== 'disjoint';
  return [0, 1, 3, 4].some((index) => /[T012]/.test(relation.pattern.charAt(index)));
}
