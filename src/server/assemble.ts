/** Opens all services on a storage and builds the application. */
import type { FastifyInstance } from 'fastify';
import { type ActiveSettings, openActiveSettings } from '../catalog/settings/active-settings.ts';
import type { FilterRunner } from '../filter/run/filter-runner.ts';
import { createEncodeThreads } from '../formats/in-thread/encode-threads.ts';
import { openEvents } from '../interface/changes/events.ts';
import type { Services } from '../interface/common/services.ts';
import { createClientLimitCollector } from '../operations/metrics/client-limit-metrics.ts';
import { createKeystoreCollector } from '../operations/metrics/keystore-metrics.ts';
import { createLogCollector } from '../operations/metrics/log-metrics.ts';
import { createSignInCollector } from '../operations/metrics/security-metrics.ts';
import { createTileCollector } from '../operations/metrics/tile-metrics.ts';
import { createWorkCollector } from '../operations/metrics/work-metrics.ts';
import type { Operations } from '../operations/operations.ts';
import { SentFiles } from '../records/files/sent-files.ts';
import { openMapRenderer } from '../rendering/map-renderer.ts';
import { realDisk } from '../storage/blobs/disk.ts';
import { createFairSemaphore } from '../workers/fair-semaphore.ts';
import type { WorkerPool } from '../workers/pool.ts';
import { openScheduledBackups } from './backup/open-schedule.ts';
import type { ScheduledBackups } from './backup/scheduled-backups.ts';
import { buildServerApp } from './build-server-app.ts';
import { followChanges, followKeystore } from './follow-changes.ts';
import { type Foundation, openFoundation, type ServerParts } from './foundation.ts';
import { openClientLimits } from './open-client-limits.ts';
import { openLogin } from './open-login.ts';
import { type DataServices, openDataServices } from './services/data-services.ts';
import { openSessions } from './services/sessions.ts';
import { openTileExports } from './services/tile-export-services.ts';
import { openTileServices } from './services/tile-services.ts';
import { openWebhooks } from './services/webhook-services.ts';
import { closeWorkerPools, createMapSemaphores } from './services/worker-pools.ts';
import { limits } from './settings/limits.ts';
import { recordKinds } from './storage/record-kinds.ts';
import { createUndoRetention } from './storage/undo-retention.ts';
import { watchServer } from './watch-server.ts';

export interface AssembledServer {
  readonly app: FastifyInstance;
  /** Whether this start set up the security of an empty catalog. */
  readonly isFirstStart: boolean;
  readonly operations: Operations;
  readonly collectGranules: DataServices['collectGranules'];
  readonly forgetGoneFiles: () => Promise<void>;
  /** Scheduled backups, which are not started yet. */
  readonly schedule: ScheduledBackups | undefined;
  /** Loads the keys that another node wrote during the start. */
  readonly refreshKeys: () => Promise<void>;
  readonly closeServices: () => Promise<void>;
}

/** Opens all services, creates the initial records on a first start, and builds the application. */
export async function assembleServer(parts: ServerParts): Promise<AssembledServer> {
  const { storage, catalog, nodes, claims, room, attempts, files, settings, world } = parts;
  const foundation = await openFoundation(parts);
  const { dialect, budget, pools, security, isFirstStart } = foundation;
  const data = openData(parts, foundation);
  const tiles = await openTileServices(settings, {
    ...world,
    disk: world.disk ?? realDisk,
    notes: storage.notes,
    nodes,
    claims,
    room,
    maxMemoryBytes: budget.tileMemoryBytes,
  });
  const tileExports = openTileExports(settings, { ...world, notes: storage.notes, claims, files });
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
    getUsage: () => pools.maps.getUsage(),
  };
  const { backups, schedule } = await openScheduledBackups(parts);
  const clientLimits = openClientLimits(settings);
  const login = await openLogin(security, settings, {
    ...world,
    attempts,
    notes: storage.notes,
    urlGate: foundation.urlGate,
  });
  const collectors = [
    createWorkCollector(budget.bytes, { ...pools, maps }),
    createTileCollector(() => tiles.served.tileCache.count()),
    createSignInCollector(login.countSignIns),
    createKeystoreCollector(foundation.keystore),
    createLogCollector(world.countDroppedLines ?? (() => ({ access: 0, audit: 0 }))),
    createClientLimitCollector(clientLimits),
  ];
  const operations = await watchServer({ storage, nodes, files, collectors, dialect, data, backups }, settings, world);
  const { deliveries, ...changes } = openChangeServices(parts, foundation, inForce);
  const sessions = openSessions({
    storage,
    services: {
      ...createBasicServices(parts, foundation),
      tokens: login.tokens,
      testProvider: login.testProvider,
      browserSignIn: login.browserSignIn,
      operations,
      backups,
      inForce,
      ...changes,
      ...tiles.served,
      ...tileExports.served,
      renderer: openMapRenderer(
        { pool: pools.maps, ...mapPlaces },
        { displacesDownwards: dialect.graphicDisplacement === 'down' },
      ),
      ...data.served,
    },
    draftUnderWay: foundation.draftUnderWay,
    failed: (reason) =>
      world.logger.error({ err: reason }, 'a change was committed, but an action after the commit failed'),
  });
  const app = buildServerApp({ parts, foundation, sessions, operations, login, inForce, clientLimits });
  tiles.begin(sessions);
  tileExports.begin(sessions);
  const { keystore } = foundation;
  await tiles.loadLimit(catalog);
  await tiles.reportOtherPlace();
  const endings = [
    followKeystore({ storage, catalog, keystore, logger: world.logger }),
    followChanges({
      storage,
      load: () => tiles.loadLimit(catalog),
      onError: (err) => world.logger.warn({ err }, 'cannot read the maximum size of the tile cache; retrying'),
    }),
  ];
  async function closeServices(): Promise<void> {
    for (const end of endings) end();
    await deliveries.ended;
    await login.close();
    await tileExports.close();
    await tiles.close();
    await data.close();
    await closeWorkerPools(pools);
  }
  const { collectGranules, forgetGoneFiles } = data;
  const { refresh: refreshKeys } = keystore;
  return { app, isFirstStart, operations, collectGranules, forgetGoneFiles, schedule, refreshKeys, closeServices };
}

