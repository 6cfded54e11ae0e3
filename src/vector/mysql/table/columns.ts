/** Maps the column types of MySQL and MariaDB to the vector port. */
import { type MysqlFlavour, quoteNameWithBackticks as quoteName, type SqlColumn } from '../../../filter/sql/sql.ts';
import { findGeometryType, type Geometry, type GeometryType } from '../../../geometry/geometry.ts';
import { type AllocateOrdinates, createOrdinateBlocks } from '../../../geometry/ordinate-blocks.ts';
import { decodeWkb, WkbError } from '../../../geometry/wkb-decode.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { Value, ValueType } from '../../port/port.ts';
import type { RawValue } from '../../sql/session.ts';
import type { ColumnOrder, TableColumn } from '../../sql/table.ts';
import { readDate, readMoment, readWholeNumber } from '../../support/value-text.ts';

/** A column of the catalogue. */
export interface CatalogColumn {
  readonly name: string;
  /** Such as `bigint`. */
  readonly type: string;
  /** Such as `bigint(20) unsigned`. */
  readonly fullType: string;
  readonly isRequired: boolean;
  readonly isGenerated: boolean;
  readonly maxLength: number | undefined;
  readonly charset: string | undefined;
  readonly srid: number | undefined;
  readonly isGeographic: boolean;
  readonly keyPosition: number | undefined;
}

/** How a type is stored, which decides how its values are read, compared and bound. */
type Form =
  | 'text'
  | 'integer'
  | 'unsigned'
  | 'decimal'
  | 'double'
  | 'float'
  | 'boolean'
  | 'bits'
  | 'moment'
  | 'date'
  | 'bytes'
  | 'document';

