import { expect, test } from 'vitest';
import { UTM33_PRJ, WGS84_PRJ } from '../../test/support/vector-samples.ts';
import { areSameCrs, formatCrsLabel } from './are-same-crs.ts';
import type { CrsReference } from './model/crs-reference.ts';

const own = UTM33_PRJ.replace('15.0', '15.5').replace('Zone_33N', 'of_Our_Own');

test.for<readonly [string, CrsReference, CrsReference, boolean]>([
  ['a code and itself in another spelling', { code: 'EPSG:4326' }, { code: 'urn:ogc:def:crs:EPSG::4326' }, true],
  ['two codes', { code: 'EPSG:4326' }, { code: 'EPSG:4258' }, false],
  ['a code and a text of the same', { code: 'EPSG:32633' }, { wkt: UTM33_PRJ }, true],
  ['a code and a text of another', { code: 'EPSG:32632' }, { wkt: UTM33_PRJ }, false],
  ['a text without a code and itself', { wkt: own }, { wkt: own }, true],
  ['such a text written differently', { wkt: own }, { wkt: own.replaceAll(',', ', ').replace('15.5', '15.50') }, true],
  ['such a text on another datum', { wkt: own }, { wkt: own.replace('D_WGS_1984', 'D_Other') }, false],
  ['such a text and a code', { wkt: own }, { code: 'EPSG:32633' }, false],
  ['a projection and what it stands on', { wkt: own }, { wkt: WGS84_PRJ }, false],
  ['nothing and nothing', {}, {}, true],
  ['nothing and something', {}, { code: 'EPSG:4326' }, false],
])('%s', async ([, a, b, expected]) => {
  expect(await areSameCrs(a, b)).toBe(expected);
  expect(await areSameCrs(b, a)).toBe(expected);
});

test('systems are told to people by code, by name, or as unknown', () => {
  expect([{ code: 'EPSG:4326' }, { wkt: own }, { wkt: '?' }, {}].map(formatCrsLabel)).toEqual([
    'EPSG:4326',
    'WGS_1984_UTM_of_Our_Own',
    'unnamed',
    'unknown',
  ]);
});
