/** Writes resolved filters as SQL conditions. */
import { parseLikePattern } from '../evaluate/values/like-pattern.ts';
import { oppositeOperators } from '../model/filter.ts';
import { joinResolvedFilters, negateResolvedFilter } from '../model/join-resolved-filters.ts';
import type {
  ResolvedComparison,
  ResolvedDistance,
  ResolvedFilter,
  ResolvedRelation,
  Scalar,
  ScalarConstant,
  ScalarType,
} from '../model/resolved-filter.ts';
import { writeColumnName } from './column-name.ts';
import type {
  ColumnStorage,
  Condition,
  Fragment,
  SqlColumn,
  SqlDialect,
  SqlIdentifiers,
  SqlParameter,
  SqlTable,
} from './dialect.ts';

export interface SqlFilter {
  /** A condition for WHERE, with brackets if necessary; it selects the matching rows or a superset. */
  readonly sql: string;
  readonly parameters: readonly SqlParameter[];
  /** The filter that the selected rows must still match; undefined if the condition is the whole filter. */
  readonly remainder: ResolvedFilter | undefined;
}

/** Without SQL all rows are selected; without a remainder the selection is exact. */
interface SqlPart {
  readonly sql?: Fragment | undefined;
  readonly remainder?: ResolvedFilter | undefined;
}

/** Parameters are numbered from the given number, for statements that have other parameters before. */
export function writeSqlFilter(
  filter: ResolvedFilter,
  dialect: SqlDialect,
  table: SqlTable,
  firstParameter = 1,
): SqlFilter {
  const left = { conditions: dialect.maxConditions };
  const { sql = ['TRUE'], remainder } = writeWithin(left, filter, { dialect, table });
  const finished = numberParameters(sql, dialect, firstParameter);
  if (finished.parameters.length + firstParameter - 1 > dialect.maxParameters)
    return { sql: 'TRUE', parameters: [], remainder: filter };
  return { ...finished, remainder };
}

/**
 * Leaves parts of a conjunction that are too long to the remainder, because writing them takes as long as evaluating
 * them.
 */
function writeWithin(left: { conditions: number }, filter: ResolvedFilter, target: Target): SqlPart {
  if (filter.kind === 'and') return joinWithAnd(filter.filters.map((each) => writeWithin(left, each, target)));
  left.conditions -= countConditions(filter);
  return left.conditions < 0 ? { remainder: filter } : writePart(filter, target);
}

function countConditions(filter: ResolvedFilter): number {
  if (filter.kind === 'not') return countConditions(filter.filter);
  if (filter.kind !== 'and' && filter.kind !== 'or') return 1;
  return filter.filters.reduce((sum, each) => sum + countConditions(each), 0);
}

function numberParameters(sql: Fragment, dialect: SqlDialect, first: number): Pick<SqlFilter, 'sql' | 'parameters'> {
  const parameters: SqlParameter[] = [];
  // A geometry is sent once, even if the condition uses it several times.
  const sent = new Map<SqlParameter, string>();
  const text = sql.map((part) => {
    if (typeof part === 'string') return part;
    const { parameter } = part;
    const known = dialect.isPositional ? undefined : sent.get(parameter);
    if (known !== undefined) return known;
    parameters.push(parameter);
    const placeholder = dialect.writePlaceholder(first + parameters.length - 1);
    if (typeof parameter === 'object') sent.set(parameter, placeholder);
    return placeholder;
  });
  return { sql: text.join(''), parameters };
}

interface Target {
  readonly dialect: SqlDialect;
  readonly table: SqlTable;
}

function writePart(filter: ResolvedFilter, target: Target): SqlPart {
  switch (filter.kind) {
    case 'and':
      return joinWithAnd(filter.filters.map((each) => writePart(each, target)));
    case 'or':
      return joinWithOr(filter, filter.filters, target);
    case 'not':
      return writeNegation(filter.filter, target);
    default: {
      const condition = writeCondition(filter, target);
      return { sql: condition?.sql, remainder: condition?.isExact === true ? undefined : filter };
    }
  }
}

