import fc from 'fast-check';
import { expect, it } from 'vitest';
import { askOnce } from '../../../../test/support/directories.ts';
import {
  CLOSED_BASE,
  closedUser,
  OPEN_BASE,
  passwords,
  READER_PASSWORD,
} from '../../../../test/support/services/slapd-entries.ts';
import { describeWithSlapd } from '../../../../test/support/with-slapd.ts';
import type { DecryptedSettings } from './ldap-login.ts';
import { DirectoryUnavailable } from './ldap-session.ts';

const timeoutMs = 60_000;

describeWithSlapd('a directory', (slapd) => {
  const byPattern = (more: DecryptedSettings = {}): DecryptedSettings => ({
    serverURL: `${slapd().url}/${OPEN_BASE}`,
    userDnPattern: 'uid={0},ou=people',
    groupSearchBase: 'ou=groups',
    ...more,
  });
  const byFilter = (more: DecryptedSettings = {}): DecryptedSettings => ({
    serverURL: `${slapd().url}/${OPEN_BASE}`,
    userFilter: '(uid={0})',
    groupSearchBase: 'ou=groups',
    ...more,
  });
  const inClosed = (more: DecryptedSettings = {}): DecryptedSettings => ({
    serverURL: `${slapd().secureUrl}/${CLOSED_BASE}`,
    userFilter: 'uid={0}',
    groupSearchBase: 'ou=groups',
    user: `cn=reader,${CLOSED_BASE}`,
    password: READER_PASSWORD,
    ...more,
  });
  const trusting = () => ({ timeoutMs, authorities: [slapd().certificate] });
  const ask = (settings: DecryptedSettings, user: string, password: string, options = { timeoutMs }) =>
    askOnce(settings, { user, password }, options);

  it.each([
    ['the pattern of its entry', byPattern],
    ['a search for its entry', byFilter],
  ])('knows a user by %s', async (_how, settings) => {
    expect(await ask(settings(), 'ann', passwords.ann)).toEqual(['writers']);
    expect(await ask(settings(), 'ann', 'wrong')).toBeUndefined();
    expect(await ask(settings(), 'stranger', 'x')).toBeUndefined();
    expect(await ask(settings(), 'cy', passwords.cy)).toEqual([]);
  });

  it('takes patterns and bases that are complete already', async () => {
    const settings = byPattern({
      userDnPattern: `uid={0}, ou=people, ${OPEN_BASE}`,
      groupSearchBase: `ou=groups,${OPEN_BASE.toUpperCase()}`,
    });

    expect(await ask(settings, 'ann', passwords.ann)).toEqual(['writers']);
    expect(await ask({ ...settings, serverURL: slapd().url }, 'ann', passwords.ann)).toEqual(['writers']);
  });

  it('takes a login name in a format of its own', async () => {
    const settings = byFilter({ userFormat: `uid={0},ou=people,${OPEN_BASE}`, userFilter: '(uid={1})' });

    expect(await ask(settings, 'ann', passwords.ann)).toEqual(['writers']);
    expect(await ask(settings, 'ann', 'wrong')).toBeUndefined();
  });

  it.each([
    ['the pattern', byPattern],
    ['the search', byFilter],
  ])('is never asked with an empty password, with %s', async (_how, settings) => {
    expect(await ask(settings(), 'ann', '')).toBeUndefined();
  });

  it.each(['EXTERNAL', 'PLAIN'])('does not take the user %s for a way to log in without a password', async (user) => {
    expect(await ask(byPattern({ userDnPattern: '{0}' }), user, 'x')).toBeUndefined();
  });

  it('knows a user whose name is full of special characters', async () => {
    const user = 'odd, (na*me)';

    expect(await ask(byPattern(), user, passwords[user])).toEqual([]);
    expect(await ask(byFilter(), user, passwords[user])).toEqual([]);
  });

  it.each([
    'an*',
    '*',
    'ann)(uid=*',
    '*)(|(uid=*',
    'ann,ou=people,dc=acme,dc=org',
    'ann+cn=ann',
    ' ann',
    'ann ',
    'ann\u0000',
    '#616e6e',
    '',
  ])('does not take %j for ann', async (user) => {
    expect(await ask(byPattern(), user, passwords.ann)).toBeUndefined();
    expect(await ask(byFilter(), user, passwords.ann)).toBeUndefined();
  });

  it('takes no made-up name for anybody', async () => {
    const special = fc.stringMatching(/^[an*()\\,=+"<>;# |&!]{1,12}$/);
    await fc.assert(
      fc.asyncProperty(special, async (user) => {
        fc.pre(user !== 'ann');
        expect(await ask(byPattern(), user, passwords.ann)).toBeUndefined();
        expect(await ask(byFilter(), user, passwords.ann)).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a filter that finds more than one', async () => {
    expect(await ask(byFilter({ userFilter: '(|(uid={0})(uid=bob))' }), 'ann', passwords.ann)).toBeUndefined();
  });

  it('tells the groups of groups, as deep as it may look, also where they go in circles', async () => {
    const nested = { useNestedParentGroups: true };

    expect(await ask(byPattern(nested), 'ann', passwords.ann)).toEqual(['writers', 'editors', 'staff']);
    expect(await ask(byPattern({ ...nested, maxGroupSearchLevel: 2 }), 'ann', passwords.ann)).toEqual([
      'writers',
      'editors',
    ]);
    expect(await ask(byPattern({ ...nested, maxGroupSearchLevel: 1 }), 'ann', passwords.ann)).toEqual(['writers']);
  });

  it('tells groups by another filter, and none where none are asked for', async () => {
    expect(await ask(byPattern({ groupSearchFilter: 'cn={1}s' }), 'ann', passwords.ann)).toEqual([]);
    expect(await ask(byPattern({ groupSearchFilter: '(&(cn=w*)(member={0}))' }), 'ann', passwords.ann)).toEqual([
      'writers',
    ]);
    expect(await ask(byPattern({ groupSearchBase: 'ou=nowhere' }), 'ann', passwords.ann)).toEqual([]);
    const { groupSearchBase: _without, ...settings } = byPattern();
    expect(await ask(settings, 'ann', passwords.ann)).toEqual([]);
  });

  it.each([
    ['an upgraded connection', () => byPattern({ useTLS: true })],
    ['a connection that is TLS from the start', () => byPattern({ serverURL: `${slapd().secureUrl}/${OPEN_BASE}` })],
  ])('is asked over %s only if its certificate is trusted', async (_how, settings) => {
    expect(await ask(settings(), 'ann', passwords.ann, trusting())).toEqual(['writers']);
    await expect(ask(settings(), 'ann', passwords.ann)).rejects.toThrow(/certificate is not trusted/);
  });

  it('is not asked over TLS under a name its certificate does not have', async () => {
    const settings = byPattern({
      serverURL: `${slapd().url.replace('127.0.0.1', '127.0.0.2')}/${OPEN_BASE}`,
      useTLS: true,
    });

    await expect(ask(settings, 'ann', passwords.ann, trusting())).rejects.toThrow(DirectoryUnavailable);
  });

  it('that wants TLS is asked with it, and says so without', async () => {
    const { name, password } = closedUser;
    const plain = inClosed({ serverURL: `${slapd().url}/${CLOSED_BASE}` });

    expect(await ask(inClosed(), name, password, trusting())).toEqual(['guests']);
    expect(await ask({ ...plain, useTLS: true }, name, password, trusting())).toEqual(['guests']);
    expect(await ask(inClosed(), name, 'wrong', trusting())).toBeUndefined();
    await expect(ask(plain, name, password)).rejects.toThrow(/wants TLS/);
  });

  it('is searched as the user who logs in, where that is asked', async () => {
    const { name, password } = closedUser;

    // Only the reader may see groups there.
    expect(await ask(inClosed({ bindBeforeGroupSearch: true }), name, password, trusting())).toEqual([]);
  });

  it('that refuses the user to search as cannot be asked', async () => {
    const settings = inClosed({ password: 'wrong' });

    await expect(ask(settings, closedUser.name, closedUser.password, trusting())).rejects.toThrow(/search as/);
  });
});
