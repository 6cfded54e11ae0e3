/** Writes resolved filters as conditions of SQL. */
import { likeParts } from '../evaluate/like-pattern.ts';
import { joined, negated } from '../joined.ts';
import type {
  ResolvedComparison,
  ResolvedDistance,
  ResolvedFilter,
  ResolvedRelation,
  Scalar,
  ScalarConstant,
  ScalarType,
} from '../resolved-filter.ts';
import { columnName } from './column-name.ts';
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
  /** A condition for WHERE, in brackets where that matters; it selects all rows that fit the filter, or some more. */
  readonly sql: string;
  readonly parameters: readonly SqlParameter[];
  /** What the selected rows still have to fit; undefined where the condition is the whole filter. */
  readonly remainder: ResolvedFilter | undefined;
}

/** Without SQL all rows are selected; without a remainder exactly the right ones. */
interface Written {
  readonly sql?: Fragment | undefined;
  readonly remainder?: ResolvedFilter | undefined;
}

/** Parameters are numbered from the given number on, for statements that have others before. */
export function writeSqlFilter(
  filter: ResolvedFilter,
  dialect: SqlDialect,
  table: SqlTable,
  firstParameter = 1,
): SqlFilter {
  const left = { conditions: dialect.maxConditions };
  const { sql = ['TRUE'], remainder } = writeWithin(left, filter, { dialect, table });
  const finished = finish(sql, dialect, firstParameter);
  if (finished.parameters.length + firstParameter - 1 > dialect.maxParameters)
    return { sql: 'TRUE', parameters: [], remainder: filter };
  return { ...finished, remainder };
}

/** Leaves the parts of a conjunction that are too long to the remainder: they would take as long to write as to evaluate. */
function writeWithin(left: { conditions: number }, filter: ResolvedFilter, target: Target): Written {
  if (filter.kind === 'and') return conjunction(filter.filters.map((each) => writeWithin(left, each, target)));
  left.conditions -= countConditions(filter);
  return left.conditions < 0 ? { remainder: filter } : written(filter, target);
}

function countConditions(filter: ResolvedFilter): number {
  if (filter.kind === 'not') return countConditions(filter.filter);
  if (filter.kind !== 'and' && filter.kind !== 'or') return 1;
  return filter.filters.reduce((sum, each) => sum + countConditions(each), 0);
}

function finish(sql: Fragment, dialect: SqlDialect, first: number): Pick<SqlFilter, 'sql' | 'parameters'> {
  const parameters: SqlParameter[] = [];
  // A geometry is sent once, however often the condition speaks of it.
  const sent = new Map<SqlParameter, string>();
  const text = sql.map((part) => {
    if (typeof part === 'string') return part;
    const { parameter } = part;
    const known = sent.get(parameter);
    if (known !== undefined) return known;
    parameters.push(parameter);
    const placeholder = dialect.placeholder(first + parameters.length - 1);
    if (typeof parameter === 'object') sent.set(parameter, placeholder);
    return placeholder;
  });
  return { sql: text.join(''), parameters };
}

interface Target {
  readonly dialect: SqlDialect;
  readonly table: SqlTable;
}

function written(filter: ResolvedFilter, target: Target): Written {
  switch (filter.kind) {
    case 'and':
      return conjunction(filter.filters.map((each) => written(each, target)));
    case 'or':
      return disjunction(filter, filter.filters, target);
    case 'not':
      return writtenNegation(filter.filter, target);
    default: {
      const condition = conditionOf(filter, target);
      return { sql: condition?.sql, remainder: condition?.isExact === true ? undefined : filter };
    }
  }
}

/** Negations go inwards, down to conditions, of which each is then exactly true or not. */
function writtenNegation(filter: ResolvedFilter, target: Target): Written {
  switch (filter.kind) {
    case 'and':
      return disjunction({ kind: 'not', filter }, filter.filters.map(negated), target);
    case 'or':
      return conjunction(filter.filters.map((each) => written(negated(each), target)));
    case 'not':
      return written(filter.filter, target);
    default: {
      const condition = conditionOf(filter, target);
      // The opposite of too many would be too few.
      return condition?.isExact === true
        ? { sql: ['(', ...condition.sql, ') IS NOT TRUE'] }
        : { remainder: { kind: 'not', filter } };
    }
  }
}

