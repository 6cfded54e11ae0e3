/** Lesson 25, with directories: throttling keeps out who guesses, not who is right while a directory is slow or away. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../src/server/settings/limits.ts';
import { ldapClass } from '../support/auth-providers.ts';
import { type MadeUpDirectory, type Question, RIGHT, startMadeUpDirectory } from '../support/directories.ts';
import { startTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';

/** A server whose users are in a made-up directory, and in its own service. */
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
  /** Asks for what nobody but an administrator gets: 403 is a right password, 401 a wrong one. */
  const status = async (as: string, address = '192.0.2.1') =>
    (await server.get('/urlchecks', { as, headers: { 'x-forwarded-for': address } })).status;
  return { server, clock, status };
}

const users = (count: number) => Array.from({ length: count }, (_, index) => `user${index}`);
const times = (count: number, status: number) => Array<number>(count).fill(status);

describe('lesson 25: with a directory', { timeout: 120_000 }, () => {
  it('three hundred who log in at once from one address all get in, over a few connections', async () => {
    const held: Question[] = [];
    let isSlow = true;
    const directory = await startMadeUpDirectory((question) => {
      if (isSlow) held.push(question);
      else question.answer();
    });
    onTestFinished(() => directory.close());
    const { status } = await serverWith(directory);

    const logins = Promise.all(users(300).map((user) => status(`${user}:${RIGHT}`)));
    await directory.asked(limits.ldap.maxConnections);
    isSlow = false;
    for (const question of held) {
      question.answer();
    }

    expect(await logins).toEqual(times(300, 403));
    expect(directory.connections()).toBe(limits.ldap.maxConnections);
  });

  it('guesses at once are as many guesses as ever', async () => {
    const directory = await startMadeUpDirectory();
    onTestFinished(() => directory.close());
    const { server, status } = await serverWith(directory);
    await server.put('/security/authproviders/order', '["acme"]');

    const guesses = await Promise.all(users(40).map((guess) => status(`ann:${guess}`)));

    expect(guesses.filter((each) => each === 401)).toHaveLength(limits.login.perAccountAndAddress);
    expect(guesses.filter((each) => each === 429)).toHaveLength(40 - limits.login.perAccountAndAddress);
    expect(directory.questions).toHaveLength(limits.login.perAccountAndAddress);
  });

  it('right passwords while it is away make nobody wait when it is back, nor lock out anybody else there', async () => {
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

  it('that is away, accounts of our own are guessed at as slowly as ever', async () => {
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

  it('whoever logged in a moment ago gets in again, whoever guesses at that address', async () => {
    const directory = await startMadeUpDirectory();
    onTestFinished(() => directory.close());
    const { server, clock, status } = await serverWith(directory);
    await server.put('/security/authproviders/order', '["acme"]');
    expect(await status(`ann:${RIGHT}`)).toBe(403);
    for (const guess of users(10)) {
      await status(`ann:${guess}`);
    }
    expect(await status('ann:another')).toBe(429);

    // The word of the directory is believed no more: it is asked again.
    clock.nowMs += 6_000;
    expect(await status(`ann:${RIGHT}`)).toBe(403);
    await server.post('/security/roles/role/ROLE_NEW', '');
    expect(await status(`ann:${RIGHT}`)).toBe(403);
    expect(await status('ann:another')).toBe(429);
  });

  it('guesses with other spellings of an account are guesses at that account', async () => {
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
