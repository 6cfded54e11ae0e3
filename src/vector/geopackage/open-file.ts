/** Opens a GeoPackage from an untrusted source: only plain reads are executed. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { constants, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { problem } from '../../lib/problems/problem.ts';

/** Waiting for a lock blocks the thread, so writers retry by themselves. */
const BUSY_TIMEOUT_MS = 500;

/** Readers wait for a writer that is about to finish. */
const READER_TIMEOUT_MS = 5_000;

/** The default column limit of SQLite. */
export const MAX_COLUMNS = 2_000;

/** Limits on memory and time; a geometry of 256 MB is read, one of a gigabyte is not. */
const limits = {
  length: 268_435_456,
  sqlLength: 1_000_000,
  column: MAX_COLUMNS,
  exprDepth: 100,
  compoundSelect: 50,
  vdbeOp: 100_000,
  functionArg: 16,
  attach: 0,
  likePatternLength: 100,
  triggerDepth: 4,
} as const;

/** Cheap functions that views can use. Others could exhaust memory or run forever. */
export const harmlessFunctions: ReadonlySet<string> = new Set(
  'abs|avg|coalesce|count|date|datetime|ifnull|iif|instr|julianday|length|lower|ltrim|max|min|nullif|round|rtrim|sign|strftime|substr|substring|sum|time|total|trim|typeof|unixepoch|upper'.split(
    '|',
  ),
);

const SQLITE_HEADER = 'SQLite format 3\0';
const HEADER_BYTES = 100;

/** Opens a read-only connection; `format` names the expected format in messages. */
export function openForReading(path: string, format = 'a GeoPackage'): DatabaseSync {
  const header = readHeader(path, format);
  const database = new DatabaseSync(getDatabaseLocation(path, header), {
    ...common,
    timeout: READER_TIMEOUT_MS,
    readOnly: true,
  });
  try {
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    database.setAuthorizer(authorizeReading);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** For internal statements on checked tables; a new file is empty. */
export function openForWriting(path: string): DatabaseSync {
  if (statSync(path).size > 0) readHeader(path, 'a GeoPackage');
  const database = new DatabaseSync(path, common);
  try {
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA recursive_triggers = OFF');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const common = {
  timeout: BUSY_TIMEOUT_MS,
  allowExtension: false,
  defensive: true,
  enableForeignKeyConstraints: false,
  // Views of old files quote texts like names.
  enableDoubleQuotedStringLiterals: true,
  limits,
} as const;

/** They describe columns of tables and indexes. */
const readingPragmas: ReadonlySet<string> = new Set(['table_xinfo', 'index_info']);

const isPartOfIndex = /^rtree_.*_(?:node|rowid|parent)$/is;

function authorizeReading(action: number, first: string | null, second: string | null): number {
  switch (action) {
    case constants.SQLITE_SELECT:
    case constants.SQLITE_READ:
      return constants.SQLITE_OK;
    case constants.SQLITE_FUNCTION:
      return harmlessFunctions.has(second?.toLowerCase() ?? '') ? constants.SQLITE_OK : constants.SQLITE_DENY;
    // An R-tree prepares its write statements on first read; the file is opened read-only.
    case constants.SQLITE_INSERT:
    case constants.SQLITE_UPDATE:
    case constants.SQLITE_DELETE:
      return isPartOfIndex.test(first ?? '') ? constants.SQLITE_OK : constants.SQLITE_DENY;
    case constants.SQLITE_PRAGMA:
      return first !== null && readingPragmas.has(first) ? constants.SQLITE_OK : constants.SQLITE_DENY;
    default:
      // Denies recursion, among others, with which a view could run forever.
      return constants.SQLITE_DENY;
  }
}

function readHeader(path: string, format: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const bytes = readSync(file, header, 0, HEADER_BYTES, 0);
    if (bytes < HEADER_BYTES || header.toString('latin1', 0, SQLITE_HEADER.length) !== SQLITE_HEADER) {
      throw problem('vector-file-unreadable', { file: basename(path), reason: `it is not ${format}` });
    }
    return header;
  } finally {
    closeSync(file);
  }
}

/**
 * Reading a file in WAL mode creates two files next to it. If no process has it open there is no log, and the file is
 * opened as immutable.
 */
function getDatabaseLocation(path: string, header: Buffer): string | URL {
  const hasLog = header[18] === 2 && (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (header[18] !== 2 || hasLog) return path;
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return url;
}
