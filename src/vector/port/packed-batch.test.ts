import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoint } from '../../../test/support/code-points.ts';
import { type Dimension, type Geometry, geometryTypes } from '../../geometry/geometry.ts';
import { BatchPacker, listTransferables, type PackedBatch, unpackBatch } from './packed-batch.ts';
import type { Feature, Value } from './port.ts';

const runs = { numRuns: Number(process.env['FUZZ_RUNS'] ?? 300) };

/** Returns the batch as the other thread receives it. */
function sent(batch: PackedBatch): PackedBatch {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(batch, listTransferables(batch));
  const received = receiveMessageOnPort(port2);
  port1.close();
  return received?.message;
}

const crossed = (features: readonly Feature[], packer = new BatchPacker()): readonly Feature[] =>
  unpackBatch(sent(packer.pack(features)));

const wholeNumbers = fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 4 });
const geometries: fc.Arbitrary<Geometry> = fc.letrec<{ geometry: Geometry }>((tie) => ({
  geometry: fc
    .record({
      type: fc.constantFrom(...geometryTypes.filter((type) => type !== 'Geometry')),
      dimension: fc.constantFrom<Dimension>('XY', 'XYZ', 'XYM', 'XYZM'),
      ordinates: fc.array(fc.double(), { maxLength: 12 }).map((list) => Float64Array.from(list)),
      ends: wholeNumbers,
      parts: wholeNumbers,
      members: fc.option(fc.array(tie('geometry'), { maxLength: 2 }), { nil: undefined, depthSize: 'small' }),
    })
    .map(({ members, ...geometry }) => (members === undefined ? geometry : { ...geometry, members })),
})).geometry;

const texts = fc.string({ unit: codePoint });
/** Includes unpaired surrogates, which only UTF-16 can represent. */
const anyText = fc.oneof(
  texts,
  fc.array(fc.nat({ max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
);
const bytes = fc.uint8Array({ maxLength: 20 });

/** A column has values of one type or of any type. */
const columns: readonly fc.Arbitrary<Value | Geometry>[] = [
  fc.constant(null),
  fc.double(),
  fc.integer(),
  anyText,
  fc.boolean(),
  fc.date({ noInvalidDate: false }),
  fc.bigInt(),
  bytes,
  geometries,
];
const anyValue = fc.oneof(...columns);
const anyColumn = fc.oneof(fc.constantFrom(...columns), fc.constant(anyValue));

const batches: fc.Arbitrary<readonly Feature[]> = fc
  .record({ types: fc.array(anyColumn, { maxLength: 5 }), hasNulls: fc.boolean(), hasKeys: fc.boolean() })
  .chain(({ types, hasNulls, hasKeys }) =>
    fc.array(
      fc.record({
        id: anyText,
        values: fc.tuple(...types.map((type) => (hasNulls ? fc.option(type, { nil: null }) : type))),
        ...(hasKeys ? { key: anyText } : {}),
      }),
      { maxLength: 6 },
    ),
  );

describe('packed batches', () => {
  test('are unpacked to the same features in another thread', () => {
    fc.assert(
      fc.property(batches, (features) => {
        expect(crossed(features)).toEqual(features);
      }),
      runs,
    );
  });

  test('preserve negative zero', () => {
    const [feature] = crossed([{ id: 'a', values: [-0, 0] }]);

    expect(Object.is(feature?.values[0], -0)).toBe(true);
    expect(Object.is(feature?.values[1], -0)).toBe(false);
  });

  test('are packed in full after a smaller batch', () => {
    const many = Array.from(
      { length: 500 },
      (_, index): Feature => ({
        id: `parcels.${index}`,
        values: [
          index % 3 === 0 ? null : line(index % 40),
          index % 2 === 0 ? index : null,
          `Parcel ${index}`,
          index % 5 === 0 ? new Date(index) : null,
        ],
      }),
    );
    const packer = new BatchPacker();

    expect(crossed(many.slice(0, 1), packer)).toEqual(many.slice(0, 1));
    expect(crossed(many, packer)).toEqual(many);
    expect(crossed(many.slice(0, 2), packer)).toEqual(many.slice(0, 2));
  });

  test('copy features with nested content, without the source document', () => {
    const name = { prefix: 'gml', uri: 'http://www.opengis.net/gml', local: 'name' };
    const content = { name, id: 'a', children: [{ name, value: 'A', children: [], attributes: [] }], attributes: [] };
    const document = { first: () => null, all: () => [], nested: () => [] };

    expect(crossed([{ id: 'a', values: ['A'], content, document }])).toEqual([{ id: 'a', values: ['A'], content }]);
    expect(crossed([{ id: 'a', values: ['A'], document }])).toEqual([{ id: 'a', values: ['A'] }]);
  });

  test('contain a part of a large buffer without the rest', () => {
    const [feature] = crossed([{ id: 'a', values: [Buffer.alloc(8_192, 7).subarray(10, 13)] }]);
    const value = feature?.values[0];

    expect(value).toEqual(Uint8Array.of(7, 7, 7));
    expect(value instanceof Uint8Array && value.buffer.byteLength).toBe(3);
  });
});

function line(positions: number): Geometry {
  const ordinates = Float64Array.from({ length: positions * 2 }, (_, index) => index / 8);
  return { type: 'LineString', dimension: 'XY', ordinates, ends: [positions], parts: [] };
}
