/** Checks that geometries packed from bytes equal decoded geometries. */
import { expect, test } from 'vitest';
import { encodeWkb } from '../../geometry/wkb-encode.ts';
import { decodeWkt } from '../../geometry/wkt-decode.ts';
import { FeaturePacker } from './pack-features.ts';
import { createWkbPacker } from './pack-wkb.ts';

const square = '(0 0, 4 0, 4 4, 0 4, 0 0)';
const hole = '(1 1, 2 1, 2 2, 1 1)';

test.each([
  'POINT (1 2)',
  'POINT EMPTY',
  'POINT Z (1 2 3)',
  'LINESTRING (1 2, 3 4, 5 6)',
  'LINESTRING EMPTY',
  `POLYGON (${square})`,
  `POLYGON (${square}, ${hole})`,
  'POLYGON EMPTY',
  `MULTIPOLYGON ((${square}, ${hole}), (${square}))`,
  'MULTIPOLYGON EMPTY',
  'MULTIPOINT (1 2, 3 4)',
  'MULTILINESTRING ((1 2, 3 4), (5 6, 7 8))',
  'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (1 2, 3 4))',
])('%s is packed, followed by another geometry', (wkt) => {
  const [straight, decoded] = [new FeaturePacker(0, false), new FeaturePacker(0, false)];
  const pack = createWkbPacker(straight);
  const geometries = [decodeWkt(wkt), decodeWkt('LINESTRING (8 9, 10 11)')];

  for (const geometry of geometries) {
    straight.startFeature('');
    // Surrounded by other bytes, as in real results.
    const [before, wkb] = [Buffer.alloc(3, 1), encodeWkb(geometry)];
    const bytes = new Uint8Array(Buffer.concat([before, wkb, Buffer.alloc(7, 2)]));
    pack(bytes, new DataView(bytes.buffer), before.length, wkb.length, 0);
    decoded.startFeature('');
    decoded.addGeometry(geometry, 0);
  }

  expect(straight.flush()).toEqual(decoded.flush());
});

test.each([
  ['that ends too early', -1],
  ['with trailing bytes', 1],
])('a geometry %s is rejected without partial output', (_, more) => {
  const packer = new FeaturePacker(0, false);
  const bytes = Buffer.from(encodeWkb(decodeWkt(`MULTIPOLYGON ((${square}), (${square}))`)));
  const changed = more < 0 ? bytes.subarray(0, bytes.length + more) : Buffer.concat([bytes, Buffer.alloc(more)]);
  packer.startFeature('');

  const sent = new Uint8Array(changed);
  expect(() => createWkbPacker(packer)(sent, new DataView(sent.buffer), 0, sent.length, 0)).toThrow();

  expect(packer.flush().shapes).toHaveLength(0);
});
