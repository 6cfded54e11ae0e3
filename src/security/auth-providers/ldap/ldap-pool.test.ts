import { createSecureContext } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type MadeUpDirectory,
  poolLimits,
  type Question,
  RIGHT,
  startMadeUpDirectory,
} from '../../../../test/support/directories.ts';
import { OPEN_BASE, passwords } from '../../../../test/support/services/slapd-entries.ts';
import { describeWithSlapd } from '../../../../test/support/with-slapd.ts';
import { authenticateWithDirectory, type DecryptedSettings } from './ldap-login.ts';
import { createPool } from './ldap-pool.ts';
import { DirectoryUnavailable, openDirectories } from './ldap-session.ts';

/** Longer than any of these tests. */
const timeoutMs = 60_000;

async function directoryThat(treat?: (question: Question) => void) {
  const directory = await startMadeUpDirectory(treat);
  const directories = openDirectories({ timeoutMs, pool: poolLimits });
  onTestFinished(async () => {
    directories.close();
    await directory.close();
  });
  const settings: DecryptedSettings = { serverURL: directory.url, userDnPattern: 'uid={0}' };
  const ask = (user: string, password = RIGHT, more: DecryptedSettings = {}) =>
    authenticateWithDirectory({ ...settings, ...more }, { user, password }, directories);
  return { directory, directories, ask };
}

/** Returns work that waits until the test releases it. */
function heldBack() {
  const held: Question[] = [];
  let isOpen = false;
  return {
    held,
    treat: (question: Question) => (isOpen ? question.answer() : held.push(question)),
    letGo() {
      isOpen = true;
      for (const question of held) {
        question.answer();
      }
    },
  };
}

const users = (count: number) => Array.from({ length: count }, (_, index) => `user${index}`);
const lastOf = ({ questions }: MadeUpDirectory) => questions.at(-1);

