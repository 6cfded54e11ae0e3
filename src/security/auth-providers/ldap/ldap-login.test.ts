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

describeWithSlapd('directory login', (slapd) => {
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
    ['a DN pattern', byPattern],
    ['a search filter', byFilter],
  ])('authenticates a user by %s', async (_how, settings) => {
    expect(await ask(settings(), 'ann', passwords.ann)).toEqual(['writers']);
    expect(await ask(settings(), 'ann', 'wrong')).toBeUndefined();
    expect(await ask(settings(), 'stranger', 'x')).toBeUndefined();
    expect(await ask(settings(), 'cy', passwords.cy)).toEqual([]);
  });

  it('accepts patterns and search bases that already contain the base', async () => {
    const settings = byPattern({
      userDnPattern: `uid={0}, ou=people, ${OPEN_BASE}`,
      groupSearchBase: `ou=groups,${OPEN_BASE.toUpperCase()}`,
    });

    expect(await ask(settings, 'ann', passwords.ann)).toEqual(['writers']);
    expect(await ask({ ...settings, serverURL: slapd().url }, 'ann', passwords.ann)).toEqual(['writers']);
  });

  it('supports a login name in a custom format', async () => {
    const settings = byFilter({ userFormat: `uid={0},ou=people,${OPEN_BASE}`, userFilter: '(uid={1})' });

    expect(await ask(settings, 'ann', passwords.ann)).toEqual(['writers']);
    expect(await ask(settings, 'ann', 'wrong')).toBeUndefined();
  });

  it.each([
    ['a DN pattern', byPattern],
    ['a search filter', byFilter],
  ])('never sends an empty password, with %s', async (_how, settings) => {
    expect(await ask(settings(), 'ann', '')).toBeUndefined();
  });

  it.each(['EXTERNAL', 'PLAIN'])('does not let the user %s log in without a password', async (user) => {
    expect(await ask(byPattern({ userDnPattern: '{0}' }), user, 'x')).toBeUndefined();
  });

  it('authenticates a user whose name consists of special characters', async () => {
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
  ])('does not accept %j for ann', async (user) => {
    expect(await ask(byPattern(), user, passwords.ann)).toBeUndefined();
    expect(await ask(byFilter(), user, passwords.ann)).toBeUndefined();
  });

  it('does not accept a random name', async () => {
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

  it('rejects a filter that matches more than one entry', async () => {
    expect(await ask(byFilter({ userFilter: '(|(uid={0})(uid=bob))' }), 'ann', passwords.ann)).toBeUndefined();
  });

  it('resolves nested groups up to the configured depth, including cycles', async () => {
    const nested = { useNestedParentGroups: true };

    expect(await ask(byPattern(nested), 'ann', passwords.ann)).toEqual(['writers', 'editors', 'staff']);
    expect(await ask(byPattern({ ...nested, maxGroupSearchLevel: 2 }), 'ann', passwords.ann)).toEqual([
      'writers',
      'editors',
    ]);
    expect(await ask(byPattern({ ...nested, maxGroupSearchLevel: 1 }), 'ann', passwords.ann)).toEqual(['writers']);
  });

  it('finds groups by another filter, and none without a filter', async () => {
    expect(await ask(byPattern({ groupSearchFilter: 'cn={1}s' }), 'ann', passwords.ann)).toEqual([]);
    expect(await ask(byPattern({ groupSearchFilter: '(&(cn=w*)(member={0}))' }), 'ann', passwords.ann)).toEqual([
      'writers',
    ]);
    expect(await ask(byPattern({ groupSearchBase: 'ou=nowhere' }), 'ann', passwords.ann)).toEqual([]);
    const { groupSearchBase: _without, ...settings } = byPattern();
    expect(await ask(settings, 'ann', passwords.ann)).toEqual([]);
  });

  it.each([
    ['a StartTLS connection', () => byPattern({ useTLS: true })],
    ['an LDAPS connection', () => byPattern({ serverURL: `${slapd().secureUrl}/${OPEN_BASE}` })],
  ])('requires a trusted certificate over %s', async (_how, settings) => {
    expect(await ask(settings(), 'ann', passwords.ann, trusting())).toEqual(['writers']);
    await expect(ask(settings(), 'ann', passwords.ann)).rejects.toThrow(/certificate is not trusted/);
  });

  it('rejects a certificate for another host name', async () => {
    const settings = byPattern({
      serverURL: `${slapd().url.replace('127.0.0.1', '127.0.0.2')}/${OPEN_BASE}`,
      useTLS: true,
    });

    await expect(ask(settings, 'ann', passwords.ann, trusting())).rejects.toThrow(DirectoryUnavailable);
  });

  it('uses TLS with a server that requires it, and reports the requirement without TLS', async () => {
    const { name, password } = closedUser;
    const plain = inClosed({ serverURL: `${slapd().url}/${CLOSED_BASE}` });

    expect(await ask(inClosed(), name, password, trusting())).toEqual(['guests']);
    expect(await ask({ ...plain, useTLS: true }, name, password, trusting())).toEqual(['guests']);
    expect(await ask(inClosed(), name, 'wrong', trusting())).toBeUndefined();
    await expect(ask(plain, name, password)).rejects.toThrow(/requires TLS/);
  });

  it('searches groups as the user who logs in, if configured', async () => {
    const { name, password } = closedUser;

    // Only the reader user has permission to see groups there.
    expect(await ask(inClosed({ bindBeforeGroupSearch: true }), name, password, trusting())).toEqual([]);
  });

  it('reports the directory as unavailable if it rejects the bind credentials', async () => {
    const settings = inClosed({ password: 'wrong' });

    await expect(ask(settings, closedUser.name, closedUser.password, trusting())).rejects.toThrow(
      /rejects the bind credentials/,
    );
  });
});