function conjunction(parts: readonly Written[]): Written {
  const remainders = parts.flatMap(({ remainder }) => (remainder === undefined ? [] : [remainder]));
  return {
    sql: balanced(
      ' AND ',
      parts.flatMap(({ sql }) => (sql === undefined ? [] : [sql])),
    ),
    remainder: remainders.length === 0 ? undefined : joined('and', remainders),
  };
}

function disjunction(whole: ResolvedFilter, filters: readonly ResolvedFilter[], target: Target): Written {
  const parts = filters.map((each) => written(each, target));
  if (!parts.every(({ sql }) => sql !== undefined)) return { remainder: whole };
  return {
    sql: balanced(
      ' OR ',
      parts.map(({ sql = [] }) => sql),
    ),
    remainder: parts.every(({ remainder }) => remainder === undefined) ? undefined : whole,
  };
}

/** SQLite refuses conditions that are a thousand levels deep, and reads `a OR b OR c` as two. */
function balanced(word: string, parts: readonly Fragment[]): Fragment | undefined {
  const [first] = parts;
  if (parts.length < 2) return first;
  const half = parts.length >> 1;
  const [left, right] = [balanced(word, parts.slice(0, half)) ?? [], balanced(word, parts.slice(half)) ?? []];
  return ['(', ...left, word, ...right, ')'];
}

type Atom = Exclude<ResolvedFilter, { kind: 'and' | 'or' | 'not' }>;

/** Null counts as false; undefined for what the database cannot decide. */
function conditionOf(filter: Atom, target: Target): Condition | undefined {
  const { dialect, table } = target;
  switch (filter.kind) {
    case 'constant':
      return { sql: [filter.value ? 'TRUE' : 'FALSE'], isExact: true };
    case 'comparison':
      return exactly(comparisonOf(filter, target));
    case 'membership': {
      const column = filter.value.kind === 'attribute' ? columnOf(filter.value.name, target) : undefined;
      return column === undefined ? undefined : exactly(dialect.membership(column, filter.list));
    }
    case 'like': {
      const column = columnOf(filter.attribute.name, target);
      if (column?.storage !== 'text') return undefined;
      return dialect.like(column, likeParts(filter), filter.matchCase !== false);
    }
    case 'isNull': {
      const { value } = filter;
      const sql =
        value.kind === 'attribute' ? columnSql(table.columns.get(value.name)) : operandOf(value, 'double', target, []);
      return exactly(sql === undefined ? undefined : [...sql, ' IS NULL']);
    }
    case 'identifiers':
      return exactly(
        table.identifiers === undefined ? undefined : identifiersOf(filter.identifiers, table.identifiers, dialect),
      );
    case 'computed':
    case 'heights':
      return undefined;
    case 'relation':
    case 'distance':
      return spatialOf(filter, target);
  }
}

function exactly(sql: Fragment | undefined): Condition | undefined {
  return sql === undefined ? undefined : { sql, isExact: true };
}

function columnOf(name: string, { table }: Target): SqlColumn | undefined {
  const column = table.columns.get(name);
  return column?.storage === 'other' ? undefined : column;
}

function columnSql(column: SqlColumn | undefined): Fragment | undefined {
  return column === undefined ? undefined : [columnName(column)];
}

const storagesOf: Readonly<Record<ScalarType, readonly ColumnStorage[]>> = {
  text: ['text', 'uuid'],
  number: ['integer', 'double', 'decimal'],
  decimal: ['decimal'],
  boolean: ['boolean'],
  moment: ['epochMs', 'timestamptz', 'timestamp', 'date'],
};

function comparisonOf({ operator, left, right }: ResolvedComparison, target: Target): Fragment | undefined {
  const columns: SqlColumn[] = [];
  const storage = sharedStorage(left, right, target);
  if (storage === undefined) return undefined;
  const [one, other] = [operandOf(left, storage, target, columns), operandOf(right, storage, target, columns)];
  if (one === undefined || other === undefined) return undefined;
  return target.dialect.compare(operator, one, other, storage, columns);
}

