/** Everything that a node stores in a shared PostgreSQL: records, blobs, claims, login attempts, feature locks and heartbeats. */
import { randomUUID } from 'node:crypto';
import type { LoginAttempts } from '../../lib/identity/login-attempts.ts';
import type { FeatureLocks } from '../../lib/locks/feature-locks.ts';
import type { SharedBytes } from '../blobs/cached.ts';
import type { Claims } from '../nodes/claims.ts';
import type { SharedPins } from '../nodes/file-pins.ts';
import type { ObjectStore } from '../objects/port.ts';
import type { KindRules, Storage } from '../port/port.ts';
import type { PostgresLocation } from './connection/location.ts';
import { PostgresAttempts } from './nodes/attempts.ts';
import { bindObjectStore } from './nodes/bind-object-store.ts';
import { PostgresBlobs } from './nodes/blobs.ts';
import { PostgresClaims } from './nodes/claims.ts';
import { PostgresFeatureLocks } from './nodes/feature-locks.ts';
import { PostgresPins } from './nodes/file-pins.ts';
import { PostgresNodes } from './nodes/nodes.ts';
import { ObjectBlobs } from './nodes/object-blobs.ts';
import { openPostgresStorage } from './open.ts';
import { DatabaseClock } from './rows/head.ts';

/** The shelf of the files; the lists of sets are on another. */
const OBJECT_SHELF = 'blobs';

export interface PostgresNode {
  readonly storage: Storage;
  /** Opens the blobs of a shelf. */
  readonly openSharedBytes: (shelf: string) => SharedBytes;
  /** Deletes objects of interrupted uploads and deletions; returns their number. */
  readonly collectLeftovers: (signal?: AbortSignal) => Promise<number>;
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

export interface PostgresNodeOptions {
  readonly name: string;
  readonly version: string;
  /** The folder of files for large transactions; the one of the system for temporary files by default. */
  readonly spillFolder?: string;
  /** Replaces the clock of the database in tests. */
  readonly clock?: () => number;
  /** The store of uploaded files. Without it, they are in the database. */
  readonly objects?: ObjectStore;
}

export async function openPostgresNode(
  place: PostgresLocation,
  kinds: readonly KindRules[],
  { clock: ownClock, objects, spillFolder, ...self }: PostgresNodeOptions,
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
  const storage = await openPostgresStorage({ location: place, kinds, clock, databaseClock, spillFolder });
  const objectBlobs: ObjectBlobs[] = [];
  try {
    await bindObjectStore(place, objects);
  } catch (error) {
    await storage.close();
    throw error;
  }
  return {
    storage,
    openSharedBytes(shelf) {
      const options = { location: place, shelf, clock };
      // The lists of sets are read often and are small.
      if (objects === undefined || shelf !== OBJECT_SHELF) {
        const blobs = new PostgresBlobs(options);
        opened.push(blobs);
        return blobs;
      }
      const blobs = new ObjectBlobs({ ...options, objects });
      opened.push(blobs);
      objectBlobs.push(blobs);
      return blobs;
    },
    async collectLeftovers(signal) {
      let count = 0;
      for (const blobs of objectBlobs) count += await blobs.collectLeftovers(signal);
      return count;
    },
    pins,
    claims,
    attempts,
    nodes,
    featureLocks,
    clock,
    async release() {
      await Promise.all(opened.map((each) => each.close()));
      objects?.close();
    },
  };
}