describe('directory connection pool', () => {
  it('reuses connections for later sessions', async () => {
    const { directory, ask } = await directoryThat();

    for (const user of users(10)) {
      expect(await ask(user)).toEqual([]);
    }

    expect(directory.connections()).toBe(1);
  });

  it('limits the number of connections, and further sessions wait', async () => {
    const { held, treat, letGo } = heldBack();
    const { directory, ask } = await directoryThat(treat);

    const logins = Promise.all(users(100).map((user) => ask(user)));
    await directory.waitForRequests(poolLimits.maxConnections);
    expect(held).toHaveLength(poolLimits.maxConnections);
    letGo();

    expect(await logins).toEqual(users(100).map(() => []));
    expect(directory.connections()).toBe(poolLimits.maxConnections);
  });

  it('verifies passwords correctly on a reused connection', async () => {
    const { directory, ask } = await directoryThat();

    expect(await ask('ann')).toEqual([]);
    expect(await ask('bob', 'wrong')).toBeUndefined();
    expect(await ask('ann')).toEqual([]);
    expect(await ask('ann', 'wrong')).toBeUndefined();
    expect(directory.connections()).toBe(1);
  });

  it('rebinds a reused connection before a search', async () => {
    const { directory, ask } = await directoryThat();
    const bySearch = { userDnPattern: '', userFilter: '(uid={0})' };

    await ask('ann', RIGHT, bySearch);
    expect(directory.questions.map(({ kind }) => kind)).toEqual(['search']);
    await ask('ann');
    await ask('bob', RIGHT, bySearch);

    expect(directory.questions.map(({ kind, isAnonymous }) => [kind, isAnonymous])).toEqual([
      ['search', false],
      ['bind', false],
      ['bind', true],
      ['search', false],
    ]);
    expect(directory.connections()).toBe(1);
  });

  it('replaces connections that the directory has closed', async () => {
    const { directory, ask } = await directoryThat();
    await ask('ann');
    const { socket } = lastOf(directory) ?? {};
    socket?.destroy();

    expect(await ask('bob')).toEqual([]);
    expect(directory.connections()).toBe(2);
  });

  it('replaces a connection that the directory closes during the request, without an error', async () => {
    const { directory, ask } = await directoryThat(({ earlier, socket, answer }) =>
      earlier === 1 ? void socket.destroy() : answer(),
    );

    for (const user of users(5)) {
      expect(await ask(user)).toEqual([]);
    }

    expect(directory.connections()).toBe(5);
  });

  it('does not retry when a new connection closes without a response', async () => {
    const { directory, ask } = await directoryThat(({ socket }) => void socket.destroy());

    await expect(ask('ann')).rejects.toThrow(DirectoryUnavailable);
    expect(directory.connections()).toBe(1);
  });

  it('fails all waiting sessions when the directory does not respond at all', async () => {
    const { held, treat } = heldBack();
    const { directory, ask } = await directoryThat(treat);

    const logins = Promise.allSettled(users(100).map((user) => ask(user)));
    await directory.waitForRequests(poolLimits.maxConnections);
    for (const { socket } of held) {
      socket.destroy();
    }

    expect((await logins).every(({ status }) => status === 'rejected')).toBe(true);
    expect(directory.connections()).toBe(poolLimits.maxConnections);
  });

  it('fails only the session that failed while the directory answers others', async () => {
    const { held, treat, letGo } = heldBack();
    const { directory, ask } = await directoryThat(treat);

    const logins = users(20).map((user) => ask(user));
    const outcomes = Promise.allSettled(logins);
    await directory.waitForRequests(poolLimits.maxConnections);
    const [first, unlucky] = held;
    first?.answer();
    await Promise.race(logins);
    unlucky?.socket.destroy();
    letGo();

    expect((await outcomes).filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  it('limits the number of waiting sessions', async () => {
    const { treat, letGo } = heldBack();
    const directory = await startMadeUpDirectory(treat);
    const directories = openDirectories({ timeoutMs, pool: { ...poolLimits, maxConnections: 1, maxWaiting: 2 } });
    onTestFinished(async () => {
      directories.close();
      await directory.close();
    });
    const settings = { serverURL: directory.url, userDnPattern: 'uid={0}' };

    const logins = Promise.allSettled(
      users(4).map((user) => authenticateWithDirectory(settings, { user, password: RIGHT }, directories)),
    );
    await directory.waitForRequests(1);
    letGo();

    expect((await logins).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });

  it('closes idle connections after the idle timeout', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const close = vi.fn();
    const pool = createPool({ ...poolLimits, idleMs: 1_000 });
    const use = () =>
      pool.withLease('one', async (turn) => {
        const connection = turn.acquireIdle() ?? { isUsable: () => true, close };
        turn.release(connection);
        return connection;
      });

    const first = await use();
    vi.advanceTimersByTime(999);
    expect(await use()).toBe(first);
    vi.advanceTimersByTime(999);
    expect(close).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);

    expect(close).toHaveBeenCalledOnce();
    expect(await use()).not.toBe(first);
  });

  it('keeps no connections after the server closes', async () => {
    const { directory, directories, ask } = await directoryThat();
    directories.close();

    await ask('ann');
    await ask('bob');

    expect(directory.connections()).toBe(2);
  });
});

describeWithSlapd('directory connections over TLS', (slapd) => {
  it.each([
    ['StartTLS', () => ({ serverURL: `${slapd().url}/${OPEN_BASE}`, useTLS: true })],
    ['TLS from the start', () => ({ serverURL: `${slapd().secureUrl}/${OPEN_BASE}` })],
  ])('read the trusted authorities once, with %s', async (_how, address) => {
    let made = 0;
    const directories = openDirectories({
      timeoutMs,
      pool: poolLimits,
      authorities: [slapd().certificate],
      makeSecureContext: (options) => {
        made += 1;
        return createSecureContext(options);
      },
    });
    onTestFinished(() => directories.close());
    const settings = { ...address(), userDnPattern: 'uid={0},ou=people', groupSearchBase: 'ou=groups' };
    const ask = (user: 'ann' | 'cy', password: string = passwords[user]) =>
      authenticateWithDirectory(settings, { user, password }, directories);

    const groups = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(index % 2 === 0 ? 'ann' : 'cy')));

    expect(groups).toEqual(groups.map((_, index) => (index % 2 === 0 ? ['writers'] : [])));
    expect(await ask('ann', 'wrong')).toBeUndefined();
    expect(made).toBe(1);
  });
});
