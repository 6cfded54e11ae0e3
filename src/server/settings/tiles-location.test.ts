import { expect, test } from 'vitest';
import { parseTilesLocation } from './tiles-location.ts';

test.each([
  ['file:/srv/tiles', 'file:/srv/tiles'],
  ['file:///srv/tiles/', 'file:/srv/tiles'],
  ['FILE:/srv/our%20tiles', 'file:/srv/our tiles'],
  ['s3://maps/tiles?region=eu', 's3://maps/tiles/?region=eu'],
  ['s3://maps?endpoint=https://s3.example.org', 's3://maps/?endpoint=https://s3.example.org&region=us-east-1'],
])('%s is the place %s', (text, shown) => {
  expect(parseTilesLocation(text)?.shown).toBe(shown);
});

test.each([
  '/srv/tiles',
  'tiles',
  'file:tiles',
  'file:/',
  'file://host/tiles',
  'file:/srv/tiles?region=eu',
  'file:/srv%2Ftiles',
  'file:/srv/%00',
  'file:/srv/%zz',
  'https://example.org/tiles',
  's3://key:secret@maps',
])('%s is no place for tiles', (text) => {
  expect(parseTilesLocation(text)).toBeUndefined();
});
