/** Wires settings, storage, services and HTTP together: the only file that knows everything. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { openSettingsInForce } from '../catalog/settings/settings-in-force.ts';
import { ensureBuiltInStyles } from '../catalog/styles/built-in-styles.ts';
import { takeOverFiles } from '../catalog/take-over-files.ts';
import type { DeliveryTimes } from '../catalog/webhooks/deliver-events.ts';
import { createUrlGate, type ResolveHost, systemResolver, type UrlGate } from '../gates/url-gate.ts';
import { buildApp } from '../http/app.ts';
import type { RequestLogger } from '../http/app-options.ts';
import type { Route, RouteTable } from '../http/route.ts';
import { dialects } from '../interface/dialects.ts';
import { openEvents } from '../interface/events/events.ts';
import { families } from '../interface/families.ts';
import { faviconRoutes } from '../interface/favicon/routes.ts';
import { healthRoutes } from '../interface/health/routes.ts';
import { homeRoutes } from '../interface/home/routes.ts';
import { metricsRoutes } from '../interface/metrics/routes.ts';
import type { Services } from '../interface/services.ts';
import type { SharedAttempts } from '../lib/shared-attempts.ts';
import type { Operations } from '../operations/operations.ts';
import { type Catalog, type CatalogReader, openCatalog } from '../records/catalog.ts';
import { type ChangeFeed, openChangeFeed } from '../records/change-feed.ts';
import type { Files } from '../records/files.ts';
import { openMapRenderer } from '../rendering/map-renderer.ts';
import { openAccess } from '../security/access-rules/access.ts';
import { createAuthorizer } from '../security/access-rules/authorizer.ts';
import {
  confirmPasswordSeen,
  ensureAdministrator,
  type GeneratedPassword,
  isPasswordCurrent,
  serverPrincipal,
} from '../security/administrator.ts';
import { ensureSecurity } from '../security/first-start.ts';
import { SCRYPT_COST } from '../security/keystore/closed-keystore.ts';
import { openKeystore } from '../security/keystore/keystore.ts';
import { keystoreFolder } from '../security/keystore/keystore-folder.ts';
import type { Security } from '../security/security.ts';
import { activeUrlChecks } from '../security/url-checks/active-url-checks.ts';
import { tileCareRoutes } from '../services/gwc/rest/routes.ts';
import { gwcRoutes } from '../services/gwc/routes.ts';
import { ogcFeaturesRoutes } from '../services/ogc-api/features/routes.ts';
import { ogcMapsRoutes } from '../services/ogc-api/maps/routes.ts';
import { ogcTilesRoutes } from '../services/ogc-api/tiles/routes.ts';
import { type OwsWorld, owsRoutes, wcsRoutes, wmsRoutes } from '../services/ows/routes.ts';
import { previewRoutes } from '../services/preview/routes.ts';
import type { Claims } from '../storage/claims.ts';
import { type Disk, realDisk } from '../storage/files/disk.ts';
import type { Nodes } from '../storage/nodes.ts';
import type { KindRules, Storage } from '../storage/port.ts';
import { collectInBackground } from './collect-in-background.ts';
import { claimDataDirectory } from './data-directory.ts';
import { type DataServices, openDataServices } from './data-services.ts';
import { HistoryRetention } from './history-retention.ts';
import { forgetReplies, openReplies } from './kept-replies.ts';
import { limits } from './limits.ts';
import { openLogin } from './open-login.ts';
import { type OpenedStorage, openStorage } from './open-storage.ts';
import { operatorPassword, operatorServerKey } from './operator-files.ts';
import { recordKinds } from './record-kinds.ts';
import { type DraftUnderWay, openSessions } from './sessions.ts';
import { SettingError, type Settings } from './settings.ts';
import { openStyleServices } from './style-services.ts';
import { openTileServices } from './tile-services.ts';
import { readVersion } from './version.ts';
import { watchServer } from './watch-server.ts';
import { openWebhooks } from './webhook-services.ts';
import { closeWorkerPools, createWorkerPools } from './worker-pools.ts';

export interface Server {
  readonly app: FastifyInstance;
  readonly storage: Storage;
  /** The REST root below the host: `/geoserver/rest`. */
  readonly restRoot: string;
  /** The new password of the built-in admin, on the first start without one, unless another server has made a newer one. */
  generatedPassword(): Promise<string | undefined>;
  /** To be called once the generated password was shown; until then the next start makes another one. */
  confirmPasswordSeen(): Promise<void>;
  /** Lets requests under way finish, then closes everything; once `signal` is aborted it waits for nobody any more. */
  close(signal?: AbortSignal): Promise<void>;
}

