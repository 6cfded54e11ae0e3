import { describe, expect, it } from 'vitest';
import { parseBasicCredentials, readCredentials } from './auth.ts';

function basic(credentials: string | Buffer, scheme = 'Basic'): { authorization: string } {
  return { authorization: `${scheme} ${Buffer.from(credentials).toString('base64')}` };
}

describe('credentials', () => {
  it.each([
    ['a user and a password', basic('admin:secret'), { user: 'admin', password: 'secret' }],
    ['a password with colons', basic('admin:a:b:'), { user: 'admin', password: 'a:b:' }],
    ['an empty password', basic('admin:'), { user: 'admin', password: '' }],
    ['an empty user', basic(':secret'), { user: '', password: 'secret' }],
    ['the scheme in lower case', basic('admin:secret', 'basic'), { user: 'admin', password: 'secret' }],
    ['characters outside ASCII', basic('jürgen:pässwörd€'), { user: 'jürgen', password: 'pässwörd€' }],
    [
      'characters outside ASCII, encoded as Latin-1',
      basic(Buffer.from('jürgen:pässwörd', 'latin1')),
      {
        user: 'jürgen',
        password: 'pässwörd',
      },
    ],
  ])('are %s', (_case, headers, expected) => {
    expect(parseBasicCredentials(headers)).toEqual(expected);
  });

  it.each([
    ['no header', {}],
    ['an empty header', { authorization: '' }],
    ['another scheme', { authorization: 'Bearer abc' }],
    ['a scheme alone', { authorization: 'Basic' }],
    ['no colon', basic('admin')],
    ['invalid base64', { authorization: 'Basic ::::' }],
  ])('are undefined with %s', (_case, headers) => {
    expect(parseBasicCredentials(headers)).toBeUndefined();
  });
});

describe('credentials of a connection', () => {
  it('are parsed once while the header stays the same', () => {
    const connection = {};

    expect(readCredentials(connection, basic('ann:one'))).toBe(readCredentials(connection, basic('ann:one')));
  });

  it('are parsed again when the header changes', () => {
    const connection = {};
    readCredentials(connection, basic('ann:one'));

    expect(readCredentials(connection, basic('ben:two'))).toEqual({ user: 'ben', password: 'two' });
    expect(readCredentials(connection, {})).toBeUndefined();
    expect(readCredentials(connection, basic('ann:one'))).toEqual({ user: 'ann', password: 'one' });
  });

  it('are never shared with another connection', () => {
    readCredentials({}, basic('ann:one'));

    expect(readCredentials({}, {})).toBeUndefined();
  });
});