/** Negations are pushed down to single conditions, each of which must be exact. Null conditions stay null. */
function writeNegation(filter: ResolvedFilter, target: Target): SqlPart {
  switch (filter.kind) {
    case 'and':
      return joinWithOr({ kind: 'not', filter }, filter.filters.map(negateResolvedFilter), target);
    case 'or':
      return joinWithAnd(filter.filters.map((each) => writePart(negateResolvedFilter(each), target)));
    case 'not':
      return writePart(filter.filter, target);
    case 'comparison': {
      const part = writePart({ ...filter, operator: oppositeOperators[filter.operator] }, target);
      return part.remainder === undefined ? part : { remainder: { kind: 'not', filter } };
    }
    default: {
      const condition = writeCondition(filter, target);
      // The negation of a superset would be a subset. The index of boxes does not contain rows without a geometry.
      const isNegatable = condition?.isExact === true && !(filter.kind === 'relation' && filter.byBoxes);
      return isNegatable ? { sql: ['NOT (', ...condition.sql, ')'] } : { remainder: { kind: 'not', filter } };
    }
  }
}

function joinWithAnd(parts: readonly SqlPart[]): SqlPart {
  const remainders = parts.flatMap(({ remainder }) => (remainder === undefined ? [] : [remainder]));
  return {
    sql: joinBalanced(
      ' AND ',
      parts.flatMap(({ sql }) => (sql === undefined ? [] : [sql])),
    ),
    remainder: remainders.length === 0 ? undefined : joinResolvedFilters('and', remainders),
  };
}

function joinWithOr(whole: ResolvedFilter, filters: readonly ResolvedFilter[], target: Target): SqlPart {
  const parts = filters.map((each) => writePart(each, target));
  if (!parts.every(({ sql }) => sql !== undefined)) return { remainder: whole };
  return {
    sql: joinBalanced(
      ' OR ',
      parts.map(({ sql = [] }) => sql),
    ),
    remainder: parts.every(({ remainder }) => remainder === undefined) ? undefined : whole,
  };
}

/** SQLite limits expression depth to 1000, and `a OR b OR c` has depth two. */
function joinBalanced(word: string, parts: readonly Fragment[]): Fragment | undefined {
  const [first] = parts;
  if (parts.length < 2) return first;
  const half = parts.length >> 1;
  const [left, right] = [joinBalanced(word, parts.slice(0, half)) ?? [], joinBalanced(word, parts.slice(half)) ?? []];
  return ['(', ...left, word, ...right, ')'];
}

type Atom = Exclude<ResolvedFilter, { kind: 'and' | 'or' | 'not' }>;

/** The condition is null if a value is null. Returns undefined if the database cannot evaluate the condition. */
function writeCondition(filter: Atom, target: Target): Condition | undefined {
  const { dialect, table } = target;
  switch (filter.kind) {
    case 'constant':
      return { sql: [filter.value ? 'TRUE' : 'FALSE'], isExact: true };
    case 'comparison':
      return toExactCondition(writeComparison(filter, target));
    case 'membership': {
      const column = filter.value.kind === 'attribute' ? findColumn(filter.value.name, target) : undefined;
      return column === undefined ? undefined : toExactCondition(dialect.writeMembership(column, filter.list));
    }
    case 'like': {
      const column = findColumn(filter.attribute.name, target);
      if (column?.storage !== 'text') return undefined;
      return dialect.writeLike(column, parseLikePattern(filter), filter.matchCase !== false);
    }
    case 'isNull': {
      const { value } = filter;
      const column = value.kind === 'attribute' ? table.columns.get(value.name) : undefined;
      if (column !== undefined && dialect.writeNullTest !== undefined)
        return toExactCondition(dialect.writeNullTest(column));
      const sql =
        value.kind === 'attribute' ? writeColumnSql(column, target) : writeOperand(value, 'double', target, []);
      return toExactCondition(sql === undefined ? undefined : [...sql, ' IS NULL']);
    }
    case 'identifiers':
      return toExactCondition(
        table.identifiers === undefined ? undefined : writeIdentifiers(filter.identifiers, table.identifiers, dialect),
      );
    case 'computed':
    case 'heights':
      return undefined;
    case 'relation':
    case 'distance':
      return writeSpatial(filter, target);
  }
}

function toExactCondition(sql: Fragment | undefined): Condition | undefined {
  return sql === undefined ? undefined : { sql, isExact: true };
}

function findColumn(name: string, { table }: Target): SqlColumn | undefined {
  const column = table.columns.get(name);
  return column?.storage === 'other' ? undefined : column;
}

function writeColumnSql(column: SqlColumn | undefined, { dialect }: Target): Fragment | undefined {
  return column === undefined ? undefined : [dialect.writeColumn?.(column) ?? writeColumnName(column)];
}

const storagesByType: Readonly<Record<ScalarType, readonly ColumnStorage[]>> = {
  text: ['text', 'uuid'],
  number: ['integer', 'double', 'decimal'],
  decimal: ['decimal'],
  boolean: ['boolean'],
  moment: ['epochMs', 'timestamptz', 'timestamp', 'date'],
};

