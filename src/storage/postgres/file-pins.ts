/** Pins in a table that all nodes share. All times are those of the database. */
import { createTogether } from '../../lib/together.ts';
import { textColumn } from '../columns.ts';
import type { SharedPins, SharedPinWatch } from '../file-pins.ts';
import { KeptSession } from './kept-session.ts';
import type { PostgresPlace } from './place.ts';
import { prepared } from './statement.ts';

/** A pin counts for so long at most: the node of an older one has died. It is the grace time of the collector. */
const LONGEST_OPERATION = `interval '1 hour'`;

/** What is stored next is committed durably, and the log of the database is in order: pins need no wait of their own. */
const withoutWaiting = `set_config('synchronous_commit', 'off', true)`;

const pin = prepared(
  'pin_files',
  `INSERT INTO file_pins (file, operation, pinned_at)
   SELECT file, $2, clock_timestamp() FROM unnest($1::text[]) AS file, ${withoutWaiting} ORDER BY file
   ON CONFLICT (file, operation) DO UPDATE SET pinned_at = excluded.pinned_at, ended_at = NULL`,
);
const end = prepared(
  'end_file_pins',
  `UPDATE file_pins SET ended_at = clock_timestamp() FROM ${withoutWaiting} WHERE operation = ANY ($1::text[])`,
);
const trim = prepared(
  'trim_file_pins',
  `DELETE FROM file_pins WHERE ended_at < clock_timestamp() - ${LONGEST_OPERATION}
     OR pinned_at < clock_timestamp() - 2 * ${LONGEST_OPERATION}`,
);
const now = prepared('file_pins_now', 'SELECT clock_timestamp()::text');
const has = prepared(
  'has_file_pin',
  `SELECT EXISTS (SELECT FROM file_pins WHERE file = $1
     AND (ended_at > $2::timestamptz OR ended_at IS NULL AND pinned_at > clock_timestamp() - ${LONGEST_OPERATION}))`,
);

export class PostgresPins implements SharedPins {
  readonly #session: KeptSession;
  /** Never rejects: a pin that could not be ended is over within the hour. */
  readonly end: (operation: string) => Promise<void>;

  constructor(place: PostgresPlace) {
    this.#session = new KeptSession(place);
    const endAll = createTogether<string>(async (operations) => void (await this.#session.ask(end, [operations])));
    this.end = (operation) => endAll([operation]).catch(() => undefined);
  }

  async pin(operation: string, files: readonly string[]): Promise<void> {
    await this.#session.ask(pin, [[...new Set(files)], operation]);
  }

  async watch(): Promise<SharedPinWatch> {
    await this.#session.ask(trim, []);
    const began = textColumn((await this.#session.ask(now, []))[0]?.[0]);
    return { has: async (file) => (await this.#session.ask(has, [file, began]))[0]?.[0] === true };
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
