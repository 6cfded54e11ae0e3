/** Edits rows in the transaction of a session: a filter selects and locks them, and their keys address them. */
import { listFilterAttributes } from '../../filter/model/list-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { RowAccess } from '../../filter/predicate/predicate.ts';
import type { MatchRows } from '../../filter/run/filter-runner.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature, FeatureEdits, NewValues } from '../port/port.ts';
import { createFeatureAccess } from '../support/filter-features.ts';
import { collectFound, createKeylessProblem } from '../support/found-features.ts';
import { type ColumnMatch, matchColumns, toRow } from '../support/match-columns.ts';
import type { DatabaseDialect } from './dialect.ts';
import { createFeatureReader } from './read.ts';
import { requireTable } from './relation.ts';
import type { BoundValue, SqlRow, SqlSession } from './session.ts';
import { writeStatement, writeTableCondition } from './statement.ts';
import { listKeyColumns, listVisibleColumns, type Table, type TableColumn } from './table.ts';
import { listWritableColumns, type WritableColumn } from './writable-columns.ts';

/** Rows per read or statement. */
const ROWS_AT_ONCE = 500;

/** Starts matching rows of one statement against the part of the filter that SQL cannot express. */
type StartMatching = (filter: ResolvedFilter, access: RowAccess<LockedRow>) => Promise<MatchRows<LockedRow>>;

interface LockedRow {
  readonly key: SqlRow;
  readonly feature: Feature;
}

interface EditContext {
  readonly session: SqlSession;
  readonly dialect: DatabaseDialect;
  readonly exposesPrimaryKeys: boolean;
  readonly startMatching: StartMatching;
  /** Finds the table of a type, which has another name until the session ends if it is new. */
  readonly resolveName: (name: string) => string;
}

export class RowEdits implements FeatureEdits {
  readonly #context: EditContext;

  constructor(context: EditContext) {
    this.#context = context;
  }