function writeComparison({ operator, left, right }: ResolvedComparison, target: Target): Fragment | undefined {
  const columns: SqlColumn[] = [];
  const storage = findSharedStorage(left, right, target);
  if (storage === undefined) return undefined;
  const [one, other] = [writeOperand(left, storage, target, columns), writeOperand(right, storage, target, columns)];
  if (one === undefined || other === undefined) return undefined;
  return target.dialect.writeComparison(operator, one, other, { storage, columns });
}

/** The database compares two columns only if their storage types match, because it would convert one otherwise. */
function findSharedStorage(left: Scalar, right: Scalar, target: Target): ColumnStorage | undefined {
  const [one, other] = [left, right].map((side) => findStorage(side, target));
  if (one === undefined || other === undefined) return undefined;
  if (one === 'any' || other === 'any') return one === 'any' ? (other === 'any' ? undefined : other) : one;
  return one === other ? one : undefined;
}

/** A constant adopts the storage type of the other side. */
function findStorage(scalar: Scalar, target: Target): ColumnStorage | 'any' | undefined {
  if (scalar.kind === 'constant') return 'any';
  if (scalar.kind === 'arithmetic') return 'double';
  const storage = findColumn(scalar.name, target)?.storage;
  const isFitting = storage !== undefined && scalar.type in storagesByType;
  return isFitting && storagesByType[scalar.type as ScalarType].includes(storage) ? storage : undefined;
}

/** Also collects the columns that occur in it. */
function writeOperand(
  scalar: Scalar,
  storage: ColumnStorage,
  target: Target,
  columns: SqlColumn[],
): Fragment | undefined {
  switch (scalar.kind) {
    case 'constant':
      return target.dialect.writeConstant(scalar, storage);
    case 'attribute': {
      const column = findStorage(scalar, target) === undefined ? undefined : findColumn(scalar.name, target);
      if (column !== undefined) columns.push(column);
      return writeColumnSql(column, target);
    }
    case 'arithmetic': {
      const [left, right] = [scalar.left, scalar.right].map((side) => writeOperand(side, 'double', target, columns));
      return left === undefined || right === undefined
        ? undefined
        : target.dialect.writeArithmetic(scalar.operator, left, right);
    }
  }
}

/** Identifiers with another prefix, or with text for a numeric key, match no row. */
function writeIdentifiers(
  identifiers: readonly string[],
  { prefix, columns }: SqlIdentifiers,
  dialect: SqlDialect,
): Fragment | undefined {
  const keys = identifiers.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length));
  const [column] = columns;
  if (column !== undefined && columns.length === 1) {
    const list = keys.flatMap((key) => parseKeyConstant(key, column) ?? []);
    return list.length === 0 ? ['FALSE'] : dialect.writeMembership(column, list);
  }
  const rows = keys.map((key) => key.split('.')).filter((parts) => parts.length >= columns.length);
  // With more dots than columns, only the row itself can tell which dots belong to a value.
  if (rows.some((parts) => parts.length > columns.length)) return undefined;
  const conditions = rows.flatMap((parts) => {
    const list = columns.map((each, index) => parseKeyConstant(parts[index] ?? '', each));
    if (!list.every((each) => each !== undefined)) return [];
    return [list.map((each, index) => columns[index] && dialect.writeMembership(columns[index], [each]))];
  });
  if (!conditions.every((parts) => parts.every((part) => part !== undefined))) return undefined;
  return (
    joinBalanced(
      ' OR ',
      conditions.map(
        (parts) =>
          joinBalanced(
            ' AND ',
            parts.flatMap((part) => (part === undefined ? [] : [part])),
          ) ?? [],
      ),
    ) ?? ['FALSE']
  );
}

/** Returns undefined for a value that cannot occur in the column. */
function parseKeyConstant(text: string, { storage }: SqlColumn): ScalarConstant | undefined {
  if (storage === 'uuid' && !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)) return undefined;
  if (storage !== 'integer') return { kind: 'constant', type: 'text', value: text };
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) return undefined;
  const number = Number(text);
  return { kind: 'constant', type: 'number', value: Number.isSafeInteger(number) ? number : BigInt(text) };
}

function writeSpatial(filter: ResolvedRelation | ResolvedDistance, target: Target): Condition | undefined {
  const column = filter.left.kind === 'attribute' ? findColumn(filter.left.name, target) : undefined;
  if (column?.storage !== 'geometry') return undefined;
  return filter.kind === 'relation'
    ? target.dialect.writeRelation(column, filter)
    : target.dialect.writeDistance(column, filter);
}
