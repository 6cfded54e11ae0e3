import { once } from 'node:events';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Credentialed, readCredentials, takeQueryKey } from './credentials.ts';

const toHeader = (credentials: string | Buffer, scheme = 'Basic') =>
  `${scheme} ${Buffer.from(credentials).toString('base64')}`;

const request = (authorization?: string, socket: object = {}): Credentialed => ({
  socket,
  headers: authorization === undefined ? {} : { authorization },
});

describe('credentials of the Authorization header', () => {
  it.each([
    ['a user and a password', toHeader('admin:secret'), 'admin', 'secret'],
    ['a password with colons', toHeader('admin:a:b:'), 'admin', 'a:b:'],
    ['an empty password', toHeader('admin:'), 'admin', ''],
    ['an empty user', toHeader(':secret'), '', 'secret'],
    ['the scheme in lower case', toHeader('admin:secret', 'basic'), 'admin', 'secret'],
    ['characters outside ASCII', toHeader('jürgen:pässwörd€'), 'jürgen', 'pässwörd€'],
    ['Latin-1', toHeader(Buffer.from('jürgen:pässwörd', 'latin1')), 'jürgen', 'pässwörd'],
  ])('are %s', (_case, header, user, password) => {
    expect(readCredentials(request(header), undefined)).toEqual({ kind: 'password', user, password });
  });

  it.each([
    ['an empty header', ''],
    ['another scheme', 'Digest abc'],
    ['a scheme alone', 'Basic'],
    ['no colon', toHeader('admin')],
    ['invalid base64', 'Basic ::::'],
  ])('are unknown with %s', (_case, header) => {
    expect(readCredentials(request(header), undefined)).toBe('unknown');
  });

  it('are a token of this server after Bearer or as a Basic password, and other Bearer values otherwise', () => {
    expect(readCredentials(request('Bearer grt_abc'), undefined)).toEqual({
      kind: 'token',
      secret: 'grt_abc',
      isInUrl: false,
    });
    expect(readCredentials(request(toHeader('ann:grt_abc')), undefined)).toEqual({
      kind: 'token',
      secret: 'grt_abc',
      user: 'ann',
      isInUrl: false,
    });
    expect(readCredentials(request('bearer  a.b.c'), undefined)).toEqual({ kind: 'bearer', token: 'a.b.c' });
  });

  it('are parsed once for each connection over HTTP/2', async () => {
    const read: unknown[] = [];
    const server = createHttp2Server((sent, reply) => {
      read.push(readCredentials(sent, undefined));
      reply.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    for (const user of ['ann', 'ann', 'bob']) {
      await once(session.request({ authorization: toHeader(`${user}:one`) }).resume(), 'end');
    }
    session.close();
    server.close();

    expect(read[1]).toBe(read[0]);
    expect(read[2]).toMatchObject({ user: 'bob' });
  });

  it('are parsed once for each connection while the header stays the same', () => {
    const connection = {};
    const read = (header?: string) => readCredentials(request(header, connection), undefined);
    const first = read(toHeader('ann:one'));

    expect(read(toHeader('ann:one'))).toBe(first);
    expect(read(toHeader('ben:two'))).toMatchObject({ user: 'ben', password: 'two' });
    expect(read()).toBeUndefined();
    expect(readCredentials(request(), undefined)).toBeUndefined();
  });

  it('are ambiguous if the header is repeated or a key is sent as well', () => {
    const repeated = ['Authorization', 'Bearer grt_a', 'accept', 'x', 'AUTHORIZATION', 'Bearer grt_b'];
    const ambiguous = expect.objectContaining({ code: 'credentials-ambiguous', status: 400 });

    expect(() => readCredentials({ ...request('Bearer grt_a'), rawHeaders: repeated }, undefined)).toThrow(ambiguous);
    expect(() => readCredentials(request('Bearer grt_a'), 'grt_a')).toThrow(ambiguous);
    expect(takeQueryKey('authkey=grt_a&AuthKey=grt_a')).toEqual({ key: 'grt_a', isRepeated: true, rest: '' });
  });
});

describe('key in the query', () => {
  it.each([
    ['service=WMS&authkey=grt_a&request=GetMap', 'grt_a', 'service=WMS&request=GetMap'],
    ['AUTHKEY=grt_a', 'grt_a', ''],
    ['%61uthkey=grt%5Fa&x=1', 'grt_a', 'x=1'],
    ['authkey=', '', ''],
    ['layers=a%20b&myauthkey=1', undefined, 'layers=a%20b&myauthkey=1'],
    ['', undefined, ''],
  ])('is taken out of %s', (rawQuery, key, rest) => {
    expect(takeQueryKey(rawQuery)).toEqual({ key, isRepeated: false, rest });
  });
});
