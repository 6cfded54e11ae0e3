import { expect, test } from 'vitest';
import { UTM33_PRJ, WGS84_PRJ } from '../../test/support/vector-samples.ts';
import { areSameCrs, formatCrsLabel } from './are-same-crs.ts';
import type { CrsReference } from './model/crs-reference.ts';

const own = UTM33_PRJ.replace('15.0', '15.5').replace('Zone_33N', 'of_Our_Own');

test.for<readonly [string, CrsReference, CrsReference, boolean]>([
  ['a code with itself in another spelling', { code: 'EPSG:4326' }, { code: 'urn:ogc:def:crs:EPSG::4326' }, true],
  ['two codes', { code: 'EPSG:4326' }, { code: 'EPSG:4258' }, false],
  ['a code with WKT of the same CRS', { code: 'EPSG:32633' }, { wkt: UTM33_PRJ }, true],
  ['a code with WKT of another CRS', { code: 'EPSG:32632' }, { wkt: UTM33_PRJ }, false],
  ['WKT without a code with itself', { wkt: own }, { wkt: own }, true],
  [
    'WKT without a code with other formatting',
    { wkt: own },
    { wkt: own.replaceAll(',', ', ').replace('15.5', '15.50') },
    true,
  ],
  ['WKT without a code with another datum', { wkt: own }, { wkt: own.replace('D_WGS_1984', 'D_Other') }, false],
  ['WKT without a code with a code', { wkt: own }, { code: 'EPSG:32633' }, false],
  ['a projected CRS with its base', { wkt: own }, { wkt: WGS84_PRJ }, false],
  ['two unknown references', {}, {}, true],
  ['an unknown reference with a code', {}, { code: 'EPSG:4326' }, false],
])('compares %s', async ([, a, b, expected]) => {
  expect(await areSameCrs(a, b)).toBe(expected);
  expect(await areSameCrs(b, a)).toBe(expected);
});

test('formatCrsLabel returns the code, the name or "unknown"', () => {
  expect([{ code: 'EPSG:4326' }, { wkt: own }, { wkt: '?' }, {}].map(formatCrsLabel)).toEqual([
    'EPSG:4326',
    'WGS_1984_UTM_of_Our_Own',
    'unnamed',
    'unknown',
  ]);
});
