/** Checks that shapefiles with random byte changes are read or rejected with a reason. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  multiPointContent,
  nullContent,
  partsContent,
  pointContent,
  type ShapefileBytes,
  shapefileBytes,
  writeShapefile,
} from '../../../test/support/shapefile-bytes.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { readAllFeatures } from '../../../test/support/vector-reading.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { openShapefile } from './shapefile-source.ts';

const CASES = Number(process.env['SHAPEFILE_FUZZ_CASES'] ?? 800);
const folder = useTemporaryFolder('shapefile-fuzz');
const never = new AbortController().signal;

const square = [0, 0, 0, 4, 4, 4, 4, 0, 0, 0];
const hole = [1, 1, 2, 1, 2, 2, 1, 2, 1, 1];
const heights = (count: number): readonly number[] => Array.from({ length: count * 2 + 4 }, (_, index) => index);

const table = {
  fields: [
    { name: 'text', type: 'C', width: 8 },
    { name: 'number', type: 'N', width: 9 },
    { name: 'decimal', type: 'N', width: 12, decimals: 4 },
    { name: 'day', type: 'D', width: 8 },
    { name: 'flag', type: 'L', width: 1 },
    { name: 'moment', type: 'T', width: 8 },
  ],
  rows: [
    { values: ['text', '       42', '     12.5', '20200229', 'T', Buffer.from([0x8c, 0x3d, 0x25, 0, 1, 2, 3, 0])] },
    { values: ['Zürich', '', '', '', '?'], deleted: true },
    { values: ['東京', '-1', '1e3', '00000000', 'F'] },
  ],
  languageDriver: 0x57,
};

const corpus: readonly ShapefileBytes[] = [
  shapefileBytes({ type: 1, records: [pointContent(1, 2), nullContent, pointContent(3, 4)], table, cpg: 'UTF-8' }),
  shapefileBytes({ type: 11, records: [pointContent(1, 2, 3, 4), nullContent], bounds: [0, 0, 0, 0], table }),
  shapefileBytes({ type: 5, records: [partsContent(5, [square, hole]), partsContent(5, [square])], table }),
  shapefileBytes({ type: 15, records: [partsContent(15, [square, hole], heights(10))], bounds: [9, 9, 0, 0] }),
  shapefileBytes({
    type: 3,
    records: [
      partsContent(3, [
        [0, 0, 1, 1],
        [5, 5, 6, 6],
      ]),
    ],
    withoutIndex: true,
    table,
  }),
  shapefileBytes({ type: 23, records: [partsContent(23, [[0, 0, 1, 1]], [0, 9, 5, 6])], table }),
  shapefileBytes({ type: 18, records: [multiPointContent(18, [1, 2, 3, 4], heights(2))], table }),
];

interface Mutation {
  /** The index of the file, the relative position from 0 to 1, and the change. */
  readonly file: number;
  readonly place: number;
  readonly kind: 'byte' | 'large' | 'small' | 'cut' | 'repeat' | 'insert';
  readonly value: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  file: fc.nat(),
  place: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 0.2, noNaN: true })),
  kind: fc.constantFrom('byte', 'large', 'small', 'cut', 'repeat', 'insert'),
  value: fc.nat(),
});

function mutated(files: ShapefileBytes, { file, place, kind, value }: Mutation): ShapefileBytes {
  const names = Object.keys(files).filter((name) => ['shp', 'shx', 'dbf'].includes(name));
  const name = names[file % names.length] ?? 'shp';
  const bytes = Buffer.from(files[name] ?? []);
  const at = Math.min(Math.floor(place * bytes.length), Math.max(bytes.length - 4, 0));
  if (bytes.length < 4) return files;
  switch (kind) {
    case 'byte':
      bytes.writeUInt8(value % 256, at);
      return { ...files, [name]: bytes };
    case 'large':
      bytes.writeUInt32LE((value * 2_654_435_761) % 4_294_967_296, at);
      return { ...files, [name]: bytes };
    case 'small':
      bytes.writeInt32BE((value % 40) - 20, at);
      return { ...files, [name]: bytes };
    case 'cut':
      return { ...files, [name]: bytes.subarray(0, at) };
    case 'repeat':
      return { ...files, [name]: Buffer.concat([bytes, bytes.subarray(at)]) };
    case 'insert':
      return { ...files, [name]: Buffer.concat([bytes.subarray(0, at), Buffer.alloc(value % 9), bytes.subarray(at)]) };
  }
}

test(`${CASES} mutated shapefiles are described and read, or rejected`, async () => {
  let number = 0;
  let read = 0;
  let refused = 0;
  await mkdir(join(folder, 'cases'));

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...corpus),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async (files, mutations) => {
        number += 1;
        const name = `case${number}`;
        const path = await writeShapefile(join(folder, 'cases'), name, mutations.reduce(mutated, files));
        const source = openShapefile({ path });
        try {
          const description = await source.describe(name, never);
          const features = await readAllFeatures(source, name);
          const packed = await source.pack?.(name, {}, { geometries: ['the_geom'], values: [], hasIds: false }, never);
          let drawn = 0;
          for await (const { count } of packed ?? []) drawn += count;

          expect(features.length).toBeLessThanOrEqual(description?.count ?? 0);
          expect(drawn).toBe(features.length);
          read += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
          expect((error as Problem).status).toBe(400);
          expect((error as Problem).message).toContain(name);
          refused += 1;
        }
      },
    ),
    { numRuns: CASES },
  );

  // Both outcomes must be frequent, or the mutations are too strong or too weak.
  expect(Math.min(read, refused)).toBeGreaterThan(CASES / 10);
});
