/** Opens what all services need: outbound access, threads, secrets and permissions; creates the initial records. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { totalmem } from 'node:os';
import { ensureBuiltInStyles } from '../catalog/styles/built-in-styles.ts';
import type { StyleServices } from '../catalog/styles/style-services.ts';
import { createUrlGate, systemResolver, type UrlGate } from '../gates/url-gate.ts';
import { noProxies } from '../http/request/request-head.ts';
import { type Dialect, dialects } from '../interface/common/dialects.ts';
import { allSettled } from '../lib/async/all-settled.ts';
import type { LoginAttempts } from '../lib/identity/login-attempts.ts';
import type { FeatureLocks } from '../lib/locks/feature-locks.ts';
import type { Catalog, CatalogReader } from '../records/catalog.ts';
import type { ChangeFeed } from '../records/change-feed.ts';
import type { Files } from '../records/files/files.ts';
import { type Access, openAccess } from '../security/access-rules/access.ts';
import type { InitialRules } from '../security/access-rules/rule-families.ts';
import { formatRoles } from '../security/access-rules/rule-roles.ts';
import { serverPrincipal } from '../security/core/administrator.ts';
import { ImportedDigests } from '../security/core/imported-digest.ts';
import type { Security } from '../security/core/security.ts';
import { CLOSED_RULE, ensureSecurity, isClosed } from '../security/first-start.ts';
import { SCRYPT_COST } from '../security/keystore/closed-keystore.ts';
import { type Keystore, openKeystore } from '../security/keystore/keystore.ts';
import { createKeystoreFolder } from '../security/keystore/keystore-folder.ts';
import { createKeyReports } from '../security/keystore/node-keys.ts';
import { createActiveUrlChecks } from '../security/url-checks/active-url-checks.ts';
import { realDisk } from '../storage/blobs/disk.ts';
import type { DiskReserve } from '../storage/files/disk-reserve.ts';
import type { Claims } from '../storage/nodes/claims.ts';
import type { Nodes } from '../storage/nodes/nodes.ts';
import type { Storage } from '../storage/port/port.ts';
import type { Environment } from './environment.ts';
import type { ActiveTransaction } from './services/sessions.ts';
import { openStyleServices } from './services/style-services.ts';
import { createWorkerPools, type WorkerPools } from './services/worker-pools.ts';
import { limits } from './settings/limits.ts';
import {
  computeAvailableBytes,
  computeWorkers,
  createMemoryBudget,
  type MemoryBudget,
} from './settings/memory-budget.ts';
import type { Settings } from './settings/settings.ts';
import { recordKinds } from './storage/record-kinds.ts';

export interface ServerParts {
  readonly storage: Storage;
  readonly catalog: Catalog;
  readonly feed: ChangeFeed;
  readonly files: Files;
  readonly claims: Claims;
  readonly attempts: LoginAttempts | undefined;
  readonly nodes: Nodes;
  readonly featureLocks: FeatureLocks;
  readonly room: DiskReserve;
  readonly settings: Settings;
  readonly world: Environment;
  readonly restRoot: string;
  readonly isDraining: () => boolean;
  readonly randomPassword: () => string;
}

export interface Foundation {
  readonly dialect: Dialect;
  readonly draftUnderWay: AsyncLocalStorage<ActiveTransaction>;
  readonly urlGate: UrlGate;
  readonly budget: MemoryBudget;
  readonly pools: WorkerPools;
  readonly styles: StyleServices;
  readonly keystore: Keystore;
  readonly security: Security;
  readonly access: Access;
  /** Whether this start set up the security of an empty catalog. */
  readonly isFirstStart: boolean;
}

export async function openFoundation(parts: ServerParts): Promise<Foundation> {
  const { catalog, files, settings, world } = parts;
  const dialect = dialects[settings.compat ?? 'graticule'];
  const draftUnderWay = new AsyncLocalStorage<ActiveTransaction>();
  const urlGate = openUrlGate(createTransactionAwareReader(draftUnderWay, catalog), settings, world);
  const budget = createMemoryBudget(
    settings.memory ?? computeAvailableBytes(totalmem(), process.constrainedMemory()),
    computeWorkers(settings),
  );
  const pools = createWorkerPools(budget, settings, world.threads);
  const styles = openStyleServices({ files, urlGate, workers: pools.styles });
  const [keystore, isFirstStart] = await allSettled([
    openKeystore({
      folder: createKeystoreFolder(realDisk, settings.dataDir),
      catalog,
      serverKey: settings.serverKey,
      previousServerKeys: settings.previousServerKeys,
      reports: createKeyReports(parts.storage.notes, parts.nodes),
      recordKinds,
      log: (message, details) => world.logger.info(details, message),
      randomBytes,
      generateRandomPassword: parts.randomPassword,
      scryptCost: world.scryptCost ?? SCRYPT_COST,
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
    urlGate,
    importedDigests: new ImportedDigests({ workers: pools.filters, notes: parts.storage.notes }),
    trustsProxies: settings.trustedProxies !== noProxies,
  };
  const access = openAccess(catalog, dialect.initialRules);
  return { dialect, draftUnderWay, urlGate, budget, pools, styles, keystore, security, access, isFirstStart };
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

/** Returns whether this start did it; otherwise an earlier start or another node did. */
async function setUpSecurity(
  catalog: Catalog,
  { closed }: Pick<Settings, 'closed'>,
  initialRules: InitialRules,
  { logger }: Pick<Environment, 'logger'>,
): Promise<boolean> {
  const isFirstStart = await ensureSecurity(catalog, closed ? { initialRules } : undefined);
  // Another node may have set it up meanwhile.
  await catalog.refresh();
  const rule = `${CLOSED_RULE.key}=${formatRoles(CLOSED_RULE.roles)}`;
  if (closed && isFirstStart) {
    logger.info(`closed: the rule ${rule} lets only administrators read layers`);
  } else if (closed && (await isClosed(catalog, initialRules))) {
    logger.info(`--closed had no effect: a rule for ${CLOSED_RULE.key} already restricts who can read layers`);
  } else if (closed) {
    logger.warn(
      `--closed was ignored, because it applies only to the first start on an empty catalog. All users can read layers that no rule restricts. To let only administrators read, set the rule ${rule} at /security/acl/layers`,
    );
  }
  return isFirstStart;
}
