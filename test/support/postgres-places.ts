/** Places for storages in the database of a test file, one schema each; they are emptied and reused. */
import { type PostgresLocation, parsePostgresLocation } from '../../src/storage/postgres/connection/location.ts';
import type { PostgisUnderTest } from './with-postgis.ts';

export interface PostgresPlaces {
  take(): PostgresLocation;
  /** Called when no storage has it open any more. */
  giveBack(place: PostgresLocation): Promise<void>;
}

/** In an order that leaves no dangling references. */
const tables = [
  'change_files',
  'change_items',
  'changes',
  'record_files',
  'record_keys',
  'records',
  'kind_shapes',
  'notes',
  'kept_replies',
  'file_pins',
  'blob_pieces',
  'blobs',
  'object_leftovers',
  'object_store',
  'claims',
  'attempts',
  'granule_indexes',
  'granule_versions',
  'nodes',
  'locked_features',
  'feature_locks',
];

export function openPostgresPlaces(postgis: PostgisUnderTest): PostgresPlaces {
  const free: PostgresLocation[] = [];
  let count = 0;
  return {
    take() {
      count += 1;
      return free.pop() ?? placeIn(postgis, `storage_${count}`);
    },
    async giveBack(place) {
      await postgis.query(emptying(place.schema));
      free.push(place);
    },
  };
}

/** Statements that reset a schema to its initial state, in a fiftieth of the time of creating one. */
export function emptying(schema: string): string {
  const deletes = tables.map((table) => `DELETE FROM ${schema}.${table}`);
  const head = `UPDATE ${schema}.head SET sequence = 0, at_ms = 0, announced = 0, commits = commits + 1`;
  return [...deletes, head].join('; ');
}

export function placeIn(postgis: Pick<PostgisUnderTest, 'connection'>, schema: string): PostgresLocation {
  const place = parsePostgresLocation(postgresAddress(postgis, schema));
  if (place === undefined) throw new Error('the address of the test database is no address');
  return place;
}

/** As an operator would write it. */
export function postgresAddress({ connection }: Pick<PostgisUnderTest, 'connection'>, schema: string): string {
  const { host, port, user, password, database } = connection;
  return `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}?schema=${schema}`;
}