export interface World {
  readonly logger: FastifyBaseLogger & RequestLogger;
  readonly clock: () => number;
  /** The time that all nodes of a database agree on; that of the database, unless a test knows better. */
  readonly sharedClock?: () => number;
  /** Host names to addresses; as the machine does it, unless a test knows better. */
  readonly resolveHost?: ResolveHost;
  /** Where files are kept; one that fails, in tests. */
  readonly disk?: Disk;
  /** Stands between the server and its storage; one that fails, in tests. */
  readonly betweenStorage?: (storage: Storage) => Storage;
  /** Waits until the log of the database is on the disk; as the machine does it, unless a test knows better. */
  readonly sync?: (descriptor: number) => Promise<void>;
  /** How often streams of events hear a word, and their users' rights are looked at; for tests. */
  readonly eventTimes?: { readonly keepAliveMs: number; readonly rightsCheckMs: number };
  /** How soon deliveries to webhooks are given up and tried again; for tests. */
  readonly webhookTimes?: DeliveryTimes;
  /** Families and kinds of records beside ours; for tests. */
  readonly further?: { readonly families: readonly RouteTable<Services>[]; readonly kinds: readonly KindRules[] };
  /** Told of every reply of a route; for tests. */
  readonly observe?: (route: Route<Services>, status: number) => void;
}

