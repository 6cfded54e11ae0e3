/** Login attempts that all nodes count together, with the clock of the database. */
import type {
  AttemptKeys,
  AttemptLimits,
  AttemptOutcome,
  LoginAttempts,
  Reservation,
} from '../../../lib/identity/login-attempts.ts';
import { readIntegerColumn } from '../../port/columns.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { prepareStatement } from '../connection/statement.ts';

/** More than one attempt can add, so that expired rows do not accumulate. */
const DELETED_AT_ONCE = 20;

/** Rows are always locked in key order, which prevents deadlocks between nodes. */
const openWindows = prepareStatement(
  'open_attempt_windows',
  `INSERT INTO attempts (key, count, reserved, ends_at)
   SELECT k, 0, 0, clock_timestamp() + $2::float8 * interval '1 millisecond' FROM unnest($1::text[]) k ORDER BY k
   ON CONFLICT (key) DO UPDATE SET count = 0, reserved = 0, ends_at = excluded.ends_at
   WHERE attempts.ends_at <= clock_timestamp()`,
);
/** $1: the keys of the account with the address, and of the address; $2: their limits; $3: the key of the account. */
const reserve = prepareStatement(
  'reserve_attempt',
  `WITH locked AS (
     SELECT a.key, a.count, a.reserved, a.ends_at FROM attempts a WHERE a.key = ANY ($1::text[]) ORDER BY a.key FOR UPDATE
   ), limited AS (
     SELECT l.*, most FROM unnest($1::text[], $2::integer[]) AS bounds (key, most) JOIN locked l USING (key)
   ), changed AS (
     UPDATE attempts a SET reserved = a.reserved + 1 FROM limited l WHERE a.key = l.key
       AND (SELECT count(*) = 2 AND bool_and(count + reserved < most) FROM limited)
     RETURNING 1
   ) SELECT (SELECT count(*) FROM changed), (SELECT count(*) FROM limited),
       (SELECT ceil(max(extract(epoch FROM ends_at - clock_timestamp())) * 1000)::bigint FROM limited WHERE count >= most),
       (SELECT count FROM attempts WHERE key = $3 AND ends_at > clock_timestamp())`,
);
/** $1: all keys; $2: the reserved ones; $3: the window. */
const countWrong = prepareStatement(
  'count_wrong_attempt',
  `INSERT INTO attempts (key, count, reserved, ends_at)
   SELECT k, 1, 0, clock_timestamp() + $3::float8 * interval '1 millisecond' FROM unnest($1::text[]) k ORDER BY k
   ON CONFLICT (key) DO UPDATE SET
     count = CASE WHEN attempts.ends_at > clock_timestamp() THEN attempts.count + 1 ELSE 1 END,
     reserved = CASE WHEN attempts.ends_at <= clock_timestamp() THEN 0 WHEN attempts.key = ANY ($2::text[])
       THEN greatest(0, attempts.reserved - 1) ELSE attempts.reserved END,
     ends_at = CASE WHEN attempts.ends_at > clock_timestamp() THEN attempts.ends_at ELSE excluded.ends_at END`,
);
/** $1: all keys; $2: the reserved ones; $3: the key whose failed attempts are cleared under all keys, or null. */
const releaseAttempt = prepareStatement(
  'give_back_attempt',
  `WITH locked AS (SELECT key, count FROM attempts WHERE key = ANY ($1::text[]) ORDER BY key FOR UPDATE)
   UPDATE attempts a SET
     reserved = CASE WHEN a.key = ANY ($2::text[]) THEN greatest(0, a.reserved - 1) ELSE a.reserved END,
     count = greatest(0, a.count - coalesce((SELECT count FROM locked WHERE key = $3::text), 0))
   FROM locked l WHERE a.key = l.key`,
);
const deleteExpired = prepareStatement(
  'forget_attempts',
  `DELETE FROM attempts WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM attempts WHERE ends_at < clock_timestamp() LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
);

export class PostgresAttempts implements LoginAttempts {
  readonly isShared = true;
  readonly #session: ReconnectingSession;

  constructor(place: PostgresLocation) {
    this.#session = new ReconnectingSession(place);
  }

  async reserve(keys: AttemptKeys, limits: AttemptLimits): Promise<Reservation> {
    const { pair, address, account } = toStorableKeys(keys);
    const bounds = [limits.perAccountAndAddress, limits.perAddress];
    for (;;) {
      await this.#session.query(openWindows, [[pair, address], limits.windowMs]);
      const [row] = await this.#session.query(reserve, [[pair, address], bounds, account]);
      const [changed, found, leftMs, ofAccount] = row ?? [];
      if (readIntegerColumn(changed) > 0) {
        return { kind: 'reserved', isSlowed: readIntegerColumn(ofAccount ?? 0) >= limits.perAccount };
      }
      if (leftMs !== null) return { kind: 'refused', leftMs: Math.max(1, readIntegerColumn(leftMs)) };
      // A window that ended in between may have been deleted.
      if (readIntegerColumn(found) === 2) return { kind: 'full' };
    }
  }

  async settle(keys: AttemptKeys, outcome: AttemptOutcome, windowMs: number): Promise<void> {
    const { pair, address, account, spelled } = toStorableKeys(keys);
    const all = [pair, address, account, spelled];
    switch (outcome) {
      case 'wrong':
        await this.#session.query(countWrong, [all, [pair, address], windowMs]);
        await this.#session.query(deleteExpired, []);
        break;
      case 'right':
        await this.#session.query(releaseAttempt, [all, [pair, address], spelled]);
        break;
      case 'unanswered':
        await this.#session.query(releaseAttempt, [[pair, address], [pair, address], null]);
        break;
    }
  }

  async countWrong(keys: AttemptKeys, windowMs: number): Promise<void> {
    const { pair, address, account, spelled } = toStorableKeys(keys);
    await this.#session.query(countWrong, [[pair, address, account, spelled], [], windowMs]);
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

/** Clients may send any characters. */
function toStorableKeys({ pair, address, account, spelled }: AttemptKeys): AttemptKeys {
  const toStorableKey = (key: string) => key.toWellFormed().replaceAll('\0', '\ufffd');
  return {
    pair: toStorableKey(pair),
    address: toStorableKey(address),
    account: toStorableKey(account),
    spelled: toStorableKey(spelled),
  };
}