  async insert(name: string, features: readonly NewValues[]): Promise<readonly string[]> {
    const { session, dialect } = this.#context;
    const table = await this.#getEditableTable(name);
    const ids: string[] = [];
    for (const [index, feature] of features.entries()) {
      const given = this.#removeUnset(table, feature);
      const matches = await this.#matchTableColumns(table, given);
      const values = this.#toRowValues(table, matches, given, String(index + 1));
      const columns = matches.map(({ column }) => dialect.quoteName(column.name));
      const assigned = matches.map(({ column }) => column.target.writeAssigned(column.srid));
      const row = columns.length === 0 ? dialect.defaultRow : `(${columns.join(', ')}) VALUES (${assigned.join(', ')})`;
      const { generatedKey } = await this.#withWriteFailure(
        table.name,
        session.change(`INSERT INTO ${table.relation} ${row}`, values),
      );
      ids.push(`${name}.${this.#listNewKey(table, matches, values, generatedKey).join('.')}`);
    }
    return ids;
  }

  async update(name: string, changes: NewValues, filter: ResolvedFilter): Promise<readonly string[]> {
    const { dialect } = this.#context;
    const table = await this.#getEditableTable(name);
    const kept = this.#removeUnset(table, changes);
    const matches = await this.#matchTableColumns(table, kept);
    const values = this.#toRowValues(table, matches, kept, 'the matching features');
    const setting = matches.map(
      ({ column }) => `${dialect.quoteName(column.name)} = ${column.target.writeAssigned(column.srid)}`,
    );
    const statement = setting.length === 0 ? undefined : `UPDATE ${table.relation} SET ${setting.join(', ')}`;
    return this.#changeRows({ name, table, filter }, statement, values);
  }

  async remove(name: string, filter: ResolvedFilter): Promise<readonly string[]> {
    const table = await this.#getEditableTable(name);
    return this.#changeRows({ name, table, filter }, `DELETE FROM ${table.relation}`, []);
  }

  async find(name: string, filter: ResolvedFilter): Promise<readonly Feature[]> {
    const table = await this.#getEditableTable(name);
    const columns = listVisibleColumns(table, this.#context.exposesPrimaryKeys);
    return collectFound(name, toFeatures(this.#lockRows({ name, table, filter }, columns)));
  }

  async #getEditableTable(name: string): Promise<Table> {
    const { session, dialect, resolveName } = this.#context;
    const table = await requireTable(dialect, session, resolveName(name));
    if (listKeyColumns(table).length === 0) throw createKeylessProblem(name);
    requireWritable(table, name);
    // Identifiers and messages have the name of the type.
    return { ...table, name };
  }

  async #matchTableColumns(table: Table, { attributes }: NewValues): Promise<readonly ColumnMatch<WritableColumn>[]> {
    const { dialect, session } = this.#context;
    const computed = table.columns.find(
      ({ name, isGenerated }) => isGenerated === true && attributes.some((each) => each.name === name),
    );
    if (computed !== undefined) {
      const reason = `the database computes the column '${computed.name}'`;
      throw problem('features-not-writable', { name: table.name, reason });
    }
    const columns = await listWritableColumns(dialect, session, table, attributes);
    return matchColumns(table.name, attributes, columns);
  }

  #toRowValues(
    table: Table,
    matches: readonly ColumnMatch<WritableColumn>[],
    { values }: NewValues,
    id: string,
  ): readonly BoundValue[] {
    const { dialect } = this.#context;
    return toRow(table.name, matches, { id, values }).map((value, at) => {
      const column = matches[at]?.column;
      return column === undefined ? null : dialect.toBoundValue(value, column.target.content);
    });
  }

  /** The key of a new row consists of given values, and of one that the database generates. */
  #listNewKey(
    table: Table,
    matches: readonly ColumnMatch<WritableColumn>[],
    values: readonly BoundValue[],
    generatedKey: string | undefined,
  ): readonly string[] {
    return listKeyColumns(table).map(({ name, keyOrder }) => {
      const at = matches.findIndex(({ column }) => column.name === name);
      const given = values[at] ?? null;
      const text = given === null || typeof given === 'bigint' ? generatedKey : keyOrder.formatKey(toRaw(given));
      if (text === undefined || text === null) {
        const reason = `the database fills the key column '${name}' in a way that returns no value`;
        throw problem('features-not-writable', { name: table.name, reason });
      }
      return text;
    });
  }

  /** The database fills a missing key and computed columns; an update leaves them unchanged. */
  #removeUnset(table: Table, { attributes, values }: NewValues): NewValues {
    const filled = new Set(
      table.columns
        .filter(({ keyPosition, isGenerated }) => keyPosition !== undefined || isGenerated === true)
        .map(({ name }) => name),
    );
    const isGiven = (index: number) => !filled.has(attributes[index]?.name ?? '') || (values[index] ?? null) !== null;
    return {
      attributes: attributes.filter((_, index) => isGiven(index)),
      values: values.filter((_, index) => isGiven(index)),
    };
  }

  /** Yields batches with the values of some columns; the rows stay locked. */
  async *#lockRows(
    { name, table, filter }: { readonly name: string; readonly table: Table; readonly filter: ResolvedFilter },
    columns: readonly TableColumn[],
  ): AsyncGenerator<readonly LockedRow[]> {
    const { session, dialect, exposesPrimaryKeys, startMatching } = this.#context;
    const condition = writeTableCondition(dialect, table, filter);
    const { remainder } = condition;
    const needed = new Set(remainder === undefined ? [] : listFilterAttributes(remainder));
    const shown = listVisibleColumns(table, exposesPrimaryKeys);
    const parts = {
      columns: shown.filter((column) => columns.includes(column) || needed.has(column.name)),
      condition,
      query: {},
      isLocked: true,
    } as const;
    const statement = writeStatement(dialect, table, parts);
    const toFeature = createFeatureReader(table, exposesPrimaryKeys, parts, statement);
    const access = createLockedAccess(shown.map((column) => column.name));
    const match = remainder === undefined ? undefined : await startMatching(remainder, access);
    const cursor = session.stream(statement.text, statement.values);
    while (!cursor.isOver) {
      const rows = await this.#withWriteFailure(name, cursor.read(ROWS_AT_ONCE));
      if (rows.length === 0) break;
      const read = rows.map((row) => ({ key: row.slice(0, statement.keys.length), feature: toFeature(row, 0) }));
      yield match === undefined ? read : await match(read);
    }
  }

  /** Runs a statement for the matching rows in portions and returns their ids; without a statement it only finds them. */
  async #changeRows(
    target: { readonly name: string; readonly table: Table; readonly filter: ResolvedFilter },
    statement: string | undefined,
    values: readonly BoundValue[],
  ): Promise<readonly string[]> {
    const ids: string[] = [];
    const found: SqlRow[] = [];
    for await (const batch of this.#lockRows(target, [])) {
      for (const { key, feature } of batch) {
        found.push(key);
        ids.push(feature.id);
      }
    }
    if (statement === undefined) return ids;
    const keys = listKeyColumns(target.table);
    for (let at = 0; at < found.length; at += ROWS_AT_ONCE) {
      const bound: BoundValue[] = [...values];
      const rows = found.slice(at, at + ROWS_AT_ONCE).map((key) => writeRowCondition(keys, key, bound));
      const text = `${statement} WHERE ${rows.join(' OR ')}`;
      await this.#withWriteFailure(target.name, this.#context.session.change(text, bound));
    }
    return ids;
  }

  #withWriteFailure<T>(table: string, work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      throw this.#context.dialect.toWriteProblem(error, table, 'a feature');
    });
  }
}

export function requireWritable({ objection }: Table, name: string): void {
  if (objection !== undefined) throw problem('features-not-writable', { name, reason: objection });
}

function toRaw(given: Exclude<BoundValue, null | bigint>): string | number | Uint8Array {
  return typeof given === 'object' && !(given instanceof Uint8Array) ? given.join(',') : given;
}

function writeRowCondition(keys: readonly TableColumn[], key: SqlRow, bound: BoundValue[]): string {
  const terms = keys.map(({ keyOrder }, index) => {
    const text = keyOrder.formatKey(key[index] ?? '');
    const value = text === null ? undefined : keyOrder.bindKey(text);
    if (value === undefined) throw new TypeError('The key of a row has an unexpected form.');
    bound.push(value.value);
    return `${keyOrder.sql} = ${value.sql}`;
  });
  return `(${terms.join(' AND ')})`;
}

async function* toFeatures(batches: AsyncIterable<readonly LockedRow[]>): AsyncGenerator<readonly Feature[]> {
  for await (const batch of batches) yield batch.map(({ feature }) => feature);
}

function createLockedAccess(names: readonly string[]): RowAccess<LockedRow> {
  const { value, identifier } = createFeatureAccess(names);
  return { value: ({ feature }, name) => value(feature, name), identifier: ({ feature }) => identifier(feature) };
}
