/** Opens a server on its data directory or database, and closes it, each in the required order. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { migrateFiles } from '../catalog/stores/migrate-files.ts';
import { allSettled } from '../lib/async/all-settled.ts';
import { Problem } from '../lib/problems/problem.ts';
import { type Catalog, openCatalog } from '../records/catalog.ts';
import { openChangeFeed } from '../records/change-feed.ts';
import {
  confirmPasswordSeen,
  ensureAdministrator,
  type GeneratedPassword,
  isPasswordCurrent,
} from '../security/core/administrator.ts';
import { realDisk } from '../storage/blobs/disk.ts';
import { DiskReserve } from '../storage/files/disk-reserve.ts';
import type { Storage } from '../storage/port/port.ts';
import { recordProgramVersion } from '../storage/port/program-version.ts';
import type { PostgresLocation } from '../storage/postgres/connection/location.ts';
import { readFontFolders, setFontFolders } from '../styling/fonts/font-registry.ts';
import { assembleServer } from './assemble.ts';
import { readCertificate } from './certificate.ts';
import type { Environment } from './environment.ts';
import { claimDataDirectory, FONT_COPIES_FOLDER, FONTS_FOLDER, RESERVE_FILE } from './settings/data-directory.ts';
import { limits } from './settings/limits.ts';
import { readSecretFiles } from './settings/secret-files.ts';
import { checkCombinations, type Settings } from './settings/settings.ts';
import { readVersion } from './settings/version.ts';
import { startMaintenance } from './start-maintenance.ts';
import { type OpenedStorage, openStorage, toOpenError } from './storage/open-storage.ts';
import { openWithRetry } from './storage/open-with-retry.ts';

export interface Server {
  readonly app: FastifyInstance;
  readonly storage: Storage;
  /** The REST root below the host: `/geoserver/rest`. */
  readonly restRoot: string;
  /** Whether this start was the first on an empty catalog. */
  readonly isFirstStart: boolean;
  /** Returns the generated password of the built-in admin, unless another server has replaced it. */
  generatedPassword(): Promise<string | undefined>;
  /** Call it once the generated password was shown; until then every start generates another one. */
  confirmPasswordSeen(): Promise<void>;
  /** Finishes the requests in progress, then closes everything. Once `signal` is aborted, it stops waiting. */
  close(signal?: AbortSignal): Promise<void>;
}

