/** Wires settings, storage, services and HTTP together: the only file that knows everything. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { getCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { ensureBuiltInStyles } from '../catalog/styles/built-in-styles.ts';
import { takeOverFiles } from '../catalog/take-over-files.ts';
import { createUrlGate, type ResolveHost, systemResolver, type UrlGate } from '../gates/url-gate.ts';
import { buildApp } from '../http/app.ts';
import type { Authenticate } from '../http/authentication.ts';
import type { Route } from '../http/route.ts';
import { families } from '../interface/families.ts';
import { healthRoutes } from '../interface/health/routes.ts';
import { metricsRoutes } from '../interface/metrics/routes.ts';
import type { Services } from '../interface/services.ts';
import { readBuildIdentity } from '../operations/identity/build-identity.ts';
import { sourceMetrics } from '../operations/metrics/source-metrics.ts';
import { type Operations, openOperations } from '../operations/operations.ts';
import { linuxProbe } from '../operations/system/linux-probe.ts';
import { portableProbe } from '../operations/system/portable-probe.ts';
import { SystemMonitor } from '../operations/system/system-monitor.ts';
import { type Catalog, openCatalog } from '../records/catalog.ts';
import { type Files, openFiles } from '../records/files.ts';
import { maskSecrets } from '../records/record.ts';
import { openAccess } from '../security/access-rules/access.ts';
import { createAuthorizer } from '../security/access-rules/authorizer.ts';
import { confirmPasswordSeen, ensureAdministrator, serverPrincipal } from '../security/administrator.ts';
import { ensureSecurity } from '../security/first-start.ts';
import { openKeystore } from '../security/keystore/keystore.ts';
import { SCRYPT_COST } from '../security/keystore/keystore-file.ts';
import { keystoreFolder } from '../security/keystore/keystore-folder.ts';
import { createLogin } from '../security/login.ts';
import { LoginThrottle } from '../security/login-throttle.ts';
import { hashPassword } from '../security/passwords.ts';
import type { Security } from '../security/security.ts';
import { activeUrlChecks } from '../security/url-checks/active-url-checks.ts';
import { createVouch } from '../security/vouch.ts';
import { type DataDirectoryLock, lockDataDirectory } from '../storage/data-directory-lock.ts';
import { type Disk, realDisk } from '../storage/files/disk.ts';
import type { JsonObject, Storage } from '../storage/port.ts';
import { openSqliteStorage } from '../storage/sqlite/open.ts';
import { collectInBackground } from './collect-in-background.ts';
import { type Dialect, dialects } from './dialects.ts';
import { limits } from './limits.ts';
import { namedFilesOf } from './named-files.ts';
import { secretFields } from './record-kinds.ts';
import { serverModules } from './server-modules.ts';
import { SettingError, type Settings } from './settings.ts';
import { openStyleServices } from './style-services.ts';
import { openVectorServices, type VectorServices } from './vector-services.ts';
import { readVersion } from './version.ts';

export interface Server {
  readonly app: FastifyInstance;
  readonly storage: Storage;
  /** The REST root below the host: `/geoserver/rest`. */
  readonly restRoot: string;
  /** The new password of the built-in admin, on the first start without one. */
  readonly generatedPassword?: string;
  /** To be called once the generated password was shown; until then the next start makes another one. */
  confirmPasswordSeen(): Promise<void>;
  /** Lets requests under way finish, then closes everything. */
  close(): Promise<void>;
}

export interface World {
  readonly logger: FastifyBaseLogger;
  readonly clock: () => number;
  /** Host names to addresses; as the machine does it, unless a test knows better. */
  readonly resolveHost?: ResolveHost;
  /** Where files are kept; one that fails, in tests. */
  readonly disk?: Disk;
  /** Stands between the server and its storage; one that fails, in tests. */
  readonly betweenStorage?: (storage: Storage) => Storage;
  /** Told of every reply of a route; for tests. */
  readonly observe?: (route: Route<Services>, status: number) => void;
}