const texts = ['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'enum', 'set'];
const byteTypes = ['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob', 'vector'];

/** The types of integers by their size, signed and unsigned. */
const integers: Readonly<Record<string, readonly [ValueType, ValueType]>> = {
  tinyint: ['short', 'short'],
  smallint: ['short', 'integer'],
  mediumint: ['integer', 'integer'],
  int: ['integer', 'long'],
  bigint: ['long', 'decimal'],
  year: ['short', 'short'],
};

function findForm({ type, fullType }: CatalogColumn): readonly [Form, ValueType] {
  if (fullType === 'tinyint(1)') return ['boolean', 'boolean'];
  const isUnsigned = /\bunsigned\b/.test(fullType);
  const integer = integers[type]?.[isUnsigned ? 1 : 0];
  if (integer !== undefined) return [type === 'bigint' && isUnsigned ? 'unsigned' : 'integer', integer];
  if (texts.includes(type)) return ['text', 'string'];
  if (byteTypes.includes(type)) return ['bytes', 'bytes'];
  switch (type) {
    case 'bit':
      return fullType === 'bit(1)' ? ['bits', 'boolean'] : ['bytes', 'bytes'];
    case 'decimal':
      return ['decimal', 'decimal'];
    case 'double':
      return ['double', 'double'];
    case 'float':
      return ['float', 'float'];
    case 'date':
      return ['date', 'date'];
    case 'datetime':
    case 'timestamp':
      return ['moment', 'timestamp'];
    case 'time':
      return ['document', 'time'];
    case 'uuid':
      return ['document', 'uuid'];
    default:
      return ['document', 'string'];
  }
}

/** MySQL 8 shortens the name of collections. */
export function findColumnGeometry(type: string): GeometryType | undefined {
  return findGeometryType(type.replace(/^geomcollection$/, 'geometrycollection'));
}

const unicodeCharsets = ['utf8mb4', 'utf8mb3', 'utf8'];

export function createTableColumn(flavour: MysqlFlavour, column: CatalogColumn): TableColumn {
  const { name, isRequired, keyPosition, isGenerated } = column;
  const shared = {
    name,
    isRequired,
    ...(keyPosition === undefined ? {} : { keyPosition }),
    ...(isGenerated ? { isGenerated } : {}),
  };
  const geometryType = findColumnGeometry(column.type);
  if (geometryType !== undefined) return { ...shared, ...createGeometryColumn(flavour, column, geometryType) };
  const [form, type] = findForm(column);
  const own = quoteName(name);
  const { maxLength, charset } = column;
  const storage = storages[form];
  return {
    ...shared,
    content: {
      kind: 'value',
      type,
      ...(/char$/.test(column.type) && maxLength !== undefined && maxLength > 0 ? { maxLength } : {}),
    },
    filtered: {
      name,
      storage,
      ...(storage === 'text' && unicodeCharsets.includes(charset ?? '') ? { isUnicode: true } : {}),
    },
    selected: own,
    readValue: createReader(form, type),
    order: createOrder(form, own),
    keyOrder: createKeyOrder(form, own),
    isIdentifying: form === 'text' || form === 'integer' || form === 'unsigned',
    writeAssigned: () => '?',
  };
}

/** Short floats, times and documents compare differently in the database. */
const storages: Readonly<Record<Form, SqlColumn['storage']>> = {
  text: 'text',
  integer: 'integer',
  unsigned: 'decimal',
  decimal: 'decimal',
  double: 'double',
  float: 'other',
  boolean: 'boolean',
  bits: 'boolean',
  moment: 'timestamp',
  date: 'date',
  bytes: 'other',
  document: 'other',
};

/** MySQL 8 writes geographic coordinates in the order of their reference system by default. */
const EAST_FIRST = "'axis-order=long-lat'";

function createGeometryColumn(
  flavour: MysqlFlavour,
  { name, type, srid, isGeographic }: CatalogColumn,
  geometryType: GeometryType,
): Omit<TableColumn, 'name' | 'isRequired'> {
  const own = quoteName(name);
  const takeOrdinates = createOrdinateBlocks();
  const axes = flavour === 'mysql' ? `, ${EAST_FIRST}` : '';
  const boxes = isGeographic ? 'geographic' : srid === undefined ? undefined : 'planar';
  return {
    content: { kind: 'geometry', type: geometryType, srid },
    filtered: {
      name,
      storage: 'geometry',
      ...(srid === undefined ? {} : { srid }),
      ...(boxes === undefined ? {} : { boxes }),
      ...(type === 'point' ? { hasOnlyPoints: true } : {}),
    },
    selected: `ST_AsWKB(${own}${axes})`,
    readValue: (raw) => readGeometry(raw, name, takeOrdinates),
    order: createOrder('bytes', `ST_AsWKB(${own}${axes})`),
    keyOrder: createOrder('bytes', `ST_AsWKB(${own}${axes})`),
    isIdentifying: false,
    writeAssigned: (number) => `ST_GeomFromWKB(?, ${Math.trunc(number)}${axes})`,
  };
}

function readGeometry(raw: NonNullable<RawValue>, column: string, takeOrdinates: AllocateOrdinates): Geometry {
  if (!(raw instanceof Uint8Array)) throw createGeometryProblem(column, 'it is not binary');
  try {
    return decodeWkb(raw, takeOrdinates).geometry;
  } catch (error) {
    if (error instanceof WkbError) throw createGeometryProblem(column, error.message);
    throw error;
  }
}

function createGeometryProblem(column: string, reason: string) {
  return problem('store-refuses', { name: column, reason: `a geometry is invalid: ${reason}`, step: 'tables' });
}

function createReader(form: Form, type: ValueType): (raw: NonNullable<RawValue>) => Value {
  switch (form) {
    case 'boolean':
      return (raw) => raw !== 0;
    case 'bits':
      return (raw) => raw instanceof Uint8Array && raw.some((byte) => byte !== 0);
    case 'integer':
      return (raw) => (typeof raw === 'string' ? readWholeNumber(raw) : toNumber(raw));
    case 'double':
      return toNumber;
    case 'float':
      return (raw) => toShortFloat(toNumber(raw));
    case 'date':
      return (raw) => (isZeroDate(raw) ? null : readDate(String(raw)));
    case 'moment':
      return (raw) => (isZeroDate(raw) ? null : readMoment(String(raw)));
    case 'bytes':
      return (raw) => (raw instanceof Uint8Array ? Uint8Array.from(raw) : Buffer.from(String(raw)));
    default:
      return (raw) => (type === 'decimal' || typeof raw !== 'object' ? String(raw) : Buffer.from(raw).toString());
  }
}

function toNumber(raw: NonNullable<RawValue>): number {
  return Number(raw instanceof Uint8Array ? Buffer.from(raw).toString() : raw);
}

/** `0000-00-00`, and dates without a day or month. */
function isZeroDate(raw: NonNullable<RawValue>): boolean {
  return /^0000-|-00/.test(String(raw).slice(0, 10));
}

/** The digits that a short float needs; it comes as a double, which has more. */
export function toShortFloat(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

const bindText = (text: string) =>
  text.isWellFormed() && !text.includes('\0') ? { sql: '?', value: text } : undefined;
const bindInteger = (text: string) =>
  /^-?\d{1,20}$/.test(text) && isLong(text) ? { sql: 'CAST(? AS SIGNED)', value: text } : undefined;
const bindUnsigned = (text: string) =>
  /^\d{1,20}$/.test(text) ? { sql: 'CAST(? AS DECIMAL(20))', value: text } : undefined;
const bindDecimal = (text: string) => {
  const [, whole = '', fraction = ''] = /^-?(\d{1,65})(?:\.(\d{1,30}))?$/.exec(text) ?? [];
  const digits = whole.length + fraction.length;
  return whole === '' || digits > 65
    ? undefined
    : { sql: `CAST(? AS DECIMAL(${digits}, ${fraction.length}))`, value: text };
};
const bindNumber = (text: string) =>
  text !== '' && Number.isFinite(Number(text)) ? { sql: '?', value: Number(text) } : undefined;
const bindMoment = (text: string) =>
  /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d{1,6})?)?$/.test(text)
    ? { sql: 'CAST(? AS DATETIME(6))', value: text }
    : undefined;
