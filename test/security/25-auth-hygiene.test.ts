/**
 * Lesson 25: passwords are slow to guess and never stored or logged in clear; a new password applies from the next
 * request.
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCatalog } from '../../src/records/catalog.ts';
import { ensureAdministrator } from '../../src/security/core/administrator.ts';
import { createLogger } from '../../src/server/log.ts';
import { openServer } from '../../src/server/open-server.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { ADMIN_PASSWORD, startTestServer, type TestServer, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';

/** Sends a request with a password from the given address; the test acts as a trusted proxy. */
function from(server: TestServer, address: string, user: string, password: string) {
  return server.get('/workspaces', { as: `${user}:${password}`, headers: { 'x-forwarded-for': address } });
}

const behindProxy = { flags: ['--trust-proxy', 'loopback'] };

describe('lesson 25: the first start', () => {
  it('generates a random password; no default password exists', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'graticule-first-'));
    const command = readSettings(['--data-dir', dataDir], {});
    if (command.kind !== 'run') throw new Error('These settings run no server');
    const log: string[] = [];
    const logger = createLogger({ level: 'debug', format: 'json', write: (line) => log.push(line) });
    const server = await openServer(command.settings, { logger, clock: Date.now });
    onTestFinished(async () => {
      await server.close();
      await rm(dataDir, { recursive: true });
    });
    const ask = async (password: string) => {
      const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
      return (await server.app.inject({ url: `${server.restRoot}/workspaces`, headers: { authorization } })).statusCode;
    };

    const password = (await server.generatedPassword()) ?? '';
    expect(password).toMatch(/^[\w-]{24}$/);
    for (const guess of ['', 'admin', 'geoserver', 'password', 'undefined', 'null', '123456']) {
      expect([guess, await ask(guess)]).toEqual([guess, 401]);
    }
    expect(await ask(password)).toBe(200);
    expect(log.join('')).not.toContain(password);
  });
});

describe('lesson 25: passwords', () => {
  it('stores a password only as an argon2id hash', async () => {
    const server = await startTestServer();
    const user = await addUser(server, 'ann');
    await server.get('/workspaces', { as: user });
    await server.get('/workspaces', { as: `admin:${ADMIN_PASSWORD} wrong` });

    const files = await readdir(server.dataDir, { recursive: true });
    const contents: string[] = [];
    for (const file of files) {
      const path = join(server.dataDir, file);
      if ((await stat(path)).isFile()) {
        contents.push(await readFile(path, 'latin1'));
      }
    }

    expect(contents.join('')).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    for (const credentials of [`admin:${ADMIN_PASSWORD}`, user]) {
      const password = credentials.slice(credentials.indexOf(':') + 1);
      for (const secret of [password, Buffer.from(credentials).toString('base64')]) {
        expect(contents.join('')).not.toContain(secret);
        expect(server.log.join('')).not.toContain(secret);
      }
    }
    await server.close();
  });

  it('accepts a new password and rejects the old one from the next request on', async () => {
    const server = await startTestServer();
    expect((await server.get('/workspaces')).status).toBe(200);

    const source = { operatorPassword: 'another one', isReset: true, generateRandomPassword: () => '' };
    await ensureAdministrator(openCatalog(server.server.storage), source);

    expect((await server.get('/workspaces')).status).toBe(401);
    expect((await server.get('/workspaces', { as: 'admin:another one' })).status).toBe(200);
    await server.close();
  });

  it('compares every character of a password', async () => {
    const server = await startTestServer();
    const nearly = [ADMIN_PASSWORD.slice(1), ` ${ADMIN_PASSWORD}`, ADMIN_PASSWORD.toUpperCase(), `${ADMIN_PASSWORD}\0`];

    for (const password of nearly) {
      expect((await server.get('/workspaces', { as: `admin:${password}` })).status).toBe(401);
    }
    expect((await server.get('/workspaces', { as: `Admin:${ADMIN_PASSWORD}` })).status).toBe(401);
    await server.close();
  });
});

describe('lesson 25: password guessing', () => {
  it('throttles guesses per account and address with Retry-After, and allows attempts afterwards', async () => {
    let nowMs = Date.now();
    const server = await startTestServer({ ...behindProxy, clock: () => nowMs });
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      statuses.push((await from(server, '192.0.2.1', 'admin', `guess ${guess}`)).status);
    }

    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const stopped = await from(server, '192.0.2.1', 'admin', ADMIN_PASSWORD);
    expect(stopped.status).toBe(429);
    expect(stopped.headers['retry-after']).toBe('60');
    expect((await from(server, '198.51.100.7', 'admin', ADMIN_PASSWORD)).status).toBe(200);
    nowMs += 60_000;
    expect((await from(server, '192.0.2.1', 'admin', ADMIN_PASSWORD)).status).toBe(200);
    await server.close();
  });

  it('throttles guesses per address across accounts', async () => {
    const server = await startTestServer(behindProxy);
    const statuses = await Promise.all(
      Array.from({ length: 120 }, async (_, guess) => (await from(server, '192.0.2.1', `user${guess}`, 'x')).status),
    );

    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect((await from(server, '198.51.100.7', 'admin', ADMIN_PASSWORD)).status).toBe(200);
    await server.close();
  });

  it('throttles parallel guesses like sequential ones', async () => {
    const server = await startTestServer(behindProxy);

    const statuses = await Promise.all(
      Array.from(
        { length: 40 },
        async (_, guess) => (await from(server, '192.0.2.1', 'admin', `guess ${guess}`)).status,
      ),
    );

    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    await server.close();
  });

  it('does not affect a client that is logged in from the same address', async () => {
    const server = await startTestServer(behindProxy);
    await from(server, '192.0.2.1', 'admin', ADMIN_PASSWORD);
    for (let guess = 0; guess < 12; guess += 1) {
      await from(server, '192.0.2.1', 'admin', `guess ${guess}`);
    }

    expect((await from(server, '192.0.2.1', 'admin', ADMIN_PASSWORD)).status).toBe(200);
    await server.close();
  });

  it('ignores forwarded addresses from untrusted clients', async () => {
    const server = await startTestServer();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      statuses.push((await from(server, `192.0.2.${guess}`, 'admin', `guess ${guess}`)).status);
    }

    expect(statuses.at(-1)).toBe(429);
    await server.close();
  });
});

describe('lesson 25: unknown users', () => {
  let nowMs = Date.now();
  const server = useTestServer({ clock: () => nowMs });

  it('returns the same message after the same time as for a known user', async () => {
    const fastest = async (user: string) => {
      const times: number[] = [];
      for (let attempt = 0; attempt < 8; attempt += 1) {
        nowMs += 61_000;
        const startedAt = performance.now();
        const reply = await server.get('/workspaces', { as: `${user}:wrong ${attempt}` });
        times.push(performance.now() - startedAt);
        expect(reply).toMatchObject({
          status: 401,
          text: 'A valid user name and password are required (HTTP Basic).\n',
        });
      }
      return Math.min(...times);
    };
    await addUser(server, 'known');
    await fastest('warm-up');

    const known = await fastest('known');
    const unknown = await fastest('missing');

    // Without hashing it would take a fiftieth of the time; the fastest of several attempts shows this even under load.
    expect(unknown).toBeGreaterThan(known / 5);
  });
});
