/** Opens the storage: SQLite and folders of the data directory, or a PostgreSQL database that several nodes share. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { LoginAttempts } from '../../lib/identity/login-attempts.ts';
import type { FeatureLocks } from '../../lib/locks/feature-locks.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { type Files, openFiles } from '../../records/files/files.ts';
import type { SharedFiles } from '../../records/files/shelves.ts';
import { type Disk, realDisk } from '../../storage/blobs/disk.ts';
import { openSharedDirectory } from '../../storage/blobs/shared-directory.ts';
import { type Claims, createSingleNodeClaims } from '../../storage/nodes/claims.ts';
import { createSingleNode, type NodeReport, type Nodes } from '../../storage/nodes/nodes.ts';
import { ObjectStoreFailure } from '../../storage/objects/port.ts';
import type { S3Store } from '../../storage/objects/s3-store.ts';
import type { KindRules, Storage } from '../../storage/port/port.ts';
import type { PostgresLocation } from '../../storage/postgres/connection/location.ts';
import { openPurgedFileFeed, type PurgedFileFeed } from '../../storage/purged-file-feed.ts';
import type { Synchronous } from '../../storage/sqlite/connection.ts';
import { SqliteFeatureLocks } from '../../storage/sqlite/feature-locks.ts';
import { openSqliteStorage } from '../../storage/sqlite/open.ts';
import { createUnusableError, DATABASE_FILE, FEATURE_LOCKS_FILE } from '../settings/data-directory.ts';
import { findBlobsDirectory, findObjectStore } from '../settings/file-storage.ts';
import { limits } from '../settings/limits.ts';
import type { Settings } from '../settings/settings.ts';
import { readVersion } from '../settings/version.ts';
import { getCause } from './open-with-retry.ts';
import { recordKinds } from './record-kinds.ts';
import { createUndoRetention } from './undo-retention.ts';

const MEGABYTE = 1_048_576;

export interface StorageEnvironment {
  readonly clock: () => number;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
  /** The clock shared by all nodes. Default: the clock of their database. */
  readonly sharedClock?: () => number;
  readonly disk?: Disk;
  readonly sync?: (descriptor: number) => Promise<void>;
  readonly synchronous?: Synchronous;
  readonly further?: { readonly kinds: readonly KindRules[] };
}

/** The catalog, the files and the coordination of nodes. */
export interface OpenedStorage {
  readonly storage: Storage;
  readonly files: Files;
  readonly claims: Claims;
  /** Counts failed sign-ins across all nodes; without it, this node counts its own. */
  readonly attempts?: LoginAttempts;
  readonly nodes: Nodes;
  readonly featureLocks: FeatureLocks;
  /** Purges on any node; undefined for a single node. */
  readonly gone?: PurgedFileFeed;
  /** Announces this node to the others. */
  join(report: () => NodeReport): Promise<void>;
  /** Deletes objects of interrupted uploads and deletions; without an object store there are none. */
  readonly collectLeftovers?: (signal?: AbortSignal) => Promise<number>;
  /** The clock shared by all nodes. */
  readonly clock: () => number;
  /** Releases the resources of the files, after the storage is closed. */
  release(): Promise<void>;
}

export async function openStorage(settings: Settings, world: StorageEnvironment): Promise<OpenedStorage> {
  const kinds = [...recordKinds, ...(world.further?.kinds ?? [])];
  return settings.storage === undefined
    ? openInDirectory(settings, kinds, world)
    : openInPostgres(settings.storage, settings, kinds, world);
}

/** Returns the name of this server. */
export function resolveNodeName({ nodeName, port }: Pick<Settings, 'nodeName' | 'port'>): string {
  return nodeName ?? `${hostname()}-${port}`;
}

