import { execFileSync } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { partsContent, type ShapefileBytes, shapefileBytes } from '../../../test/support/shapefile-bytes.ts';
import { useShapefileSources } from '../../../test/support/shapefile-sources.ts';
import { describeType, readAllFeatures } from '../../../test/support/vector-reading.ts';
import { openShapefile, openShapefileDirectory } from './shapefile-source.ts';

const { folder, lastPath, source } = useShapefileSources();
const never = new AbortController().signal;
const square = [0, 0, 0, 4, 4, 4, 4, 0, 0, 0];
const hole = [1, 1, 2, 1, 2, 2, 1, 2, 1, 1];

describe('damaged shapefiles', () => {
  const whole = shapefileBytes({
    type: 5,
    records: [partsContent(5, [square, hole]), partsContent(5, [square])],
    bounds: [0, 0, 4, 4],
    table: { fields: [{ name: 'name', type: 'C', width: 5 }], rows: [{ values: ['one'] }, { values: ['two'] }] },
  });
  const changed = (extension: string, change: (bytes: Buffer) => unknown): ShapefileBytes => {
    const bytes = Buffer.from(whole[extension] ?? []);
    const result = change(bytes);
    return { ...whole, [extension]: result instanceof Buffer ? result : bytes };
  };

  test.for([
    { extension: 'shp', length: 99, message: /it\.shp.*is truncated.*ends at byte 99/ },
    { extension: 'shp', length: 300, message: /it\.shp.*is truncated.*ends at byte 300/ },
    { extension: 'shx', length: 50, message: /it\.shx.*is truncated.*ends at byte 50/ },
    { extension: 'shx', length: 110, message: /it\.shx.*is truncated.*ends at byte 110/ },
    { extension: 'dbf', length: 20, message: /it\.dbf.*is truncated.*ends at byte 20/ },
    { extension: 'dbf', length: 40, message: /it\.dbf.*is truncated.*ends at byte 40/ },
    { extension: 'dbf', length: 70, message: /it\.dbf.*is truncated.*ends at byte 70/ },
  ])(
    'a .$extension truncated after $length bytes is reported with the position',
    async ({ extension, length, message }) => {
      const it = await source(changed(extension, (bytes) => bytes.subarray(0, length)));

      await expect(describeType(it, 'it')).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(message),
      });
    },
  );

  test('a truncated .shp is detected through the index even if its header is plausible', async () => {
    const it = await source(
      changed('shp', (bytes) => {
        bytes.writeInt32BE(150, 24);
        return bytes.subarray(0, 300);
      }),
    );

    await expect(describeType(it, 'it')).rejects.toMatchObject({ code: 'vector-file-truncated', status: 400 });
  });

  test('a truncated .shp is detected without an index', async () => {
    const { shx: _, ...files } = changed('shp', (bytes) => {
      bytes.writeInt32BE(150, 24);
      return bytes.subarray(0, 310);
    });

    await expect(describeType(await source(files), 'it')).rejects.toMatchObject({ code: 'vector-file-truncated' });
  });

  test.for<[string, number, (bytes: Buffer) => void]>([
    ['shp', 0, (bytes) => bytes.writeInt32BE(1, 0)],
    ['shp', 32, (bytes) => bytes.writeInt32LE(7, 32)],
    ['shx', 100, (bytes) => bytes.writeInt32BE(10, 100)],
    ['shx', 108, (bytes) => bytes.copy(bytes, 108, 100, 108)],
    ['dbf', 8, (bytes) => bytes.writeUInt16LE(3, 8)],
    ['dbf', 10, (bytes) => bytes.writeUInt16LE(2, 10)],
  ])('a .%s with an invalid value at byte %i is rejected when it is described', async ([extension, offset, change]) => {
    const it = await source(changed(extension, change));

    await expect(describeType(it, 'it')).rejects.toMatchObject({
      code: 'vector-file-malformed',
      details: { file: `it.${extension}`, offset },
    });
  });

  test.for<[string, (bytes: Buffer) => void]>([
    ['with another type than the file', (bytes) => bytes.writeInt32LE(3, 108)],
    ['with more parts than it has room for', (bytes) => bytes.writeUInt32LE(4_000_000_000, 144)],
    ['with more points than it has room for', (bytes) => bytes.writeUInt32LE(4_000_000_000, 148)],
    ['whose first part does not begin at the first point', (bytes) => bytes.writeInt32LE(3, 152)],
    ['whose parts end after the points', (bytes) => bytes.writeInt32LE(30, 156)],
    ['shorter than a shape', (bytes) => bytes.writeInt32BE(1, 104)],
    ['shorter than its counts', (bytes) => bytes.writeInt32BE(19, 104)],
  ])('a record %s is refused when it is read', async ([, change]) => {
    const it = await source(changed('shp', change));

    await expect(readAllFeatures(it, 'it')).rejects.toMatchObject({
      code: 'vector-file-malformed',
      details: { file: 'it.shp', offset: 100 },
    });
  });

  test('records that exceed the file are rejected, however often the index refers to them', async () => {
    const it = await source(
      changed('shx', (bytes) => {
        bytes.writeInt32BE(0, 104);
        bytes.copy(bytes, 108, 100, 108);
        bytes.writeInt32BE(66, 24);
        return Buffer.concat([bytes, bytes.subarray(100, 108), bytes.subarray(100, 108)]);
      }),
    );

    await expect(readAllFeatures(it, 'it')).rejects.toMatchObject({ message: expect.stringContaining('overlap') });
  });

  test('a file that shrinks while it is read is reported', async () => {
    const records = Array.from({ length: 40_000 }, () => partsContent(3, [[0, 0, 1, 1, 2, 2, 3, 3]]));
    const it = await source({ type: 3, records });
    const path = lastPath();
    const iterator = it.read('it', {}, never)[Symbol.asyncIterator]();
    await iterator.next();

    await truncate(path, 10_000);

    const rest = async (): Promise<void> => {
      while (!(await iterator.next()).done);
    };
    await expect(rest()).rejects.toMatchObject({ code: 'vector-file-truncated' });
  });

  test('a missing file and a directory in its place are reported', async () => {
    const missing = openShapefile({ path: join(folder, 'missing.shp') });
    const directory = openShapefile({ path: folder });

    await expect(missing.describe('missing', never)).rejects.toMatchObject({
      code: 'vector-file-missing',
      message: "The file 'missing.shp' does not exist.",
    });
    const [{ name } = { name: '' }] = await directory.listTypes(never);
    await expect(directory.describe(name, never)).rejects.toMatchObject({ code: 'vector-file-unreadable' });
    await expect(openShapefileDirectory({ directory: join(folder, 'nowhere') }).listTypes(never)).rejects.toMatchObject(
      {
        code: 'vector-file-missing',
      },
    );
  });

  test.skipIf(process.platform === 'win32')('a named pipe in place of a file does not block', async () => {
    const path = join(folder, 'pipe.shp');
    execFileSync('mkfifo', [path]);

    await expect(openShapefile({ path }).describe('pipe', never)).rejects.toMatchObject({
      code: 'vector-file-unreadable',
    });
  });

  test('an unknown encoding is rejected with and without a table', async () => {
    await expect(describeType(await source(whole, 'KLINGON-8'), 'it')).rejects.toMatchObject({
      code: 'charset-unknown',
      status: 400,
    });
    const { dbf: _, ...withoutTable } = whole;
    await expect(describeType(await source(withoutTable, 'KLINGON-8'), 'it')).rejects.toMatchObject({
      code: 'charset-unknown',
    });
  });
});