export async function openServer(settings: Settings, world: World): Promise<Server> {
  const lock = await claimDataDirectory(settings.dataDir);
  try {
    const opened = await openStorage(settings.dataDir, world.clock);
    const storage = world.betweenStorage?.(opened) ?? opened;
    try {
      const files = openFiles({ root: settings.dataDir, disk: world.disk ?? realDisk });
      const swept = await files.sweepStaging();
      if (swept > 0) {
        world.logger.info({ entries: swept }, 'swept what an interrupted run left in staging');
      }
      return await openOver(storage, files, settings, world, () => lock.release());
    } catch (error) {
      await storage.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function claimDataDirectory(directory: string): Promise<DataDirectoryLock> {
  try {
    // With the folder that stores name their files in: a database is made there, but not a folder for it.
    await mkdir(join(directory, 'data'), { recursive: true, mode: 0o700 });
    return await lockDataDirectory(directory);
  } catch (error) {
    throw unusable(`--data-dir cannot be '${directory}'`, error);
  }
}

async function openStorage(directory: string, clock: () => number): Promise<Storage> {
  const file = join(directory, 'graticule.sqlite');
  const mask = (kind: string, body: JsonObject) => maskSecrets(secretFields, kind, body);
  try {
    return await openSqliteStorage({ file, clock, mask });
  } catch (error) {
    throw unusable(`--data-dir holds '${file}', which cannot be opened`, error);
  }
}

function unusable(what: string, error: unknown): SettingError {
  const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
  return new SettingError(`${what}: ${reason}.`, { cause: error });
}

async function openOver(
  storage: Storage,
  files: Files,
  settings: Settings,
  world: World,
  release: () => void,
): Promise<Server> {
  const catalog = openCatalog(storage);
  const taken = await takeOverFiles({ catalog, files, dataDir: settings.dataDir, disk: world.disk ?? realDisk });
  if (taken > 0) {
    world.logger.info({ stores: taken }, 'took over the uploaded files of an earlier version');
  }
  await ensureSecurity(catalog);
  const administrator =
    settings.builtinAdmin === 'on'
      ? await ensureAdministrator(catalog, await operatorPassword(settings), randomPassword)
      : {};
  const keystore = await openKeystore({
    folder: keystoreFolder(realDisk, settings.dataDir),
    catalog,
    randomBytes,
    randomPassword,
    scryptCost: SCRYPT_COST,
    whenLost: settings.lostKeystore,
    warn: (message) => world.logger.warn(message),
  });
  const dialect = dialects[settings.compat ?? 'graticule'];
  const security: Security = {
    catalog,
    sealer: keystore.sealer,
    builtinAdmin: settings.builtinAdmin === 'on',
    warn: (message, details) => world.logger.warn(details, message),
  };
  const access = openAccess(catalog, dialect.initialRules);
  const urlGate = openUrlGate(storage, catalog, settings, world);
  const vector = openVectorServices(settings, { catalog, sealer: keystore.sealer, urlGate, files });
  const styles = openStyleServices({ files, urlGate });
  await ensureBuiltInStyles(catalog, serverPrincipal, files);
  const restRoot = `${settings.contextPath}/rest`;
  const operations = await watchServer(storage, settings, world, dialect, vector);
  let ready = true;

  const app = buildApp<Services>({
    families: families(dialect, readVersion()),
    outside: [healthRoutes(() => ready), metricsRoutes(settings.openMetrics ? 'anyone' : 'administrators')],
    services: { catalog, operations, keystore, urlGate, access, security, files, styles, ...vector },
    restRoot,
    dialect,
    limits: {
      maxDepth: limits.maxDepth,
      maxNodes: limits.maxNodes,
      maxDocumentBytes: settings.maxDocumentBytes,
      maxUploadBytes: limits.maxUploadBytes,
      requestTimeoutMs: settings.requestTimeoutMs,
    },
    origin: {
      proxies: settings.trustedProxies,
      ...(settings.publicUrl === undefined ? {} : { publicUrl: settings.publicUrl }),
    },
    authorize: createAuthorizer(catalog, access),
    authenticate: await openLogin(security, settings, world),
    logger: world.logger,
    ...(world.observe === undefined ? {} : { observe: world.observe }),
    finished: (request) => operations.requests.count(request),
  });
  operations.start();
  const stopCollecting = collectInBackground({
    ...limits.fileCollection,
    files,
    named: namedFilesOf(storage),
    clock: world.clock,
    done: (collected) => world.logger.debug(collected, 'collected files that nobody names'),
    failed: (reason) => world.logger.warn({ err: reason }, 'files that nobody names could not be collected'),
  });

  return {
    app,
    storage,
    restRoot,
    ...administrator,
    confirmPasswordSeen: () => confirmPasswordSeen(catalog),
    async close() {
      ready = false;
      await app.close();
      operations.stop();
      await stopCollecting();
      await vector.vectorData.close();
      await storage.close();
      release();
    },
  };
}

/** What the server tells of itself; nothing is watched before it is started. */
async function watchServer(
  storage: Storage,
  settings: Settings,
  world: World,
  dialect: Dialect,
  vector: VectorServices,
): Promise<Operations> {
  const codeRoot = fileURLToPath(new URL('..', import.meta.url));
  const packageRoot = join(codeRoot, '..');
  const identity = await readBuildIdentity({ codeRoot, packageRoot }, readVersion());
  const monitor = new SystemMonitor({
    probe: process.platform === 'linux' ? linuxProbe() : portableProbe(),
    clock: world.clock,
    intervalMs: limits.systemSampleMs,
    report: (reason) => world.logger.warn({ err: reason }, 'the machine could not be looked at'),
  });
  return openOperations({
    identity,
    packageRoot,
    components: dialect.components,
    modules: serverModules({ version: identity.version, dataDir: settings.dataDir, storage, monitor }),
    monitor,
    storage,
    recordKinds: [...secretFields.keys()],
    collectors: [sourceMetrics(() => vector.vectorData.counts())],
    report: (module, reason) => world.logger.warn({ err: reason, module }, 'a module does not work'),
  });
}

function openUrlGate(storage: Storage, catalog: Catalog, settings: Settings, world: World): UrlGate {
  return createUrlGate({
    checks: activeUrlChecks({ catalog, position: async () => storage.position() }),
    resolve: world.resolveHost ?? systemResolver,
    allowPrivateAddresses: settings.allowPrivateAddresses,
    limits: limits.url,
    clock: () => performance.now(),
    deadline: (ms) => AbortSignal.timeout(ms),
  });
}

/** Everybody who can say who somebody is, behind one function. */
async function openLogin(security: Security, settings: Settings, world: World): Promise<Authenticate> {
  const authorities = await directoryAuthorities(settings.ldapCaFile);
  const vouch = createVouch(security, {
    ldap: { timeoutMs: settings.ldapTimeoutMs, ...(authorities === undefined ? {} : { authorities }) },
    decoyHash: hashPassword(randomPassword()),
  });
  return createLogin({
    catalog: security.catalog,
    vouch,
    throttle: new LoginThrottle(limits.login, world.clock),
    processSecret: randomBytes(32).toString('base64'),
    clock: world.clock,
    directoryMemoryMs: settings.ldapMemoryMs,
    wait,
  });
}

async function directoryAuthorities(file: string | undefined): Promise<readonly string[] | undefined> {
  if (file === undefined) {
    return undefined;
  }
  const content = await readFile(file, 'utf8').catch(() => {
    throw new SettingError(`--ldap-ca-file names '${file}', which cannot be read.`);
  });
  if (!content.includes('-----BEGIN CERTIFICATE-----')) {
    throw new SettingError(`--ldap-ca-file names '${file}', which holds no certificate in PEM form.`);
  }
  return [...getCACertificates('default'), content];
}

async function operatorPassword(settings: Settings): Promise<string | undefined> {
  if (settings.adminPasswordFile === undefined) {
    return settings.adminPassword;
  }
  const content = await readFile(settings.adminPasswordFile, 'utf8').catch(() => {
    throw new SettingError(`--admin-password-file names '${settings.adminPasswordFile}', which cannot be read.`);
  });
  const password = content.replace(/\r?\n$/, '');
  if (password === '') {
    throw new SettingError(`--admin-password-file names '${settings.adminPasswordFile}', which is empty.`);
  }
  return password;
}

/** 24 characters of 6 random bits each. */
function randomPassword(): string {
  return randomBytes(18).toString('base64url');
}
