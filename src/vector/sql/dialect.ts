/**
 * The dialect table of a database: everything in which its statements differ from those of others. A driver for a further
 * SQL database is such a table with a connection; CONTRIBUTING.md has the recipe.
 */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { SqlDialect } from '../../filter/sql/sql.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import type { DetailedTypeSummary, NewFeatureType, TypeSummary, Value } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';
import type { BoundValue, SqlRow, SqlSession } from './session.ts';
import type { SessionPool } from './session-pool.ts';
import type { GeometryContent, Table, TableColumn } from './table.ts';

export interface DatabaseDialect {
  /** The conditions of filters. */
  readonly filters: SqlDialect;
  readonly quoteName: (name: string) => string;
  /** Returns all tables and views by name. */
  readonly listTables: (session: SqlSession) => Promise<readonly TypeSummary[]>;
  /** The same with what the catalogue knows without reading rows. */
  readonly listDetailedTables: (session: SqlSession) => Promise<readonly DetailedTypeSummary[]>;
  /** Finds a table or view by its exact name. */
  readonly findTable: (session: SqlSession, name: string) => Promise<Table | undefined>;
  /** Resolves the number of a reference system. */
  readonly findCrs: (session: SqlSession, srid: number) => Promise<CrsReference>;
  /** Finds the number of a reference system for a new column. */
  readonly findSrid: (session: SqlSession, crs: CrsReference) => Promise<number | undefined>;
  /** Returns the number of the reference system of a geometry. */
  readonly writeSrid: (column: TableColumn) => string;
  /** Four aggregates: the least x and y and the greatest x and y of a geometry column. */
  readonly writeExtent: (column: TableColumn) => string;
  readonly readExtent: (row: SqlRow) => Bounds | undefined;
  /** Runs statements with a short deadline. */
  readonly runLimited: <T>(session: SqlSession, maxMs: number, work: () => Promise<T>) => Promise<T>;
  readonly isTimeout: (error: unknown) => boolean;
  /** A column as a double, for statistics; undefined if features have other numbers, or none. */
  readonly writeNumber: (column: TableColumn) => string | undefined;
  /** Nulls are first, or last if descending. */
  readonly writeOrder: (sql: string, isDescending: boolean) => string;
  readonly writeLimit: (cut: { readonly limit?: number | undefined; readonly offset?: number | undefined }) => string;
  /** Ends a statement that locks its rows until the end of the transaction. */
  readonly forUpdate: string;
  /** The statements that begin a transaction for changes. */
  readonly beginWriting: readonly string[];
  /** The columns and values of a row of defaults. */
  readonly defaultRow: string;
  /** Creates a table with a generated key under another name, outside of transactions. */
  readonly createTable: (session: SqlSession, type: NewFeatureType, present: string) => Promise<void>;
  readonly renameTable: (session: SqlSession, present: string, name: string) => Promise<void>;
  readonly dropTable: (session: SqlSession, name: string) => Promise<void>;
  readonly toBoundValue: (value: Value | Geometry, content: TableColumn['content']) => BoundValue;
  /** Converts an error about the values of features to a problem; other errors are returned unchanged. */
  readonly toWriteProblem: (error: unknown, table: string, features: string) => unknown;
  /** Describes a query of a client as a table. */
  readonly describeQuery: (session: SqlSession, view: SqlView) => Promise<Table>;
  /** The statements before and after a query of a client: it cannot change data, and leaves nothing in its session. */
  readonly beginViewing: readonly string[];
  readonly endViewing: readonly string[];
  /** Converts an error of a query of a client to a problem; other errors are returned unchanged. */
  readonly toViewProblem: (error: unknown, view: SqlView) => unknown;
  /** Whether a value of a page key cannot be compared with its column. */
  readonly isKeyError: (error: unknown) => boolean;
}

/** The context of reads and edits. */
export interface SqlContext {
  readonly pool: SessionPool;
  /** The dialect of a connected session: databases of one protocol can differ. */
  readonly getDialect: (session: SqlSession) => DatabaseDialect;
  readonly exposesPrimaryKeys: boolean;
  readonly filterRunner: FilterRunner;
}

export type GeometryColumn = TableColumn & { readonly content: GeometryContent };
