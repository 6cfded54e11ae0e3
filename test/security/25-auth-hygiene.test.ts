/** Lesson 25: passwords are slow to guess, never kept or logged, and a new one counts from the next request on. */
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

/** Asks with a password, as if from that address: the test is the proxy that says so. */
function from(server: TestServer, address: string, user: string, password: string) {
  return server.get('/workspaces', { as: `${user}:${password}`, headers: { 'x-forwarded-for': address } });
}

const behindProxy = { flags: ['--trust-proxy', 'loopback'] };

describe('lesson 25: a first start', () => {
  it('makes a password of its own; there is none that everybody knows', async () => {
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

describe('lesson 25: a password', () => {
  it('is kept as an argon2id hash, and nowhere as it is', async () => {
    const server = await startTestServer();
    await server.get('/workspaces');
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
    for (const secret of [ADMIN_PASSWORD, Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')]) {
      expect(contents.join('')).not.toContain(secret);
      expect(server.log.join('')).not.toContain(secret);
    }
    await server.close();
  });

  it('that is new counts from the very next request on, and the old one no longer does', async () => {
    const server = await startTestServer();
    expect((await server.get('/workspaces')).status).toBe(200);

    const source = { operatorPassword: 'another one', isReset: true, generateRandomPassword: () => '' };
    await ensureAdministrator(openCatalog(server.server.storage), source);

    expect((await server.get('/workspaces')).status).toBe(401);
    expect((await server.get('/workspaces', { as: 'admin:another one' })).status).toBe(200);
    await server.close();
  });

  it('must be right in every character', async () => {
    const server = await startTestServer();
    const nearly = [ADMIN_PASSWORD.slice(1), ` ${ADMIN_PASSWORD}`, ADMIN_PASSWORD.toUpperCase(), `${ADMIN_PASSWORD}\0`];

    for (const password of nearly) {
      expect((await server.get('/workspaces', { as: `admin:${password}` })).status).toBe(401);
    }
    expect((await server.get('/workspaces', { as: `Admin:${ADMIN_PASSWORD}` })).status).toBe(401);
    await server.close();
  });
});

describe('lesson 25: guessing', () => {
  it('is stopped by account and address, with a time to come back, and goes on then', async () => {
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

  it('is stopped by address, whatever the account', async () => {
    const server = await startTestServer(behindProxy);
    const statuses = await Promise.all(
      Array.from({ length: 120 }, async (_, guess) => (await from(server, '192.0.2.1', `user${guess}`, 'x')).status),
    );

    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect((await from(server, '198.51.100.7', 'admin', ADMIN_PASSWORD)).status).toBe(200);
    await server.close();
  });

  it('in parallel is no faster', async () => {
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

  it('does not disturb a client that is logged in from the same address', async () => {
    const server = await startTestServer(behindProxy);
    await from(server, '192.0.2.1', 'admin', ADMIN_PASSWORD);
    for (let guess = 0; guess < 12; guess += 1) {
      await from(server, '192.0.2.1', 'admin', `guess ${guess}`);
    }

    expect((await from(server, '192.0.2.1', 'admin', ADMIN_PASSWORD)).status).toBe(200);
    await server.close();
  });

  it('cannot hide behind a header that nobody trusts', async () => {
    const server = await startTestServer();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      statuses.push((await from(server, `192.0.2.${guess}`, 'admin', `guess ${guess}`)).status);
    }

    expect(statuses.at(-1)).toBe(429);
    await server.close();
  });
});

describe('lesson 25: an unknown user', () => {
  let nowMs = Date.now();
  const server = useTestServer({ clock: () => nowMs });

  it('is refused in the same words, and takes as long as a known one', async () => {
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
    await fastest('warm-up');

    const known = await fastest('admin');
    const unknown = await fastest('nobody');

    // Without the hash it would be a fiftieth; the fastest of some attempts tells that even on a busy machine.
    expect(unknown).toBeGreaterThan(known / 5);
  });
});
