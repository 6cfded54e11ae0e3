import { expect, test } from 'vitest';
import { formatObjectUrl, type ObjectStoreLocation, parseObjectAddress, parseObjectStoreLocation } from './location.ts';

test.each<[string, string]>([
  ['s3://maps', 'https://maps.s3.us-east-1.amazonaws.com/key'],
  ['s3://maps/files?region=eu-central-1', 'https://maps.s3.eu-central-1.amazonaws.com/files/key'],
  ['s3://maps.example.org/files/', 'https://s3.us-east-1.amazonaws.com/maps.example.org/files/key'],
  ['s3://maps/a/b?endpoint=https://s3.example.org&region=eu', 'https://s3.example.org/maps/a/b/key'],
  ['s3://maps/?endpoint=http://127.0.0.1:9000', 'http://127.0.0.1:9000/maps/key'],
  ['S3://maps?endpoint=https%3A%2F%2Fs3.example.org', 'https://s3.example.org/maps/key'],
])('%s has objects at %s', (address, url) => {
  expect(formatObjectUrl(parseObjectStoreLocation(address) as ObjectStoreLocation, 'key').href).toBe(url);
});

test.each([
  's3:maps',
  's3://',
  's3://a',
  's3://MAPS',
  's3://key:secret@maps/files',
  's3://maps/../other',
  's3://maps/a//b',
  's3://maps/a b',
  's3://maps/%2e%2e/a',
  's3://maps#part',
  's3://maps?endpoint=ftp://s3.example.org',
  's3://maps?endpoint=https://key:secret@s3.example.org',
  's3://maps?endpoint=https://s3.example.org/path',
  's3://maps?region=eu_1',
  's3://maps?region=eu&region=us',
  's3://maps?key=secret',
  `s3://maps/${'a'.repeat(600)}`,
])('%s is invalid', (address) => {
  expect(parseObjectStoreLocation(address)).toBeUndefined();
});

test.each([
  ['s3://maps/a/dem.tif', 'https://maps.s3.us-east-1.amazonaws.com/a/dem.tif'],
  ['s3://maps/dem%20a.tif?region=eu-central-1', 'https://maps.s3.eu-central-1.amazonaws.com/dem%20a.tif'],
  ['s3://maps/dem.tif?endpoint=https://s3.example.org', 'https://s3.example.org/maps/dem.tif'],
  ['s3://maps.example.org/dem.tif', 'https://s3.us-east-1.amazonaws.com/maps.example.org/dem.tif'],
])('the object %s has the URL %s', (address, url) => {
  expect(parseObjectAddress(address)?.url).toBe(url);
});

test.each([
  's3://maps',
  's3://maps/',
  's3://key:secret@maps/dem.tif',
  's3://maps/dem.tif?token=secret',
  's3://maps/dem.tif?endpoint=https://s3.example.org/path',
  's3://MAPS/dem.tif',
  's3://maps/../other/dem.tif',
  's3://maps/a/%2e%2E/%2e./other/dem.tif',
  's3://maps/a/./dem.tif',
  's3://maps//dem.tif',
  's3://maps/a//dem.tif',
  's3://maps/a%2Fdem.tif',
  's3://maps/a\\..\\dem.tif',
  's3://maps/a b.tif',
])('%s is no address of an object', (address) => {
  expect(parseObjectAddress(address)).toBeUndefined();
});
