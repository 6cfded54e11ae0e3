import { expect, it } from 'vitest';
import { parseServerUrl } from './ldap-server.ts';

it.each([
  ['ldap://acme.org', { host: 'acme.org', port: 389, isSecure: false, base: '' }],
  ['LDAPS://acme.org/', { host: 'acme.org', port: 636, isSecure: true, base: '' }],
  ['ldap://acme.org:80/dc=a', { host: 'acme.org', port: 80, isSecure: false, base: 'dc=a' }],
  ['ldap://[::1]:1389/dc=a,dc=b', { host: '::1', port: 1389, isSecure: false, base: 'dc=a,dc=b' }],
  ['ldap://h/dc=a%20b', { host: 'h', port: 389, isSecure: false, base: 'dc=a b' }],
])('accepts the URL %s', (text, expected) => {
  expect(parseServerUrl(text)).toEqual(expected);
});

it.each([
  '',
  'acme.org',
  'http://acme.org',
  'ldap://',
  'ldap://a b',
  'ldap://u:p@h',
  'ldap://h?x',
  'ldap://h/%',
  'ldap:///dc=a',
  'ldap://h:99999',
])('rejects the URL %j', (text) => {
  expect(parseServerUrl(text)).toBeUndefined();
});