async function openInDirectory(
  settings: Settings,
  kinds: readonly KindRules[],
  { clock, sync, synchronous, disk = realDisk }: StorageEnvironment,
): Promise<OpenedStorage> {
  const { dataDir: directory } = settings;
  const file = join(directory, DATABASE_FILE);
  try {
    const storage = await openSqliteStorage({
      file,
      clock,
      kinds,
      synchronous,
      ...(sync === undefined ? {} : { sync }),
    });
    const { isNamed, isHeld } = createUndoRetention(storage, settings, clock);
    const files = openFiles({ root: directory, disk, isNamed, isHeld });
    const self = { name: resolveNodeName(settings), version: readVersion(), startedAtMs: clock() };
    const featureLocks = new SqliteFeatureLocks(join(directory, FEATURE_LOCKS_FILE), clock);
    const alone = { clockAheadMs: 0, cacheBytes: 0, cacheLimitBytes: 0 };
    return {
      storage,
      files,
      claims: createSingleNodeClaims(),
      nodes: createSingleNode(() => ({ ...self, ...alone, position: storage.position() }), clock),
      featureLocks,
      join: async () => undefined,
      clock,
      release: () => featureLocks.close(),
    };
  } catch (error) {
    throw createUnusableError(`Cannot open '${file}' in --data-dir`, error);
  }
}

/** Loads the PostgreSQL modules only when they are needed. */
async function openInPostgres(
  place: PostgresLocation,
  settings: Settings,
  kinds: readonly KindRules[],
  { logger, disk = realDisk, sharedClock }: StorageEnvironment,
): Promise<OpenedStorage> {
  const { openPostgresNode } = await import('../../storage/postgres/open-node.ts');
  const self = { name: resolveNodeName(settings), version: readVersion(), spillFolder: settings.dataDir };
  const objects = await openObjectStore(settings);
  const { openSharedBytes, pins, ...node } = await openPostgresNode(place, kinds, {
    ...self,
    ...(sharedClock === undefined ? {} : { clock: sharedClock }),
    ...(objects === undefined ? {} : { objects }),
  }).catch((error: unknown) => {
    objects?.close();
    // Transient failures of the database and of the object store are retried.
    throw error instanceof Problem ? error : toOpenError(place, error);
  });
  const { dataDir: root } = settings;
  const blobs = findBlobsDirectory(settings);
  const gone = openPurgedFileFeed(node.storage.notes);
  const shared: SharedFiles = {
    openSharedBytes:
      blobs === undefined
        ? openSharedBytes
        : (shelf) => openSharedDirectory({ directory: blobs, shelf, runExclusive: node.claims.runExclusive }),
    pins,
    gone,
    maxSetBytes: settings.blobs === undefined ? settings.maxStoredUploadMb * MEGABYTE : Number.POSITIVE_INFINITY,
    cache: {
      ...limits.fileCache,
      limitBytes: settings.fileCacheMb * MEGABYTE,
      clock: node.clock,
      onFailure: (reason) => logger.warn({ err: reason }, 'copies of shared files could not be deleted'),
    },
  };
  const { isNamed, isHeld } = createUndoRetention(node.storage, settings, node.clock);
  const files = openFiles({ root, disk, isNamed, isHeld, shared });
  return { ...node, files, gone, join: (report) => node.nodes.begin(report) };
}

/** Loads the modules of object stores only when they are needed. */
async function openObjectStore(settings: Settings): Promise<S3Store | undefined> {
  const options = findObjectStore(settings);
  if (options === undefined) return undefined;
  const { S3Store } = await import('../../storage/objects/s3-store.ts');
  return new S3Store(options);
}

/** Returns a one-line error for the operator with the message of the database, which clients do not see. */
export function toOpenError({ shown }: Pick<PostgresLocation, 'shown'>, error: unknown): Error {
  const cause = getCause(error);
  if (cause instanceof ObjectStoreFailure) return createUnusableError('Cannot use --blobs', cause);
  return createUnusableError(`Cannot open --storage ${shown}`, getCause(error));
}
