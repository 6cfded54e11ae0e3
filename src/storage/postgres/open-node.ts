/** All that a node keeps in a PostgreSQL which it shares with others: records, bytes, claims, and counts of wrong passwords. */
import { randomUUID } from 'node:crypto';
import type { SharedAttempts } from '../../lib/shared-attempts.ts';
import type { SharedBytes } from '../blobs/cached.ts';
import type { Claims } from '../claims.ts';
import type { KindRules, Storage } from '../port.ts';
import { PostgresAttempts } from './attempts.ts';
import { PostgresBlobs } from './blobs.ts';
import { PostgresClaims } from './claims.ts';
import { DatabaseClock } from './head.ts';
import { openPostgresStorage } from './open.ts';
import type { PostgresPlace } from './place.ts';

export interface PostgresNode {
  readonly storage: Storage;
  /** The bytes on a shelf of this name. */
  readonly bytesOn: (shelf: string) => SharedBytes;
  readonly claims: Claims;
  readonly attempts: SharedAttempts;
  /** The clock of the database. */
  readonly clock: () => number;
  /** Lets go of everything but the storage, which is closed before. */
  release(): Promise<void>;
}

/** `ownClock` stands in for that of the database, where a test knows better. */
export async function openPostgresNode(
  place: PostgresPlace,
  kinds: readonly KindRules[],
  ownClock?: () => number,
): Promise<PostgresNode> {
  const databaseClock = new DatabaseClock();
  const clock = ownClock ?? (() => databaseClock.now());
  const claims = new PostgresClaims(place, randomUUID());
  const attempts = new PostgresAttempts(place);
  const opened: { close(): Promise<void> }[] = [claims, attempts];
  return {
    storage: await openPostgresStorage({ place, kinds, clock, databaseClock }),
    bytesOn(shelf) {
      const blobs = new PostgresBlobs({ place, shelf, clock });
      opened.push(blobs);
      return blobs;
    },
    claims,
    attempts,
    clock,
    release: async () => void (await Promise.all(opened.map((each) => each.close()))),
  };
}
