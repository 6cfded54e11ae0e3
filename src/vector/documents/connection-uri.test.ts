import { describe, expect, it } from 'vitest';
import { isDocumentUri, listUriHosts, readDocumentUri } from './connection-uri.ts';

describe('document database URIs', () => {
  it('contain hosts, a database and a user', () => {
    expect(readDocumentUri('mongodb://jane:p%40ss@db.example.com,[::1]:27018/gis?authSource=admin&tls=true')).toEqual({
      hosts: [
        { host: 'db.example.com', port: 27017 },
        { host: '::1', port: 27018 },
      ],
      database: 'gis',
      user: 'jane',
      password: 'p@ss',
      options: {
        authSource: 'admin',
        tls: true,
        tlsInsecure: false,
        readPreference: 'primary',
        connectTimeoutMs: 5_000,
        maxConnections: 10,
      },
    });
  });

  it('can contain a collection for schema locations', () => {
    expect(readDocumentUri('mongodb://localhost/geotools.schemas')).toMatchObject({
      database: 'geotools',
      collection: 'schemas',
    });
  });

  it('list their hosts', () => {
    expect(listUriHosts('mongodb://u:p@DB.example.com.:1,Other/x')).toEqual(['db.example.com', 'other']);
    expect(listUriHosts('mongodb://')).toEqual([]);
    expect(isDocumentUri(' mongodb+srv://x')).toBe(true);
    expect(isDocumentUri('http://x')).toBe(false);
  });

  it.each([
    ['mongodb+srv://cluster.example.com/x', /list the hosts/],
    ['mongodb://%2Ftmp%2Fmongodb.sock/x', /host name or an IP address/],
    ['mongodb://host:99999/x', /port from 1 to 65535/],
    ['mongodb:///x', /must have the form/],
    ['mongodb://h/a b', /database name/],
    ['mongodb://h/a$b', /database name/],
    ['mongodb://h/x?tlsCAFile=/etc/passwd', /'tlsCAFile' is not supported/],
    ['mongodb://h/x?proxyHost=evil', /'proxyHost'/],
    ['mongodb://h/x?authMechanism=MONGODB-AWS', /authMechanism/],
    ['mongodb://h/x?connectTimeoutMS=-1', /integer/],
    ['mongodb://h/x?readPreference=any', /readPreference/],
    ['mongodb://u:%zz@h/x', /password contains an invalid percent escape/],
    [`mongodb://${'h,'.repeat(60)}h/x`, /more than 50 hosts/],
  ])('are rejected as %s', (uri, reason) => {
    expect(() => readDocumentUri(uri)).toThrow(reason);
  });

  it('are never repeated in error messages', () => {
    for (const uri of [
      'mongodb://jane:hunter2@',
      'mongodb://jane:hunter2@h:0/x',
      'mongodb://jane:hunter2@h/x?q=hunter2',
    ]) {
      expect(() => readDocumentUri(uri)).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
      );
    }
  });
});
