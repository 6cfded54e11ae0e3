/** Damaged files are reported as such: they end neither the thread nor the server, and need no unusual memory. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { encodeFlatgeobuf, readFlatgeobuf, removeIndex } from '../../../test/support/flatgeobuf-files.ts';
import { FlatWriter } from '../../formats/flatgeobuf/flat-message.ts';
import { createOrdinateBlocks } from '../../geometry/ordinate-blocks.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { FlatTable } from './flat-table.ts';
import { readGeometry } from './geometry-message.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 300);

let indexed: Buffer;
let unindexed: Buffer;
beforeAll(async () => {
  indexed = await encodeFlatgeobuf({
    attributes: [geometryColumn('Geometry', 'EPSG:25832'), column('name', 'string'), column('number', 'long')],
    rows: Array.from({ length: 40 }, (_, x) => [
      wkt(x % 2 === 0 ? `POINT (${x} 1)` : `MULTIPOLYGON (((${x} 0, ${x} 1, 9 9, ${x} 0)), ((0 0, 1 1, 1 0, 0 0)))`),
      `place ${x}`,
      x,
    ]),
  });
  unindexed = removeIndex(indexed, false);
});

async function readOutcome(bytes: Uint8Array): Promise<string | number> {
  try {
    return (await readFlatgeobuf(bytes)).features.length;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

test.for(['indexed', 'unindexed'] as const)(
  'a damaged copy of an %s file is a problem or is read, but never an internal error',
  { timeout: 120_000 },
  async (kind) => {
    const whole = kind === 'indexed' ? indexed : unindexed;
    const outcomes = new Set<string | number>();
    const place = fc.double({ min: 0, max: 0.999, noNaN: true });

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(place, fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const bytes = Uint8Array.from(whole);
          for (const [at, value] of changes) bytes[Math.floor(at * bytes.length)] = value;
          outcomes.add(await readOutcome(bytes));
        },
      ),
      { numRuns: RUNS },
    );

    expect([...outcomes].filter((each) => typeof each === 'string' && !each.startsWith('vector-file-'))).toEqual([]);
  },
);

test.for([0, 1, 7, 8, 11, 12, 60])('a file that is cut after %i bytes is malformed', async (length) => {
  expect(await readOutcome(indexed.subarray(0, length))).toBe('vector-file-malformed');
});

test('a file that ends within a feature is truncated', async () => {
  expect(await readOutcome(indexed.subarray(0, -1))).toBe('vector-file-truncated');
  expect(await readOutcome(unindexed.subarray(0, -1))).toBe('vector-file-truncated');
});

test('a header with more features than the file can contain is malformed', async () => {
  const bytes = Buffer.from(indexed);
  const root = 12 + bytes.readUInt32LE(12);
  const layout = root - bytes.readInt32LE(root);
  bytes.writeBigUInt64LE(2n ** 40n, root + bytes.readUInt16LE(layout + 4 + 8 * 2));

  expect(await readOutcome(bytes)).toBe('vector-file-malformed');
});

test('a small message whose parts are all the same bytes is not a large geometry', () => {
  const ring = { kind: 'doubles', value: Array.from({ length: 2_000 }, (_, index) => index) } as const;
  const message = new FlatWriter().writeMessage([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    { kind: 'byte', value: 6 },
    { kind: 'tables', value: [[undefined, ring], ...Array.from({ length: 300 }, () => [] as const)] },
  ]);
  const bytes = message.subarray(4);
  const root = bytes.readUInt32LE(0);
  const layout = root - bytes.readInt32LE(root);
  const field = root + bytes.readUInt16LE(layout + 4 + 7 * 2);
  const list = field + bytes.readUInt32LE(field);
  const first = list + 4 + bytes.readUInt32LE(list + 4);
  for (let index = 1; index <= 300; index += 1) {
    const entry = list + 4 + index * 4;
    bytes.writeUInt32LE(first - entry, entry);
  }
  const form = { type: undefined, dimension: 'XY' } as const;

  expect(() => readGeometry(FlatTable.readRoot(bytes), form, bytes.length, createOrdinateBlocks())).toThrow(
    'a geometry contains the same positions repeatedly',
  );
});