export async function openServer(settings: Settings, world: World): Promise<Server> {
  if (settings.storage !== undefined && settings.serverKeyFile === undefined && settings.serverKey === undefined) {
    throw new SettingError('--storage needs the server key that all nodes share: give --server-key-file.');
  }
  const lock = await claimDataDirectory(settings.dataDir, { isNode: settings.storage !== undefined });
  try {
    const opened = await openStorage(settings, world);
    const storage = world.betweenStorage?.(opened.storage) ?? opened.storage;
    const { files, release } = opened;
    try {
      const swept = await files.recover();
      await files.checkCopies();
      if (swept > 0) {
        world.logger.info({ entries: swept }, 'swept what an interrupted run left in staging');
      }
      const shared = { ...opened, storage };
      return await openOver(shared, settings, { ...world, clock: opened.clock }, async () => {
        await release();
        lock.release();
      });
    } catch (error) {
      await storage.close();
      await release();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openOver(
  { storage, files, claims, attempts, nodes, join: joinNodes }: OpenedStorage,
  settings: Settings,
  world: World,
  release: () => Promise<void>,
): Promise<Server> {
  const catalog = openCatalog(storage);
  const feed = openChangeFeed(storage);
  // No earlier version had its catalog elsewhere.
  const isNode = settings.storage !== undefined;
  const taken = isNode
    ? 0
    : await takeOverFiles({ catalog, files, dataDir: settings.dataDir, disk: world.disk ?? realDisk });
  if (taken > 0) {
    world.logger.info({ stores: taken }, 'took over the uploaded files of an earlier version');
  }
  await files.endPurges(catalog.isFileInUse);
  const restRoot = `${settings.contextPath}/rest`;
  let isDraining = false;
  // The password is hashed in a thread of its own, while the server is put together.
  const [generated, { app, operations, collectGranules, forgetGoneFiles, closeServices }] = await allEnded([
    prepareAdministrator(catalog, settings),
    assemble({
      storage,
      catalog,
      feed,
      files,
      claims,
      attempts,
      nodes,
      settings,
      world,
      restRoot,
      isDraining: () => isDraining,
    }),
  ]);
  operations.start();
  await joinNodes(() => {
    const { bytes, limitBytes } = files.copyUsage();
    return { position: storage.position(), cacheBytes: bytes, cacheLimitBytes: limitBytes };
  });
  // For longer than they are promised: whoever has just looked whether they are there still finds them.
  const isFileNamed = (file: string) =>
    storage.isFileNamed(file, promisedSince(settings, world) - limits.fileCollection.graceMs);
  const stopCollecting = collectInBackground({
    ...limits.fileCollection,
    files,
    named: { isFileNamed },
    isOurs: () => claims.hold('collection of files', limits.fileCollection.everyMs),
    clock: world.clock,
    async afterwards() {
      await collectGranules(isFileNamed);
      await forgetGoneFiles();
    },
    done({ unreadable, ...collected }) {
      world.logger.debug(collected, 'collected files that nobody names');
      if (unreadable.length > 0) {
        world.logger.warn({ sets: unreadable }, 'lists of uploads in sets/ are damaged, so no bytes are collected');
      }
    },
    failed: (reason) => world.logger.warn({ err: reason }, 'files that nobody names could not be collected'),
  });
  const history = new HistoryRetention({
    storage,
    days: settings.historyDays,
    clock: world.clock,
    limits: limits.history,
    report: (entries) => world.logger.info({ entries }, 'forgot old history'),
    warn: (reason) => world.logger.warn({ err: reason }, 'old history could not be forgotten'),
  });
  history.start();
  const replies = forgetReplies(storage, world);

  return {
    app,
    storage,
    restRoot,
    generatedPassword: async () =>
      generated !== undefined && (await isPasswordCurrent(catalog, generated)) ? generated.password : undefined,
    confirmPasswordSeen: async () => generated && confirmPasswordSeen(catalog, generated),
    async close(signal) {
      isDraining = true;
      feed.end();
      await orAborted(app.close(), signal);
      operations.stop();
      await orAborted(stopCollecting(), signal);
      history.stop();
      replies.stop();
      await orAborted(closeServices(), signal);
      // What cannot be written now is written at the next start.
      await orAborted(files.settled(), signal).catch(() => undefined);
      await storage.close(signal);
      await release();
    },
  };
}

async function prepareAdministrator(catalog: Catalog, settings: Settings): Promise<GeneratedPassword | undefined> {
  return settings.builtinAdmin === 'on'
    ? ensureAdministrator(catalog, await operatorPassword(settings), randomPassword)
    : undefined;
}

/** Opens every service, sees to what a first start has to make, and builds the application over them. */
async function assemble(parts: {
  readonly storage: Storage;
  readonly catalog: Catalog;
  readonly feed: ChangeFeed;
  readonly files: Files;
  readonly claims: Claims;
  readonly attempts: SharedAttempts | undefined;
  readonly nodes: Nodes;
  readonly settings: Settings;
  readonly world: World;
  readonly restRoot: string;
  readonly isDraining: () => boolean;
}): Promise<{
  readonly app: FastifyInstance;
  readonly operations: Operations;
  readonly collectGranules: DataServices['collectGranules'];
  readonly forgetGoneFiles: () => Promise<void>;
  readonly closeServices: () => Promise<void>;
}> {
  const { storage, catalog, feed, files, claims, attempts, nodes, settings, world, restRoot, isDraining } = parts;
  const dialect = dialects[settings.compat ?? 'graticule'];
  const draftUnderWay = new AsyncLocalStorage<DraftUnderWay>();
  const urlGate = openUrlGate(readerUnderWay(draftUnderWay, catalog), settings, world);
  const pools = createWorkerPools();
  const styles = openStyleServices({ files, urlGate, workers: pools.styles });
  const [keystore] = await allEnded([
    openKeystore({
      folder: keystoreFolder(realDisk, settings.dataDir),
      catalog,
      serverKey: await operatorServerKey(settings),
      randomBytes,
      randomPassword,
      scryptCost: SCRYPT_COST,
      whenLost: settings.lostKeystore,
      warn: (message) => world.logger.warn(message),
    }),
    ensureSecurity(catalog),
    ensureBuiltInStyles(catalog, serverPrincipal, files),
  ]);
  const security: Security = {
    catalog,
    sealer: keystore.sealer,
    builtinAdmin: settings.builtinAdmin === 'on',
    warn: (message, details) => world.logger.warn(details, message),
  };
  const access = openAccess(catalog, dialect.initialRules);
  const data = openDataServices(settings, {
    catalog,
    sealer: keystore.sealer,
    urlGate,
    files,
    workers: pools.data,
    unpackWorkers: pools.unpack,
    granuleWorkers: pools.granules,
    harvestWorkers: pools.harvest,
    inTurn: (key, work) =>
      claims.inTurn(key, async () => {
        // What the one before has changed.
        await storage.refresh();
        return work();
      }),
    clock: world.clock,
    logger: world.logger,
    disk: world.disk ?? realDisk,
    notes: storage.notes,
  });
  const tiles = openTileServices(settings, { ...world, disk: world.disk ?? realDisk });
  const inForce = await openSettingsInForce(catalog, {
    contextPath: settings.contextPath,
    isFixed: settings.publicUrl !== undefined,
    startLevel: settings.logLevel,
    setLogLevel: (level) => {
      world.logger.level = level;
    },
  });
  await data.tidyUp();
  const operations = await watchServer({ storage, nodes, files }, settings, world, dialect, data);
  const login = await openLogin(security, settings, { ...world, attempts });
  const events = openEvents(feed, storage.log, world.eventTimes ?? limits.events);
  const { deliveries, deliveryStates } = openWebhooks({
    storage,
    catalog,
    feed,
    events,
    urlGate,
    sealer: keystore.sealer,
    claims,
    world,
    restUrl: () => `${settings.publicUrl ?? inForce.linkBase() ?? ''}${restRoot}`,
  });
  const ows: OwsWorld = { contextPath: settings.contextPath, limits, now: () => new Date(world.clock()) };
  const app = buildApp<Services>({
    families: [...families(dialect, readVersion()), ...(world.further?.families ?? [])],
    outside: [
      healthRoutes({ isDraining, isWritable: () => storage.isWritable() }),
      metricsRoutes(settings.openMetrics ? 'anyone' : 'administrators'),
      homeRoutes(settings.contextPath),
      ogcFeaturesRoutes({ contextPath: settings.contextPath, clock: world.clock }),
      ogcTilesRoutes(ows),
      ogcMapsRoutes(ows),
      gwcRoutes(ows),
      tileCareRoutes(ows),
      owsRoutes(ows),
      wmsRoutes(ows),
      wcsRoutes(ows),
      previewRoutes({ contextPath: settings.contextPath }),
      faviconRoutes(),
    ],
    sessions: openSessions({
      storage,
      services: {
        catalog,
        operations,
        keystore,
        urlGate,
        access,
        security,
        files,
        styles,
        inForce,
        undoFiles: { isKept: (file) => storage.isFileNamed(file, promisedSince(settings, world)) },
        recordKinds: new Map([...recordKinds, ...(world.further?.kinds ?? [])].map((rules) => [rules.kind, rules])),
        events,
        deliveryStates,
        ...tiles.served,
        encoding: { createFolder: () => files.createStaging('features'), workers: pools.encode },
        renderer: openMapRenderer(pools.maps),
        ...data.served,
      },
      draftUnderWay,
      failed: (reason) =>
        world.logger.error({ err: reason }, 'a change was made, but not all that goes with it outside of the catalog'),
    }),
    restRoot,
    dialect,
    limits: {
      maxDepth: limits.maxDepth,
      maxNodes: limits.maxNodes,
      maxDocumentBytes: settings.maxDocumentBytes,
      maxUploadBytes: limits.maxUploadBytes,
      requestTimeoutMs: settings.requestTimeoutMs,
      sendTimeoutMs: limits.sendTimeoutMs,
      rightsCheckMs: world.eventTimes?.rightsCheckMs ?? limits.rightsCheckMs,
    },
    origin: {
      proxies: settings.trustedProxies,
      linkBase: inForce.linkBase,
      ...(settings.publicUrl === undefined ? {} : { publicUrl: settings.publicUrl }),
    },
    cors: settings.corsOrigins,
    authorize: (services) => createAuthorizer(services.catalog, services.access),
    authenticate: login.authenticate,
    authenticateAgain: login.authenticateAgain,
    replies: openReplies(storage, keystore.sealer, world.clock),
    spool: async () => {
      const { path, discard } = await files.createStaging('body');
      return { file: join(path, 'body'), discard };
    },
    logger: world.logger,
    ...(world.observe === undefined ? {} : { observe: world.observe }),
    finished: (request) => operations.requests.count(request),
  });
  async function closeServices(): Promise<void> {
    await deliveries.ended;
    login.close();
    await data.close();
    await tiles.close();
    await closeWorkerPools(pools);
  }
  const { collectGranules, forgetGoneFiles } = data;
  return { app, operations, collectGranules, forgetGoneFiles, closeServices };
}

/** Waits for work, but not once the signal is given; what becomes of the work then is nobody's concern any more. */
async function orAborted(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
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

/** Waits for all, also when one has failed: nothing of a refused start may go on when the data directory is let go. */
async function allEnded<T extends readonly Promise<unknown>[]>(
  work: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** Reads what a draft has written, if it is a draft that reads; and what is kept, once that has ended. */
function readerUnderWay(
  draftUnderWay: AsyncLocalStorage<DraftUnderWay>,
  catalog: CatalogReader,
): Pick<CatalogReader, 'find' | 'list'> {
  return {
    find: (...asked) => (draftUnderWay.getStore()?.catalog ?? catalog).find(...asked),
    list: (...asked) => (draftUnderWay.getStore()?.catalog ?? catalog).list(...asked),
  };
}

function openUrlGate(catalog: Pick<CatalogReader, 'find' | 'list'>, settings: Settings, world: World): UrlGate {
  return createUrlGate({
    checks: activeUrlChecks(catalog),
    resolve: world.resolveHost ?? systemResolver,
    allowPrivateAddresses: settings.allowPrivateAddresses,
    limits: limits.url,
    clock: () => performance.now(),
    deadline: (ms) => AbortSignal.timeout(ms),
  });
}

const HOUR_MS = 3_600_000;

/** Changes since then can be taken back with their files. */
function promisedSince({ undoFilesHours }: Settings, { clock }: World): number {
  return clock() - undoFilesHours * HOUR_MS;
}

/** 24 characters of 6 random bits each. */
function randomPassword(): string {
  return randomBytes(18).toString('base64url');
}
