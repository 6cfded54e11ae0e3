/** Wrong passwords, counted by all nodes together with the clock of the database. */
import type { CountedAttempts, SharedAttempts } from '../../lib/shared-attempts.ts';
import { integerColumn, textColumn } from '../columns.ts';
import { KeptSession } from './kept-session.ts';
import type { PostgresPlace } from './place.ts';
import { prepared } from './statement.ts';

/** More than one attempt can add: so that what is over does not pile up. */
const FORGOTTEN_AT_ONCE = 20;

const read = prepared(
  'read_attempts',
  `SELECT key, count, ceil(extract(epoch FROM ends_at - clock_timestamp()) * 1000)::bigint
   FROM attempts WHERE key = ANY ($1::text[]) AND ends_at > clock_timestamp()`,
);
/** In one order, so that no two nodes wait for each other. */
const add = prepared(
  'add_attempt',
  `INSERT INTO attempts (key, count, ends_at)
   SELECT k, 1, clock_timestamp() + $2::float8 * interval '1 millisecond' FROM unnest($1::text[]) k ORDER BY k
   ON CONFLICT (key) DO UPDATE SET
     count = CASE WHEN attempts.ends_at > clock_timestamp() THEN attempts.count + 1 ELSE 1 END,
     ends_at = CASE WHEN attempts.ends_at > clock_timestamp() THEN attempts.ends_at ELSE excluded.ends_at END`,
);
const forgive = prepared(
  'forgive_attempts',
  `WITH forgiven AS (SELECT key FROM attempts WHERE key = ANY ($1::text[]) ORDER BY key FOR UPDATE)
   UPDATE attempts a SET count = greatest(0, a.count - $2::integer) FROM forgiven f WHERE a.key = f.key`,
);
const forgetOld = prepared(
  'forget_attempts',
  `DELETE FROM attempts WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM attempts WHERE ends_at < clock_timestamp() LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
);

export class PostgresAttempts implements SharedAttempts {
  readonly #session: KeptSession;

  constructor(place: PostgresPlace) {
    this.#session = new KeptSession(place);
  }

  async read(keys: readonly string[]): Promise<ReadonlyMap<string, CountedAttempts>> {
    const rows = await this.#session.ask(read, [keys.map(storable)]);
    const counted = new Map(
      rows.map((row) => [textColumn(row[0]), { count: integerColumn(row[1]), leftMs: integerColumn(row[2]) }]),
    );
    return new Map(
      keys.flatMap((key) => {
        const found = counted.get(storable(key));
        return found === undefined ? [] : [[key, found] as const];
      }),
    );
  }

  async add(keys: readonly string[], windowMs: number): Promise<void> {
    await this.#session.ask(add, [keys.map(storable), windowMs]);
    await this.#session.ask(forgetOld, []);
  }

  async forgive(keys: readonly string[], count: number): Promise<void> {
    await this.#session.ask(forgive, [keys.map(storable), count]);
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

/** Whoever guesses may send any characters. */
function storable(key: string): string {
  return key.toWellFormed().replaceAll('\0', '\ufffd');
}
