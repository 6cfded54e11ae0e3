import { describe, expect, it } from 'vitest';
import { parseBasicCredentials, readCredentials } from './authentication.ts';

function basic(credentials: string | Buffer, scheme = 'Basic'): { authorization: string } {
  return { authorization: `${scheme} ${Buffer.from(credentials).toString('base64')}` };
}

describe('credentials', () => {
  it.each([
    ['a user and a password', basic('admin:secret'), { user: 'admin', password: 'secret' }],
    ['a password with colons', basic('admin:a:b:'), { user: 'admin', password: 'a:b:' }],
    ['an empty password', basic('admin:'), { user: 'admin', password: '' }],
    ['an empty user', basic(':secret'), { user: '', password: 'secret' }],
    ['the scheme in small letters', basic('admin:secret', 'basic'), { user: 'admin', password: 'secret' }],
    ['text beyond ASCII', basic('jürgen:pässwörd€'), { user: 'jürgen', password: 'pässwörd€' }],
    [
      'the same, from a library that sends Latin-1',
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
    ['no base64', { authorization: 'Basic ::::' }],
  ])('are not there with %s', (_case, headers) => {
    expect(parseBasicCredentials(headers)).toBeUndefined();
  });
});

describe('the credentials of a connection', () => {
  it('are read once while the same header comes again', () => {
    const connection = {};

    expect(readCredentials(connection, basic('ann:one'))).toBe(readCredentials(connection, basic('ann:one')));
  });

  it('are read anew as soon as the header differs', () => {
    const connection = {};
    readCredentials(connection, basic('ann:one'));

    expect(readCredentials(connection, basic('ben:two'))).toEqual({ user: 'ben', password: 'two' });
    expect(readCredentials(connection, {})).toBeUndefined();
    expect(readCredentials(connection, basic('ann:one'))).toEqual({ user: 'ann', password: 'one' });
  });

  it('are never those of another connection', () => {
    readCredentials({}, basic('ann:one'));

    expect(readCredentials({}, {})).toBeUndefined();
  });
});
