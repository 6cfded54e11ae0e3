/** Everything that a node stores in a shared PostgreSQL: records, blobs, claims, login attempts, feature locks and heartbeats. */
import { randomUUID } from 'node:crypto';
import type { LoginAttempts } from '../../lib/identity/login-attempts.ts';
import type { FeatureLocks } from '../../lib/locks/feature-locks.ts';
import type { SharedBytes } from '../blobs/cached.ts';
import type { Claims } from '../nodes/claims.ts';
import type { SharedPins } from '../nodes/file-pins.ts';
import type { KindRules, Storage } from '../port/port.ts';
import type { PostgresLocation } from './connection/location.ts';
import { PostgresAttempts } from './nodes/attempts.ts';
import { PostgresBlobs } from './nodes/blobs.ts';
import { PostgresClaims } from './nodes/claims.ts';
import { PostgresFeatureLocks } from './nodes/feature-locks.ts';
import { PostgresPins } from './nodes/file-pins.ts';
import { PostgresNodes } from './nodes/nodes.ts';
import { openPostgresStorage } from './open.ts';
import { DatabaseClock } from './rows/head.ts';

export interface PostgresNode {
  readonly storage: Storage;
  /** Opens the blobs of a shelf. */
  readonly openSharedBytes: (shelf: string) => SharedBytes;
  readonly pins: SharedPins;
  readonly claims: Claims;
  readonly attempts: LoginAttempts;
  readonly nodes: PostgresNodes;
  readonly featureLocks: FeatureLocks;
  /** The clock of the database. */
  readonly clock: () => number;
  /** Closes everything but the storage, which must be closed before. */
  release(): Promise<void>;
}

/** `ownClock` replaces the clock of the database in tests. */
export async function openPostgresNode(
  place: PostgresLocation,
  kinds: readonly KindRules[],
  self: { readonly name: string; readonly version: string },
  ownClock?: () => number,
): Promise<PostgresNode> {
  const databaseClock = new DatabaseClock();
  const clock = ownClock ?? (() => databaseClock.now());
  const id = randomUUID();
  const claims = new PostgresClaims(place, id);
  const nodes = new PostgresNodes({ location: place, id, ...self });
  const attempts = new PostgresAttempts(place);
  const pins = new PostgresPins(place);
  const featureLocks = new PostgresFeatureLocks(place, ownClock);
  const opened: { close(): Promise<void> }[] = [claims, attempts, nodes, pins, featureLocks];
  return {
    storage: await openPostgresStorage({ location: place, kinds, clock, databaseClock }),
    openSharedBytes(shelf) {
      const blobs = new PostgresBlobs({ location: place, shelf, clock });
      opened.push(blobs);
      return blobs;
    },
    pins,
    claims,
    attempts,
    nodes,
    featureLocks,
    clock,
    release: async () => void (await Promise.all(opened.map((each) => each.close()))),
  };
}