function openData(
  { storage, catalog, files, claims, settings, world }: ServerParts,
  { keystore, urlGate, pools, budget }: Foundation,
): DataServices {
  return openDataServices(settings, {
    catalog,
    sealer: keystore.sealer,
    urlGate,
    files,
    workers: pools.data,
    unpackWorkers: pools.unpack,
    filterRunner: createDeferredFilterRunner(pools.filters),
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
    remoteBytes: budget.remoteBytes,
  });
}

/** Opens the services that follow the change log. */
function openChangeServices(
  { storage, catalog, feed, claims, settings, world, restRoot }: ServerParts,
  { keystore, urlGate }: Foundation,
  inForce: ActiveSettings,
) {
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
    restUrl: () => `${settings.publicUrl ?? inForce.links.base ?? ''}${restRoot}`,
  });
  return { events, deliveries, deliveryStates };
}

type BasicServices = Pick<
  Services,
  | 'catalog'
  | 'keystore'
  | 'urlGate'
  | 'access'
  | 'security'
  | 'files'
  | 'featureLocks'
  | 'styles'
  | 'undoFiles'
  | 'sentFiles'
  | 'recordKinds'
  | 'encoding'
  | 'joins'
  | 'tileReadingMs'
  | 'filterWorkers'
  | 'translateDirectory'
>;

function createBasicServices(
  { storage, catalog, files, featureLocks, settings, world }: ServerParts,
  { keystore, urlGate, access, security, styles, pools, budget }: Foundation,
): BasicServices {
  const retention = createUndoRetention(storage, settings, world.clock);
  return {
    catalog,
    keystore,
    urlGate,
    access,
    security,
    files,
    featureLocks,
    styles,
    undoFiles: retention,
    sentFiles: new SentFiles({ notes: storage.notes, isReferenced: retention.isNamed, clock: world.clock }),
    recordKinds: new Map([...recordKinds, ...(world.further?.kinds ?? [])].map((rules) => [rules.kind, rules])),
    encoding: {
      createFolder: () => files.createStaging('features'),
      threads: createEncodeThreads(pools.encode, {
        threads: budget.pools.encode.maxThreads,
        encodings: budget.encodings,
        stepMs: limits.encodings.stepMs,
      }),
    },
    joins: { places: createFairSemaphore(budget.joins), maxBytes: budget.joinBytes },
    tileReadingMs: world.tileReadingMs ?? limits.tileReadingMs,
    filterWorkers: pools.filters,
    translateDirectory: async (directory, signal) => {
      // The translator is loaded with the first archive.
      const { openTranslation } = await import('./services/translate-directory.ts');
      return openTranslation(pools.unpack)(directory, signal);
    },
  };
}

/** Loads the parsers and the evaluation of filters with the first filter. */
function createDeferredFilterRunner(pool: WorkerPool): FilterRunner {
  let loading: Promise<FilterRunner> | undefined;
  const load = (): Promise<FilterRunner> => {
    loading ??= import('../filter/run/filter-runner.ts').then(({ createFilterRunner }) => createFilterRunner(pool));
    return loading;
  };
  return {
    read: async (...args) => (await load()).read(...args),
    resolve: async (...args) => (await load()).resolve(...args),
    start: async (...args) => (await load()).start(...args),
    clip: async (...args) => (await load()).clip(...args),
    collect: async (...args) => (await load()).collect(...args),
    unite: async (...args) => (await load()).unite(...args),
    placeArea: async (...args) => (await load()).placeArea(...args),
  };
}
