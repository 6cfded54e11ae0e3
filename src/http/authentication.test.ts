import { describe, expect, it } from 'vitest';
import { basicCredentials } from './authentication.ts';

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
    expect(basicCredentials(headers)).toEqual(expected);
  });

  it.each([
    ['no header', {}],
    ['an empty header', { authorization: '' }],
    ['another scheme', { authorization: 'Bearer abc' }],
    ['a scheme alone', { authorization: 'Basic' }],
    ['no colon', basic('admin')],
    ['no base64', { authorization: 'Basic ::::' }],
  ])('are not there with %s', (_case, headers) => {
    expect(basicCredentials(headers)).toBeUndefined();
  });
});
