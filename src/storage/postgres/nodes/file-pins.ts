/** Pins in a shared table. All times are those of the database. */
import { createBatcher } from '../../../lib/async/batcher.ts';
import { EVERY_PINNED_FILE, type SharedPins, type SharedPinWatch } from '../../nodes/file-pins.ts';
import { readTextColumn } from '../../port/columns.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { prepareStatement } from '../connection/statement.ts';

/** The maximum age of a pin: the node of an older one is dead. It equals the grace period of the collector. */
const MAX_OPERATION_INTERVAL = `interval '1 hour'`;

/** The next store is committed durably, and the write-ahead log is ordered: pins need no separate flush. */
const disableSyncCommit = `set_config('synchronous_commit', 'off', true)`;

const insertPins = prepareStatement(
  'pin_files',
  `INSERT INTO file_pins (file, operation, pinned_at)
   SELECT file, $2, clock_timestamp() FROM unnest($1::text[]) AS file, ${disableSyncCommit} ORDER BY file
   ON CONFLICT (file, operation) DO UPDATE SET pinned_at = excluded.pinned_at, ended_at = NULL`,
);
const endPins = prepareStatement(
  'end_file_pins',
  `UPDATE file_pins SET ended_at = clock_timestamp() FROM ${disableSyncCommit} WHERE operation = ANY ($1::text[])`,
);
const deleteExpiredPins = prepareStatement(
  'trim_file_pins',
  `DELETE FROM file_pins WHERE ended_at < clock_timestamp() - ${MAX_OPERATION_INTERVAL}
     OR pinned_at < clock_timestamp() - 2 * ${MAX_OPERATION_INTERVAL}`,
);
const selectNow = prepareStatement('file_pins_now', 'SELECT clock_timestamp()::text');
const hasPin = prepareStatement(
  'has_file_pin',
  `SELECT EXISTS (SELECT FROM file_pins WHERE file IN ($1, '${EVERY_PINNED_FILE}')
     AND (ended_at > $2::timestamptz OR ended_at IS NULL AND pinned_at > clock_timestamp() - ${MAX_OPERATION_INTERVAL}))`,
);

export class PostgresPins implements SharedPins {
  readonly #session: ReconnectingSession;
  /** Never rejects: a pin that could not be released expires within the hour. */
  readonly end: (operation: string) => Promise<void>;

  constructor(place: PostgresLocation) {
    this.#session = new ReconnectingSession(place);
    const endAll = createBatcher<string>(async (operations) => void (await this.#session.query(endPins, [operations])));
    this.end = (operation) => endAll([operation]).catch(() => undefined);
  }

  async pin(operation: string, files: readonly string[]): Promise<void> {
    await this.#session.query(insertPins, [[...new Set(files)], operation]);
  }

  async watch(): Promise<SharedPinWatch> {
    await this.#session.query(deleteExpiredPins, []);
    const began = readTextColumn((await this.#session.query(selectNow, []))[0]?.[0]);
    return { has: async (file) => (await this.#session.query(hasPin, [file, began]))[0]?.[0] === true };
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
