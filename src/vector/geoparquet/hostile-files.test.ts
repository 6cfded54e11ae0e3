/** Damaged files are reported as such: they end neither the thread nor the server, and need no unusual memory. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '../../lib/problems/problem.ts';
import { decodeValues } from './decode-values.ts';
import { openGeoparquetFile } from './geoparquet-source.ts';
import { decodeRuns } from './hybrid-runs.ts';

const fixtures = new URL('../../../test/fixtures/geoparquet/', import.meta.url).pathname;
const never = new AbortController().signal;
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 300);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graticule-hostile-'));
});
afterAll(() => rm(folder, { recursive: true }));

const noFile = { name: 'none', sizeBytes: 0, version: '', readInto: async () => {}, close: async () => {} };

/** Describes and reads a file; returns the code of the problem, or the number of features. */
async function readBytes(bytes: Uint8Array, name: string): Promise<string | number> {
  const path = join(folder, `${name}.parquet`);
  await writeFile(path, bytes);
  const source = openGeoparquetFile(path);
  try {
    await source.describe(name, never);
    let count = 0;
    for await (const batch of source.read(name, {}, never)) count += batch.length;
    return count;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

test.for(['areas-zstd', 'native-multipolygon', 'all-types', 'all-types-v2'])(
  'a damaged copy of %s is a problem or is read, but never an internal error',
  { timeout: 120_000 },
  async (name) => {
    const whole = await readFile(join(fixtures, `${name}.parquet`));
    const outcomes = new Set<string | number>();
    let run = 0;

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 0, max: 255 })), {
          minLength: 1,
          maxLength: 4,
        }),
        async (changes) => {
          const bytes = Uint8Array.from(whole);
          for (const [place, value] of changes) bytes[Math.floor(place * bytes.length)] = value;
          run += 1;
          outcomes.add(await readBytes(bytes, `damaged-${name}-${run}`));
        },
      ),
      { numRuns: RUNS },
    );

    expect([...outcomes].filter((each) => typeof each === 'string' && !each.startsWith('vector-file-'))).toEqual([]);
  },
);

test.for([0, 1, 8, 11, 12, 100, 5_000])('a file that is cut after %i bytes is malformed', async (length) => {
  const whole = await readFile(join(fixtures, 'all-types.parquet'));

  expect(await readBytes(whole.subarray(0, length), 'cut')).toBe('vector-file-malformed');
});

test('a footer that exceeds the file is malformed, and one over the limit is unsupported', async () => {
  const tail = (size: number) => Buffer.from([...Buffer.from(Uint32Array.of(size).buffer), ...Buffer.from('PAR1')]);

  expect(await readBytes(Buffer.concat([Buffer.from('PAR1'), tail(1_000)]), 'short')).toBe('vector-file-malformed');
  expect(await readBytes(Buffer.concat([Buffer.alloc(17_000_000), tail(16_900_000)]), 'long')).toBe(
    'vector-file-unsupported',
  );
});

test('an encrypted file is reported as such', async () => {
  expect(await readBytes(Buffer.from('PARE00000000PARE'), 'encrypted')).toBe('vector-file-unsupported');
});

test('runs of levels never exceed their target', () => {
  const target = new Uint8Array(5);
  // One run of 2^27 times the value 3.
  decodeRuns(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x01, 3), { start: 0, end: 6, width: 2 }, target);

  expect([...target]).toEqual([3, 3, 3, 3, 3]);
  for (const bytes of [[], [0x80], [0], [1], [3], [2], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]]) {
    const input = Uint8Array.from(bytes);
    expect(() => decodeRuns(input, { start: 0, end: input.length, width: 2 }, new Uint8Array(5))).toThrow(RangeError);
  }
});

test('values that are longer than their page reserve no memory', () => {
  const element = { name: 'a', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 8_000 } as const;
  const leaf = {
    ...{ index: 0, path: ['a'], element, maxDefinition: 0, maxRepetition: 0 },
    itemLevels: [],
    presentFrom: 0,
  };
  const values = { encoding: 'BYTE_STREAM_SPLIT', leaf, count: 1_000_000 };

  expect(() => decodeValues(noFile, new Uint8Array(1_000_000), values)).toThrow('The values exceed the page.');
});

test.for([
  ['a decimal of a column with fractions', 'DOUBLE', 'INT_32', 1.5],
  ['a decimal with thousands of bytes', 'BYTE_ARRAY', 'UTF8', 'x'.repeat(5_000)],
] as const)('%s is malformed', async ([, type, converted, value]) => {
  const bytes = Buffer.from(
    parquetWriteBuffer({
      columnData: [{ name: 'a', data: [value] }],
      schema: [
        { name: 'root', num_children: 1 },
        { name: 'a', type, converted_type: converted, repetition_type: 'REQUIRED' },
      ],
    }),
  );
  // The name, and the field with the number of the converted type, of which 5 is DECIMAL.
  const field = Buffer.from([0x18, 1, 0x61, 0x25]);
  bytes[bytes.indexOf(field) + field.length] = 2 * 5;

  expect(await readBytes(bytes, 'number')).toBe('vector-file-malformed');
});