/** Two columns are compared by the database only where both are kept alike: otherwise one would be converted. */
function sharedStorage(left: Scalar, right: Scalar, target: Target): ColumnStorage | undefined {
  const [one, other] = [left, right].map((side) => storageOf(side, target));
  if (one === undefined || other === undefined) return undefined;
  if (one === 'any' || other === 'any') return one === 'any' ? (other === 'any' ? undefined : other) : one;
  return one === other ? one : undefined;
}

/** A constant takes that of the other side. */
function storageOf(scalar: Scalar, target: Target): ColumnStorage | 'any' | undefined {
  if (scalar.kind === 'constant') return 'any';
  if (scalar.kind === 'arithmetic') return 'double';
  const storage = columnOf(scalar.name, target)?.storage;
  const isFitting = storage !== undefined && scalar.type in storagesOf;
  return isFitting && storagesOf[scalar.type as ScalarType].includes(storage) ? storage : undefined;
}

/** Notes the columns that are in it. */
function operandOf(scalar: Scalar, storage: ColumnStorage, target: Target, columns: SqlColumn[]): Fragment | undefined {
  switch (scalar.kind) {
    case 'constant':
      return target.dialect.constant(scalar, storage);
    case 'attribute': {
      const column = storageOf(scalar, target) === undefined ? undefined : columnOf(scalar.name, target);
      if (column !== undefined) columns.push(column);
      return columnSql(column);
    }
    case 'arithmetic': {
      const [left, right] = [scalar.left, scalar.right].map((side) => operandOf(side, 'double', target, columns));
      return left === undefined || right === undefined
        ? undefined
        : target.dialect.arithmetic(scalar.operator, left, right);
    }
  }
}

/** Those with another prefix, or with what is no number where numbers are kept, are of no row. */
function identifiersOf(
  identifiers: readonly string[],
  { prefix, columns }: SqlIdentifiers,
  dialect: SqlDialect,
): Fragment | undefined {
  const keys = identifiers.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length));
  const [column] = columns;
  if (column !== undefined && columns.length === 1) {
    const list = keys.flatMap((key) => keyConstant(key, column) ?? []);
    return list.length === 0 ? ['FALSE'] : dialect.membership(column, list);
  }
  const rows = keys.map((key) => key.split('.')).filter((parts) => parts.length >= columns.length);
  // Which of several dots are within a text, only the row itself can tell.
  if (rows.some((parts) => parts.length > columns.length)) return undefined;
  const conditions = rows.flatMap((parts) => {
    const list = columns.map((each, index) => keyConstant(parts[index] ?? '', each));
    if (!list.every((each) => each !== undefined)) return [];
    return [list.map((each, index) => columns[index] && dialect.membership(columns[index], [each]))];
  });
  if (!conditions.every((parts) => parts.every((part) => part !== undefined))) return undefined;
  return (
    balanced(
      ' OR ',
      conditions.map(
        (parts) =>
          balanced(
            ' AND ',
            parts.flatMap((part) => (part === undefined ? [] : [part])),
          ) ?? [],
      ),
    ) ?? ['FALSE']
  );
}

/** Undefined for what is in no row of such a column. */
function keyConstant(text: string, { storage }: SqlColumn): ScalarConstant | undefined {
  if (storage === 'uuid' && !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)) return undefined;
  if (storage !== 'integer') return { kind: 'constant', type: 'text', value: text };
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) return undefined;
  const number = Number(text);
  return { kind: 'constant', type: 'number', value: Number.isSafeInteger(number) ? number : BigInt(text) };
}

function spatialOf(filter: ResolvedRelation | ResolvedDistance, target: Target): Condition | undefined {
  const column = filter.left.kind === 'attribute' ? columnOf(filter.left.name, target) : undefined;
  if (column?.storage !== 'geometry') return undefined;
  return filter.kind === 'relation' ? target.dialect.relation(column, filter) : target.dialect.distance(column, filter);
}
