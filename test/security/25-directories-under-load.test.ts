/**
 * Lesson 25 with directories: throttling stops guesses, not correct logins while a directory is slow or unavailable.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../src/server/settings/limits.ts';
import { ldapClass } from '../support/auth-providers.ts';
import { type MadeUpDirectory, type Question, RIGHT, startMadeUpDirectory } from '../support/directories.ts';
import { startTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';

/** A server with users in a simulated directory and in its own user service. */
async function serverWith(directory: MadeUpDirectory) {
  const clock = { nowMs: Date.parse('2030-01-01') };
  const server = await startTestServer({
    flags: ['--trust-proxy', 'loopback', '--ldap-timeout-ms', '60000'],
    clock: () => clock.nowMs,
  });
  onTestFinished(() => server.close());
  const provider = { name: 'acme', className: ldapClass, serverURL: directory.url, userDnPattern: 'uid={0}' };
  await server.post('/security/authproviders', JSON.stringify(provider));
  await server.put('/security/authproviders/order', '["acme","default"]');
  /** Requests an administrator resource: 403 means a correct password, 401 a wrong one. */
  const status = async (as: string, address = '192.0.2.1') =>
    (await server.get('/urlchecks', { as, headers: { 'x-forwarded-for': address } })).status;
  return { server, clock, status };
}

const users = (count: number) => Array.from({ length: count }, (_, index) => `user${index}`);
const times = (count: number, status: number) => Array<number>(count).fill(status);

describe('lesson 25: logins with a directory', { timeout: 120_000 }, () => {
  it('accepts three hundred simultaneous logins from one address over a few connections', async () => {
    const held: Question[] = [];
    let isSlow = true;
    const directory = await startMadeUpDirectory((question) => {
      if (isSlow) held.push(question);
      else question.answer();
    });
    onTestFinished(() => directory.close());
    const { status } = await serverWith(directory);

    const logins = Promise.all(users(300).map((user) => status(`${user}:${RIGHT}`)));
    await directory.waitForRequests(limits.ldap.maxConnections);
    isSlow = false;
    for (const question of held) {
      question.answer();
    }

    expect(await logins).toEqual(times(300, 403));
    expect(directory.connections()).toBe(limits.ldap.maxConnections);
  });

  it('counts each of many simultaneous guesses', async () => {
    const directory = await startMadeUpDirectory();
    onTestFinished(() => directory.close());
    const { server, status } = await serverWith(directory);
    await server.put('/security/authproviders/order', '["acme"]');

    const guesses = await Promise.all(users(40).map((guess) => status(`ann:${guess}`)));

    expect(guesses.filter((each) => each === 401)).toHaveLength(limits.login.perAccountAndAddress);
    expect(guesses.filter((each) => each === 429)).toHaveLength(40 - limits.login.perAccountAndAddress);
    expect(directory.questions).toHaveLength(limits.login.perAccountAndAddress);
  });

  it('does not count correct passwords during a directory outage as guesses, nor lock out other users', async () => {
    const first = await startMadeUpDirectory();
    const { server, status } = await serverWith(first);
    const other = await addUser(server, 'other-admin', 'ADMIN');
    await first.close();

    for (const user of [...users(15).map(() => 'ann'), ...users(110)]) {
      expect(await status(`${user}:${RIGHT}`)).toBe(401);
    }
    expect(await status(other)).toBe(200);

    const second = await startMadeUpDirectory(undefined, first.port);
    onTestFinished(() => second.close());
    expect(await status(`ann:${RIGHT}`)).toBe(403);
    expect(await status(`user109:${RIGHT}`)).toBe(403);
  });

  it('throttles guesses at local accounts while the directory is unavailable', async () => {
    const directory = await startMadeUpDirectory();
    const { server, status } = await serverWith(directory);
    await addUser(server, 'local');
    await directory.close();

    for (const account of ['local', 'admin']) {
      const guesses: number[] = [];
      for (const guess of users(12)) {
        guesses.push(await status(`${account}:${guess}`, `192.0.2.${account.length}`));
      }
      expect(guesses, account).toEqual([...times(10, 401), 429, 429]);
    }
  });

  it('admits a recently authenticated user while others guess from the same address', async () => {
    const directory = await startMadeUpDirectory();
    onTestFinished(() => directory.close());
    const { server, clock, status } = await serverWith(directory);
    await server.put('/security/authproviders/order', '["acme"]');
    expect(await status(`ann:${RIGHT}`)).toBe(403);
    for (const guess of users(10)) {
      await status(`ann:${guess}`);
    }
    expect(await status('ann:another')).toBe(429);

    // The cached result has expired: the server queries the directory again.
    clock.nowMs += 6_000;
    expect(await status(`ann:${RIGHT}`)).toBe(403);
    await server.post('/security/roles/role/ROLE_NEW', '');
    expect(await status(`ann:${RIGHT}`)).toBe(403);
    expect(await status('ann:another')).toBe(429);
  });

  it('counts guesses with other spellings of an account name for the same account', async () => {
    const directory = await startMadeUpDirectory();
    onTestFinished(() => directory.close());
    const { server, status } = await serverWith(directory);
    await server.put('/security/authproviders/order', '["acme"]');

    const spellings = [
      'mapper',
      'Mapper',
      'MAPPER',
      'mApper',
      'maPper',
      'mapPer',
      'mappEr',
      'mappeR',
      'MApper',
      'MAPper',
    ];
    for (const spelling of spellings) {
      expect(await status(`${spelling}:wrong`)).toBe(401);
    }

    expect(await status('mapper:wrong')).toBe(429);
    expect(await status('mAPPER:wrong')).toBe(429);
    expect(await status('mappers:wrong')).toBe(401);
  });
});
