/**
 * Background maintenance: collects unreferenced files, finishes purges, saves checksums of stored files, reserves disk
 * space for deletions, and deletes expired history and stored responses.
 */

import type { Files } from '../records/files/files.ts';
import { deleteOldSentFiles } from '../records/files/sent-files.ts';
import { type DiskReserve, withRoom } from '../storage/files/disk-reserve.ts';
import type { Claims } from '../storage/nodes/claims.ts';
import type { Storage } from '../storage/port/port.ts';
import type { PurgedFileFeed } from '../storage/purged-file-feed.ts';
import { saveNewChecksums } from './backup/object-lists.ts';
import type { Environment } from './environment.ts';
import type { DataServices } from './services/data-services.ts';
import { limits } from './settings/limits.ts';
import type { Settings } from './settings/settings.ts';
import { collectInBackground } from './storage/collect-in-background.ts';
import { HistoryRetention } from './storage/history-retention.ts';
import type { OpenedStorage } from './storage/open-storage.ts';
import { startReplyRetention } from './storage/stored-replies.ts';
import { createUndoRetention } from './storage/undo-retention.ts';

export interface MaintenanceInput extends Pick<DataServices, 'collectGranules'> {
  readonly storage: Storage;
  readonly files: Files;
  readonly claims: Claims;
  readonly gone?: PurgedFileFeed | undefined;
  readonly reserve: DiskReserve;
  readonly forgetGoneFiles: () => Promise<void>;
  /** Deletes objects of interrupted uploads and deletions from an object store. */
  readonly collectLeftovers?: OpenedStorage['collectLeftovers'];
}

/** Returns a function that stops it and waits for a running collection of files. */
export function startMaintenance(
  { storage, files, claims, gone, reserve, collectGranules, forgetGoneFiles, collectLeftovers }: MaintenanceInput,
  settings: Settings,
  world: Environment,
): () => Promise<void> {
  const { isNamed } = createUndoRetention(storage, settings, world.clock);
  const stopCollecting = collectInBackground({
    ...limits.fileCollection,
    files,
    references: { isFileReferenced: isNamed },
    isOurs: () => claims.hold('collection of files', limits.fileCollection.everyMs),
    withRoom: (work) => withRoom(reserve, work),
    clock: world.clock,
    async afterwards() {
      await deleteOldSentFiles(storage.notes, world.clock());
      await files.deleteStaleCopies();
      await collectGranules(isNamed);
      await forgetGoneFiles();
      // Each node takes others.
      const leftovers = (await collectLeftovers?.()) ?? 0;
      if (leftovers > 0) world.logger.debug({ leftovers }, 'deleted leftovers in the object store');
    },
    done({ unreadable, ...collected }) {
      world.logger.debug(collected, 'collected unreferenced files');
      if (unreadable.length > 0) {
        world.logger.warn({ sets: unreadable }, 'lists of uploads in sets/ are damaged: no files are collected');
      }
    },
    failed: (reason) => world.logger.warn({ err: reason }, 'unreferenced files could not be collected'),
  });
  const stopHolding = startHoldingReserve(reserve, world);
  const stopFollowing = gone?.subscribe(files.deleteStaleCopies, (reason) => {
    world.logger.warn({ err: reason }, 'copies of purged files could not be deleted');
  });
  const purges = setInterval(() => {
    files
      .finishPurges((file) => storage.isFileInUse(file))
      .catch((reason: unknown) => {
        world.logger.warn({ err: reason }, 'files could not be purged');
      });
  }, limits.purgeRetryMs).unref();
  const stopSavingChecksums = startSavingChecksums(storage, files, world);
  const history = new HistoryRetention({
    storage: {
      deleteChanges: (beforeMs, limit) => withRoom(reserve, () => storage.deleteChanges(beforeMs, limit)),
    },
    days: settings.historyDays,
    clock: world.clock,
    limits: limits.history,
    report: (entries) => world.logger.info({ entries }, 'deleted expired history'),
    warn: (reason) => world.logger.warn({ err: reason }, 'expired history could not be deleted'),
  });
  history.start();
  const replies = startReplyRetention(storage, world);
  return async () => {
    await stopHolding();
    clearInterval(purges);
    await stopSavingChecksums();
    await stopFollowing?.();
    history.stop();
    replies.stop();
    await stopCollecting();
  };
}

/** Returns a function that stops it and saves the last checksums. */
function startSavingChecksums(
  { notes }: Pick<Storage, 'notes'>,
  files: Pick<Files, 'takeNewChecksums'>,
  { clock, logger }: Pick<Environment, 'clock' | 'logger'>,
): () => Promise<void> {
  const save = () =>
    saveNewChecksums(notes, files.takeNewChecksums(), clock()).catch((reason: unknown) => {
      logger.debug({ err: reason }, 'checksums of stored files could not be saved: the next backup hashes these files');
    });
  const timer = setInterval(save, limits.newChecksumsMs).unref();
  return () => {
    clearInterval(timer);
    return save();
  };
}

/** Returns a function that stops it and waits for a file that is being written. */
function startHoldingReserve(reserve: DiskReserve, { logger }: Pick<Environment, 'logger'>): () => Promise<void> {
  const { firstMs, everyMs } = limits.diskReserve;
  let holding = Promise.resolve();
  const hold = () => {
    holding = reserve.ensureHeld().then(
      () => undefined,
      (reason: unknown) => logger.warn({ err: reason }, 'disk space for deletions could not be reserved'),
    );
  };
  const timers = [setTimeout(hold, firstMs), setInterval(hold, everyMs)];
  for (const timer of timers) timer.unref();
  return async () => {
    for (const timer of timers) clearTimeout(timer);
    await holding;
  };
}