const bindBytes = (text: string) =>
  /^(?:[\da-f]{2})*$/.test(text) ? { sql: '?', value: Uint8Array.from(Buffer.from(text, 'hex')) } : undefined;

function isLong(text: string): boolean {
  return BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function formatRaw(raw: NonNullable<RawValue>): string {
  return raw instanceof Uint8Array ? Buffer.from(raw).toString('hex') : String(raw);
}

function createOrder(form: Form, own: string): ColumnOrder {
  switch (form) {
    case 'text':
    case 'document': {
      const write = (sql: string): string => `CAST(CONVERT(${sql} USING utf8mb4) AS BINARY)`;
      const bindKey = (text: string) => {
        const bound = bindText(text);
        return bound && { ...bound, sql: write('?') };
      };
      return { sql: write(own), formatKey: formatRaw, bindKey };
    }
    case 'boolean':
    case 'bits':
      return {
        sql: `(${own} <> 0)`,
        formatKey: (raw) => (createReader(form, 'boolean')(raw) === true ? '1' : '0'),
        bindKey: (text) => (/^[01]$/.test(text) ? { sql: '?', value: Number(text) } : undefined),
      };
    case 'moment':
    case 'date':
      // Zero dates count as null.
      return { sql: `IF(TO_DAYS(${own}) IS NULL, NULL, ${own})`, formatKey: formatMoment, bindKey: bindMoment };
    default:
      return createKeyOrder(form, own);
  }
}

/** A zero date has the position of null. */
function formatMoment(raw: NonNullable<RawValue>): string | null {
  return isZeroDate(raw) ? null : String(raw);
}

/** Compares in the collation of the column, in which keys are unique. */
function createKeyOrder(form: Form, own: string): ColumnOrder {
  const plain = { sql: own, formatKey: formatRaw };
  switch (form) {
    case 'integer':
      return { ...plain, bindKey: bindInteger };
    case 'unsigned':
      return { ...plain, bindKey: bindUnsigned };
    case 'decimal':
      return { ...plain, bindKey: bindDecimal };
    case 'double':
    case 'float':
    case 'boolean':
      return { ...plain, bindKey: bindNumber };
    case 'moment':
    case 'date':
      return { ...plain, bindKey: bindMoment };
    case 'bytes':
    case 'bits':
      return { ...plain, bindKey: bindBytes };
    default:
      return { ...plain, bindKey: bindText };
  }
}
