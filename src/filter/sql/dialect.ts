/** What the writer of SQL has to know of a database and of a table. */
import type { PatternPart } from '../evaluate/values/like-pattern.ts';
import type { ArithmeticOperator } from '../model/expression.ts';
import type { ComparisonOperator } from '../model/filter.ts';
import type { ResolvedDistance, ResolvedRelation, ScalarConstant } from '../model/resolved-filter.ts';

/** Lists are for PostgreSQL, which takes them as arrays. */
export type SqlParameter = string | number | bigint | Uint8Array | readonly string[];

/** SQL with its parameters in their places: values never become part of the text. */
export type Fragment = readonly (string | { readonly parameter: SqlParameter })[];

/** What the database keeps in a column, as far as conditions on it depend on that; `other` is only asked for null. */
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
  /** The alias of its table in the statement, where there are several. */
  readonly table?: string;
  /** Of a geometry in PostGIS. */
  readonly srid?: number;
  /** Of a geometry in PostGIS: false where the type of the column rules collections out, which is simpler. */
  readonly hasCollections?: false;
  /** Of a geometry in SQLite: the R-tree, with the columns of GeoPackage, and the column that its ids are those of. */
  readonly spatialIndex?: { readonly table: string; readonly key: string };
}

/** Identifiers of features are a prefix such as `roads.` and what is in a column, or in several with dots between. */
export interface SqlIdentifiers {
  readonly prefix: string;
  /** Of whole numbers, texts or UUIDs; at least one. */
  readonly columns: readonly SqlColumn[];
}

export interface SqlTable {
  /** By the names of attributes. What is not here is decided in memory. */
  readonly columns: ReadonlyMap<string, SqlColumn>;
  readonly identifiers?: SqlIdentifiers;
}

/** A condition, and whether exactly those rows fit it that should; otherwise some more do. */
export interface Condition {
  readonly sql: Fragment;
  readonly isExact: boolean;
}

/** Whatever is undefined is left to be decided in memory. */
export interface SqlDialect {
  /** How many a statement takes. */
  readonly maxParameters: number;
  /** Where the text is written on the main thread, more conditions than this are evaluated by the filter threads. */
  readonly maxConditions: number;
  writePlaceholder(index: number): string;
  /** A constant as it is compared with what is stored so. */
  writeConstant(constant: ScalarConstant, storage: ColumnStorage): Fragment | undefined;
  /** Both of the same storage; `columns` are those that occur in them. */
  writeComparison(
    operator: ComparisonOperator,
    left: Fragment,
    right: Fragment,
    storage: ColumnStorage,
    columns: readonly SqlColumn[],
  ): Fragment;
  /** Of numbers; null for what is not finite. */
  writeArithmetic(operator: ArithmeticOperator, left: Fragment, right: Fragment): Fragment | undefined;
  writeLike(column: SqlColumn, parts: readonly PatternPart[], matchCase: boolean): Condition | undefined;
  writeMembership(column: SqlColumn, list: readonly ScalarConstant[]): Fragment | undefined;
  writeRelation(column: SqlColumn, relation: ResolvedRelation): Condition | undefined;
  writeDistance(column: SqlColumn, distance: ResolvedDistance): Condition | undefined;
}

export function createParameter(value: SqlParameter): Fragment {
  return [{ parameter: value }];
}

/** Half a surrogate pair becomes another character on its way, and text ends at a NUL or is refused with one. */
export function isSendable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

export const comparisonSigns: Readonly<Record<Exclude<ComparisonOperator, 'notEqual'>, string>> = {
  equal: '=',
  less: '<',
  lessOrEqual: '<=',
  greater: '>',
  greaterOrEqual: '>=',
};

/** Databases try all ways to match each wild card again: of more than these only the beginning is asked for. */
const maxWildCards = 4;

/** The beginning of a pattern with few wild cards, and whether that is all of it. */
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

/** `%` and `_` with `\\` before them where they mean themselves; what databases fold otherwise may be something else. */
export function writeLikePattern(
  parts: readonly PatternPart[],
  matchCase: boolean,
): { text: string; isExact: boolean } {
  let text = '';
  let isExact = true;
  let wildCards = 0;
  let isWild = false;
  for (const [index, part] of parts.entries()) {
    const asked = part.kind !== 'text' || matchCase ? part.kind : foldLetter(parts, index, part.text);
    if (asked !== part.kind) isExact = false;
    if (asked === 'any' && !isWild) {
      wildCards += 1;
      text += '%';
      // What follows is left to be decided in memory.
      if (wildCards > maxWildCards) return { text, isExact: false };
    } else if (asked === 'one') text += '_';
    else if (part.kind === 'text' && asked === 'text') text += part.text.replace(/[%_\\]/, '\\$&');
    isWild = asked === 'any';
  }
  return { text, isExact };
}

/** Letters that one letter is folded into, such as a sharp s or a ligature. */
const pairs = /^(?:s[st]|f[fil])$/;

/**
 * What to ask a database for in the place of a letter in any case: that letter where it is folded as in memory, and
 * otherwise one letter (a long s is an s, and the sign of Kelvin a k), or several.
 */
function foldLetter(parts: readonly PatternPart[], index: number, letter: string): PatternPart['kind'] {
  const [before, after] = [parts[index - 1], parts[index + 1]].map((part) => (part?.kind === 'text' ? part.text : ''));
  if (![before, letter, after].every((each) => /^[\0-\x7f]?$/.test(each ?? ''))) return 'any';
  if (pairs.test(`${before}${letter}`) || pairs.test(`${letter}${after}`)) return 'any';
  return /[iks]/.test(letter) ? 'one' : 'text';
}

/** Whether two geometries that fit the relation have a point in common, so that their boxes meet. */
export function isMeetingImplied(relation: ResolvedRelation['relation']): boolean {
  if (typeof relation !== 'object') return relation !== 'disjoint';
  return [0, 1, 3, 4].some((index) => /[T012]/.test(relation.pattern.charAt(index)));
}
