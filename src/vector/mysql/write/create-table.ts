/** Creates tables of MySQL and MariaDB with spatial indexes. */
import { type MysqlFlavour, quoteNameWithBackticks as quoteName } from '../../../filter/sql/sql.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { Attribute, NewFeatureType, ValueType } from '../../port/port.ts';
import type { SqlSession } from '../../sql/session.ts';
import { createKeyName, validateAttributes } from '../../support/new-table.ts';
import { findErrorNumber } from '../connection/failure.ts';
import { requireNames } from '../table/table.ts';

const columnTypes: Readonly<Record<ValueType, string>> = {
  string: 'longtext',
  boolean: 'boolean',
  short: 'smallint',
  integer: 'int',
  long: 'bigint',
  float: 'float',
  double: 'double',
  decimal: 'decimal(65, 30)',
  date: 'date',
  time: 'time(6)',
  timestamp: 'datetime(6)',
  bytes: 'longblob',
  uuid: 'char(36)',
};

/** A longer varchar may exceed the size of a row. */
const MAX_VARCHAR = 1_000;

const EXISTS = 1050;

const refusals: Readonly<Record<number, string>> = {
  1044: 'the database user lacks the permission',
  1142: 'the database user lacks the permission',
  1290: 'the database is read-only',
  1836: 'the database is read-only',
  1117: 'it has too many columns',
  1118: 'its rows would be too large',
};

/** The finder of the number of a reference system. */
type FindSrid = (attribute: Extract<Attribute, { kind: 'geometry' }>) => Promise<number | undefined>;

interface TableToCreate {
  readonly flavour: MysqlFlavour;
  readonly type: NewFeatureType;
  /** The name of the table until it is renamed. */
  readonly present: string;
  readonly findSrid: FindSrid;
}

export async function createTable(session: SqlSession, table: TableToCreate): Promise<void> {
  const statement = await writeTableStatement(table);
  await withRefusal(table.type.name, runDefinition(session, statement));
}

export async function renameTable(session: SqlSession, present: string, name: string): Promise<void> {
  await withRefusal(name, runDefinition(session, `RENAME TABLE ${quoteName(present)} TO ${quoteName(name)}`));
}

/** A definition ends the transaction, so that the session itself must allow changes meanwhile. */
export async function runDefinition(session: SqlSession, statement: string): Promise<void> {
  await session.run('SET SESSION TRANSACTION READ WRITE');
  try {
    await session.run(statement);
  } finally {
    await session.run('SET SESSION TRANSACTION READ ONLY').catch(() => undefined);
  }
}

async function withRefusal(name: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const number = findErrorNumber(error) ?? 0;
    if (number === EXISTS) throw problem('table-exists', { name });
    const reason = refusals[number];
    throw reason === undefined ? error : problem('table-refused', { name, reason });
  }
}

async function writeTableStatement({ flavour, type, present, findSrid }: TableToCreate): Promise<string> {
  requireNames(type.name, [type.name, ...type.attributes.map(({ name }) => name)]);
  const duplicate = validateAttributes(type.attributes, (name) => name.toLowerCase());
  if (duplicate !== undefined) throw problem('table-refused', { name: type.name, reason: duplicate });
  const key = quoteName(createKeyName(type.attributes));
  const parts = [`${key} bigint NOT NULL AUTO_INCREMENT PRIMARY KEY`];
  for (const attribute of type.attributes) {
    const name = quoteName(attribute.name);
    if (attribute.kind === 'value') {
      parts.push(`${name} ${writeColumnType(attribute)} ${attribute.nillable ? 'NULL' : 'NOT NULL'}`);
      continue;
    }
    if (attribute.dimension !== 'XY') {
      const reason = `'${attribute.name}' has the dimension ${attribute.dimension}, and the database stores only XY`;
      throw problem('table-refused', { name: type.name, reason });
    }
    const srid = await findSrid(attribute);
    if (srid === undefined) {
      throw problem('crs-unknown-to-database', {
        crs: attribute.crs.code ?? 'without a code',
        attribute: attribute.name,
      });
    }
    const declared = flavour === 'mariadb' ? ` REF_SYSTEM_ID=${srid}` : ` SRID ${srid}`;
    parts.push(
      `${name} ${attribute.type.toLowerCase()}${srid === 0 ? '' : declared} ${attribute.nillable ? 'NULL' : 'NOT NULL'}`,
    );
    // An index is possible only on a column that is never null.
    if (!attribute.nillable) parts.push(`SPATIAL INDEX (${name})`);
  }
  return `CREATE TABLE ${quoteName(present)} (${parts.join(', ')}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`;
}

function writeColumnType({ type, maxLength }: Extract<Attribute, { kind: 'value' }>): string {
  const isLimited = maxLength !== undefined && Number.isInteger(maxLength) && maxLength > 0 && maxLength <= MAX_VARCHAR;
  return type === 'string' && isLimited ? `varchar(${maxLength})` : columnTypes[type];
}