export async function openServer(written: Settings, given: Environment): Promise<Server> {
  const { settings, warnings } = await readSecretFiles(written);
  for (const warning of warnings) given.logger.warn(warning);
  checkCombinations(settings);
  const world = { ...given, certificate: await readCertificate(settings) };
  const lock = await claimDataDirectory(settings.dataDir, { isNode: settings.storage !== undefined });
  setFontFolders({
    folders: [join(settings.dataDir, FONTS_FOLDER), ...settings.fonts],
    hasSystemFonts: settings.systemFonts,
    copies: join(settings.dataDir, FONT_COPIES_FOLDER),
  });
  await readFontFolders();
  await rm(join(settings.dataDir, FONT_COPIES_FOLDER), { recursive: true, force: true });
  const { storage: place } = settings;
  const open = () => openWithStorage(settings, world, () => lock.release());
  try {
    return place === undefined ? await open() : await openWithDatabase(place, open, world);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openWithDatabase(
  place: PostgresLocation,
  open: () => Promise<Server>,
  { logger }: Environment,
): Promise<Server> {
  const warnUnavailable = (reason: string) =>
    logger.warn({ reason }, 'the database or the object store is unavailable: retrying');
  try {
    return await openWithRetry(open, limits.start, warnUnavailable);
  } catch (error) {
    throw error instanceof Problem ? toOpenError(place, error) : error;
  }
}

async function openWithStorage(settings: Settings, world: Environment, unlock: () => void): Promise<Server> {
  const reserve = openReserve(settings, world);
  const opened = await openStorage(settings, world).catch(async (error: unknown) => {
    // SQLite reports a full disk as one of several errors when it opens a database.
    await reserve.prepareDeletion();
    if (!reserve.isReleased) throw error;
    return openStorage(settings, world);
  });
  const storage = world.betweenStorage?.(opened.storage) ?? opened.storage;
  const { files, release } = opened;
  try {
    const swept = await files.recover();
    await files.checkCopies();
    if (swept > 0) {
      world.logger.info({ entries: swept }, 'deleted leftovers of an interrupted run from staging');
    }
    const shared = { ...opened, storage, reserve };
    return await openOverStorage(shared, settings, { ...world, clock: opened.clock }, async () => {
      await release();
      unlock();
    });
  } catch (error) {
    await storage.close();
    await release();
    throw error;
  }
}

interface ReserveInput {
  readonly reserve: DiskReserve;
}

function openReserve({ dataDir }: Settings, { disk = realDisk }: Environment): DiskReserve {
  const { bytes, share } = limits.diskReserve;
  return new DiskReserve({ file: join(dataDir, RESERVE_FILE), bytes, share, disk });
}

async function openOverStorage(
  {
    storage,
    files,
    claims,
    attempts,
    nodes,
    featureLocks,
    gone,
    reserve,
    collectLeftovers,
    join: joinNodes,
  }: OpenedStorage & ReserveInput,
  settings: Settings,
  world: Environment,
  release: () => Promise<void>,
): Promise<Server> {
  const catalog = openCatalog(storage);
  const feed = openChangeFeed(storage);
  // Earlier versions always stored the catalog in the data directory.
  const isNode = settings.storage !== undefined;
  const migrated = isNode
    ? 0
    : await migrateFiles({ catalog, files, dataDir: settings.dataDir, disk: world.disk ?? realDisk });
  if (migrated > 0) {
    world.logger.info({ stores: migrated }, 'migrated the uploaded files of an earlier version');
  }
  await files.finishPurges(catalog.isFileInUse);
  const restRoot = `${settings.contextPath}/rest`;
  let isDraining = false;
  const assembling = assembleServer({
    storage,
    catalog,
    feed,
    files,
    claims,
    attempts,
    nodes,
    featureLocks,
    room: reserve,
    settings,
    world,
    restRoot,
    isDraining: () => isDraining,
    randomPassword: createRandomPassword,
  });
  let generated: GeneratedPassword | undefined;
  try {
    // The password is hashed in another thread while the server is assembled.
    [generated] = await allSettled([prepareAdministrator(catalog, settings, world), assembling]);
    await joinNodes(() => {
      const { bytes, limitBytes } = files.getCopyUsage();
      return { position: storage.position(), cacheBytes: bytes, cacheLimitBytes: limitBytes };
    });
    // A rotation that has not seen this node in the list of nodes has written its key before.
    await storage.refresh();
    await (await assembling).refreshKeys();
  } catch (error) {
    // Clean up, because this process can retry.
    feed.end();
    await assembling.then(({ closeServices }) => closeServices()).catch(() => undefined);
    throw error;
  }
  const { app, isFirstStart, operations, collectGranules, forgetGoneFiles, schedule, closeServices } = await assembling;
  operations.start();
  await recordProgramVersion(storage.notes, readVersion()).catch((err: unknown) =>
    world.logger.warn({ err }, 'the version of this server could not be recorded'),
  );
  schedule?.start();
  const stopMaintenance = startMaintenance(
    {
      storage,
      files,
      claims,
      gone,
      reserve,
      collectGranules,
      forgetGoneFiles,
      ...(collectLeftovers && { collectLeftovers }),
    },
    settings,
    world,
  );

  return {
    app,
    storage,
    restRoot,
    isFirstStart,
    generatedPassword: async () =>
      generated !== undefined && (await isPasswordCurrent(catalog, generated)) ? generated.password : undefined,
    confirmPasswordSeen: async () => generated && confirmPasswordSeen(catalog, generated),
    async close(signal) {
      isDraining = true;
      feed.end();
      await waitUnlessAborted(app.close(), signal);
      operations.stop();
      await waitUnlessAborted(schedule?.stop() ?? Promise.resolve(), signal);
      await waitUnlessAborted(stopMaintenance(), signal);
      await waitUnlessAborted(closeServices(), signal);
      // The next start writes what cannot be written now.
      await waitUnlessAborted(files.waitUntilIdle(), signal).catch(() => undefined);
      await storage.close(signal);
      await release();
    },
  };
}

async function prepareAdministrator(
  catalog: Catalog,
  settings: Settings,
  { logger, administratorPasswordCost }: Environment,
): Promise<GeneratedPassword | undefined> {
  const isReset = settings.resetAdminPassword;
  if (settings.builtinAdmin === 'off') {
    return undefined;
  }
  const start = await ensureAdministrator(catalog, {
    operatorPassword: settings.adminPassword,
    isReset,
    generateRandomPassword: createRandomPassword,
    passwordCost: administratorPasswordCost,
  });
  if (start.kind === 'ignored') {
    logger.warn(
      'the configured password of the built-in admin was ignored, because the admin already has another password. To replace it, start once with --reset-admin-password',
    );
  } else if (isReset && start.kind !== 'kept') {
    logger.info('the password of the built-in admin was reset. Remove --reset-admin-password from later starts');
  }
  return start.kind === 'generated' ? start.generated : undefined;
}

/** Waits for work until it ends or the signal is aborted; ignores the result of aborted work. */
async function waitUnlessAborted(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) {
    await work;
    return;
  }
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([work, aborted]);
}

/** 24 characters with 6 random bits each. */
function createRandomPassword(): string {
  return randomBytes(18).toString('base64url');
}
