/** Wires settings, storage, services and HTTP together: the only file that knows everything. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { openCatalog } from './catalog/catalog.ts';
import { maskSecrets } from './catalog/record.ts';
import { dialects } from './dialects.ts';
import { buildApp } from './http/app.ts';
import type { Route } from './http/route.ts';
import { families } from './interface/families.ts';
import { healthRoutes } from './interface/health/routes.ts';
import type { Services } from './interface/services.ts';
import { secretFields } from './record-kinds.ts';
import { ensureAdministrator } from './security/administrator.ts';
import { createLogin } from './security/login.ts';
import { LoginThrottle } from './security/login-throttle.ts';
import { hashPassword } from './security/passwords.ts';
import { limits, SettingError, type Settings } from './settings.ts';
import { lockDataDirectory } from './storage/data-directory-lock.ts';
import { openFiles } from './storage/files.ts';
import type { Storage } from './storage/port.ts';
import { openSqliteStorage } from './storage/sqlite/open.ts';
import { readVersion } from './version.ts';

export interface Server {
  readonly app: FastifyInstance;
  readonly storage: Storage;
  /** The REST root below the host: `/geoserver/rest`. */
  readonly restRoot: string;
  /** The new password of the built-in admin, on the first start without one. */
  readonly generatedPassword?: string;
  /** Lets requests under way finish, then closes everything. */
  close(): Promise<void>;
}

export interface World {
  readonly logger: FastifyBaseLogger;
  readonly clock: () => number;
  /** Told of every reply of a route; for tests. */
  readonly observe?: (route: Route<Services>, status: number) => void;
}

export async function openServer(settings: Settings, world: World): Promise<Server> {
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockDataDirectory(settings.dataDir);
  try {
    const storage = await openSqliteStorage({
      file: join(settings.dataDir, 'graticule.sqlite'),
      clock: world.clock,
      mask: (kind, body) => maskSecrets(secretFields, kind, body),
    });
    try {
      const lastChange = await storage.position();
      const swept = await openFiles({ root: settings.dataDir }).sweepStaging({ lastChange });
      if (swept > 0) {
        world.logger.info({ entries: swept }, 'swept what an interrupted run left in staging');
      }
      return await openOver(storage, settings, world, () => lock.release());
    } catch (error) {
      await storage.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openOver(storage: Storage, settings: Settings, world: World, release: () => void): Promise<Server> {
  const catalog = openCatalog(storage);
  const administrator = await ensureAdministrator(catalog, await operatorPassword(settings), randomPassword);
  const dialect = dialects[settings.compat ?? 'graticule'];
  const restRoot = `${settings.contextPath}/rest`;
  let ready = true;

  const app = buildApp<Services>({
    families: families(dialect, readVersion()),
    outside: [healthRoutes(() => ready)],
    services: { catalog },
    restRoot,
    dialect,
    limits: {
      maxDepth: limits.maxDepth,
      maxNodes: limits.maxNodes,
      maxDocumentBytes: settings.maxDocumentBytes,
      requestTimeoutMs: settings.requestTimeoutMs,
    },
    origin: {
      proxies: settings.trustedProxies,
      ...(settings.publicUrl === undefined ? {} : { publicUrl: settings.publicUrl }),
    },
    authenticate: createLogin({
      catalog,
      throttle: new LoginThrottle(limits.login, world.clock),
      processSecret: randomBytes(32).toString('base64'),
      decoyHash: hashPassword(randomPassword()),
      wait,
    }),
    logger: world.logger,
    ...(world.observe === undefined ? {} : { observe: world.observe }),
  });

  return {
    app,
    storage,
    restRoot,
    ...administrator,
    async close() {
      ready = false;
      await app.close();
      await storage.close();
      release();
    },
  };
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
