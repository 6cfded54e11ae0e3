/** Opens all services on a storage and builds the application. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { openActiveSettings } from '../catalog/settings/active-settings.ts';
import { ensureBuiltInStyles } from '../catalog/styles/built-in-styles.ts';
import { createFilterRunner } from '../filter/run/filter-runner.ts';
import { createEncodeThreads } from '../formats/in-thread/encode-threads.ts';
import { createUrlGate, systemResolver, type UrlGate } from '../gates/url-gate.ts';
import { buildApp } from '../http/app.ts';
import { openEvents } from '../interface/changes/events.ts';
import { dialects } from '../interface/common/dialects.ts';
import type { Services } from '../interface/common/services.ts';
import { faviconRoutes } from '../interface/favicon/routes.ts';
import { healthRoutes } from '../interface/health/routes.ts';
import { homeRoutes } from '../interface/home/routes.ts';
import { metricsRoutes } from '../interface/metrics/routes.ts';
import { createRouteFamilies } from '../interface/route-families.ts';
import { allSettled } from '../lib/async/all-settled.ts';
import type { LoginAttempts } from '../lib/identity/login-attempts.ts';
import { createWorkCollector } from '../operations/metrics/metric-families.ts';
import type { Operations } from '../operations/operations.ts';
import type { Catalog, CatalogReader } from '../records/catalog.ts';
import type { ChangeFeed } from '../records/change-feed.ts';
import type { Files } from '../records/files/files.ts';
import { openMapRenderer } from '../rendering/map-renderer.ts';
import { openAccess } from '../security/access-rules/access.ts';
import { createAuthorizer } from '../security/access-rules/authorizer.ts';
import { serverPrincipal } from '../security/core/administrator.ts';
import type { Security } from '../security/core/security.ts';
import { SCRYPT_COST } from '../security/keystore/closed-keystore.ts';
import { openKeystore } from '../security/keystore/keystore.ts';
import { createKeystoreFolder } from '../security/keystore/keystore-folder.ts';
import { createActiveUrlChecks } from '../security/url-checks/active-url-checks.ts';
import { gwcRestRoutes } from '../services/gwc/rest/routes.ts';
import { gwcRoutes } from '../services/gwc/routes.ts';
import { ogcFeaturesRoutes } from '../services/ogc-api/features/routes.ts';
import { ogcMapsRoutes } from '../services/ogc-api/maps/routes.ts';
import { ogcTilesRoutes } from '../services/ogc-api/tiles/routes.ts';
import { servicesOpenApiRoutes } from '../services/openapi-routes.ts';
import { previewRoutes } from '../services/preview/routes.ts';
import { type OwsEnvironment, owsRoutes, wcsRoutes, wmsRoutes } from '../services/routes.ts';
import { realDisk } from '../storage/blobs/disk.ts';
import type { DiskReserve } from '../storage/files/disk-reserve.ts';
import type { Claims } from '../storage/nodes/claims.ts';
import type { Nodes } from '../storage/nodes/nodes.ts';
import type { Storage } from '../storage/port/port.ts';
import { runForClient } from '../workers/request-scope.ts';
import type { Environment } from './environment.ts';
import { openLogin } from './open-login.ts';
import { type DataServices, openDataServices } from './services/data-services.ts';
import { type ActiveTransaction, openSessions } from './services/sessions.ts';
import { openStyleServices } from './services/style-services.ts';
import { openTileServices } from './services/tile-services.ts';
import { openWebhooks } from './services/webhook-services.ts';
import { closeWorkerPools, createMapSemaphores, createWorkerPools } from './services/worker-pools.ts';
import { setUpSecurity } from './set-up-security.ts';
import { limits } from './settings/limits.ts';
import { computeAvailableBytes, createMemoryBudget } from './settings/memory-budget.ts';
import { readOperatorServerKey } from './settings/operator-files.ts';
import type { Settings } from './settings/settings.ts';
import { readVersion } from './settings/version.ts';
import { recordKinds } from './storage/record-kinds.ts';
import { openStoredReplies } from './storage/stored-replies.ts';
import { createUndoRetention } from './storage/undo-retention.ts';
import { watchServer } from './watch-server.ts';

/** Opens all services, creates the initial records on a first start, and builds the application. */
export async function assembleServer(parts: {
  readonly storage: Storage;
  readonly catalog: Catalog;
  readonly feed: ChangeFeed;
  readonly files: Files;
  readonly claims: Claims;
  readonly attempts: LoginAttempts | undefined;
  readonly nodes: Nodes;
  readonly room: DiskReserve;
  readonly settings: Settings;
  readonly world: Environment;
  readonly restRoot: string;
  readonly isDraining: () => boolean;
  readonly randomPassword: () => string;
}): Promise<{
  readonly app: FastifyInstance;
  /** Whether this start set up the security of an empty catalog. */
  readonly isFirstStart: boolean;
  readonly operations: Operations;
  readonly collectGranules: DataServices['collectGranules'];
  readonly forgetGoneFiles: () => Promise<void>;
  readonly closeServices: () => Promise<void>;
}> {
  const { storage, catalog, feed, files, claims, attempts, nodes, room, settings, world, restRoot } = parts;
  const { isDraining, randomPassword } = parts;
  const dialect = dialects[settings.compat ?? 'graticule'];
  const draftUnderWay = new AsyncLocalStorage<ActiveTransaction>();
  const urlGate = openUrlGate(createTransactionAwareReader(draftUnderWay, catalog), settings, world);
  const budget = createMemoryBudget(settings.memory ?? computeAvailableBytes(totalmem(), process.constrainedMemory()));
  const pools = createWorkerPools(budget, settings);
  const styles = openStyleServices({ files, urlGate, workers: pools.styles });
  const [keystore, isFirstStart] = await allSettled([
    openKeystore({
      folder: createKeystoreFolder(realDisk, settings.dataDir),
      catalog,
      serverKey: await readOperatorServerKey(settings),
      randomBytes,
      generateRandomPassword: randomPassword,
      scryptCost: SCRYPT_COST,
      whenLost: settings.lostKeystore,
      warn: (message) => world.logger.warn(message),
    }),
    setUpSecurity(catalog, settings, dialect.initialRules, world),
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
    filterRunner: createFilterRunner(pools.filters),
    granuleWorkers: pools.granules,
    harvestWorkers: pools.harvest,
    inTurn: (key, work) =>
      claims.runExclusive(key, async (turn) => {
        // Read the changes of the previous holder.
        await storage.refresh();
        return work(turn);
      }),
    clock: world.clock,
    logger: world.logger,
    disk: world.disk ?? realDisk,
    notes: storage.notes,
  });
  const tiles = openTileServices(settings, {
    ...world,
    disk: world.disk ?? realDisk,
    notes: storage.notes,
    nodes,
    room,
    maxMemoryBytes: budget.tileMemoryBytes,
  });
  const inForce = await openActiveSettings(catalog, {
    contextPath: settings.contextPath,
    isFixed: settings.publicUrl !== undefined,
    startLevel: settings.logLevel,
    setLogLevel: (level) => {
      world.logger.level = level;
    },
  });
  await data.cleanUp();
  const mapPlaces = createMapSemaphores(budget);
  // Maps wait for a semaphore before they enter their pool.
  const maps = {
    threads: () => pools.maps.threads(),
    waiting: () => mapPlaces.underWay.countWaiting() + mapPlaces.threads.countWaiting(),
  };
  const work = createWorkCollector(budget.bytes, { ...pools, maps });
  const operations = await watchServer({ storage, nodes, files, work, dialect, data }, settings, world);
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
    restUrl: () => `${settings.publicUrl ?? inForce.getLinkBase() ?? ''}${restRoot}`,
  });
  const ows: OwsEnvironment = { contextPath: settings.contextPath, limits, now: () => new Date(world.clock()) };
  const sessions = openSessions({
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
      undoFiles: createUndoRetention(storage, settings, world.clock),
      recordKinds: new Map([...recordKinds, ...(world.further?.kinds ?? [])].map((rules) => [rules.kind, rules])),
      events,
      deliveryStates,
      ...tiles.served,
      encoding: {
        createFolder: () => files.createStaging('features'),
        threads: createEncodeThreads(pools.encode, {
          threads: budget.pools.encode.maxThreads,
          encodings: budget.encodings,
          stepMs: limits.encodings.stepMs,
        }),
      },
      renderer: openMapRenderer({
        pool: pools.maps,
        ...mapPlaces,
      }),
      ...data.served,
    },
    draftUnderWay,
    failed: (reason) =>
      world.logger.error({ err: reason }, 'a change was committed, but an action after the commit failed'),
  });
  const ogcServices = [gwcRoutes(ows), owsRoutes(ows), wmsRoutes(ows), wcsRoutes(ows)];
  const app = buildApp<Services>({
    families: [...createRouteFamilies(dialect, readVersion()), ...(world.further?.families ?? [])],
    outside: [
      healthRoutes({ isDraining, isWritable: () => storage.isWritable() }),
      metricsRoutes(settings.openMetrics ? 'anyone' : 'administrators'),
      homeRoutes(settings.contextPath),
      ogcFeaturesRoutes({
        contextPath: settings.contextPath,
        clock: world.clock,
        extentTimes: world.extentTimes ?? limits.extents,
      }),
      ogcTilesRoutes(ows),
      ogcMapsRoutes(ows),
      ...ogcServices,
      servicesOpenApiRoutes(ogcServices, { contextPath: settings.contextPath, version: readVersion() }),
      gwcRestRoutes(ows),
      previewRoutes({ contextPath: settings.contextPath }),
      faviconRoutes(),
    ],
    sessions,
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
      linkBase: inForce.getLinkBase,
      ...(settings.publicUrl === undefined ? {} : { publicUrl: settings.publicUrl }),
    },
    cors: settings.corsOrigins,
    authorize: (services) => createAuthorizer(services.catalog, services.access),
    runForClient,
    authenticate: login.authenticate,
    authenticateAgain: login.authenticateAgain,
    replies: openStoredReplies(storage, keystore.sealer, world.clock),
    room,
    createSpoolFile: async () => {
      const { path, discard } = await files.createStaging('body');
      return { file: join(path, 'body'), discard };
    },
    logger: world.logger,
    logAccess: world.logAccess,
    ...(world.observe === undefined ? {} : { observe: world.observe }),
    onFinished: (request) => operations.requests.count(request),
  });
  tiles.begin(sessions);
  async function closeServices(): Promise<void> {
    await deliveries.ended;
    login.close();
    await tiles.close();
    await data.close();
    await closeWorkerPools(pools);
  }
  const { collectGranules, forgetGoneFiles } = data;
  return { app, isFirstStart, operations, collectGranules, forgetGoneFiles, closeServices };
}

/** Reads from the active transaction if there is one, and from the committed catalog otherwise. */
function createTransactionAwareReader(
  draftUnderWay: AsyncLocalStorage<ActiveTransaction>,
  catalog: CatalogReader,
): Pick<CatalogReader, 'find' | 'list'> {
  return {
    find: (...args) => (draftUnderWay.getStore()?.catalog ?? catalog).find(...args),
    list: (...args) => (draftUnderWay.getStore()?.catalog ?? catalog).list(...args),
  };
}

function openUrlGate(catalog: Pick<CatalogReader, 'find' | 'list'>, settings: Settings, world: Environment): UrlGate {
  return createUrlGate({
    checks: createActiveUrlChecks(catalog),
    resolve: world.resolveHost ?? systemResolver,
    allowPrivateAddresses: settings.allowPrivateAddresses,
    limits: limits.url,
    clock: () => performance.now(),
    deadline: (ms) => AbortSignal.timeout(ms),
  });
}
