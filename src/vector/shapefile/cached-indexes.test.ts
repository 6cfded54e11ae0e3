import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  nullContent,
  partsContent,
  pointContent,
  shapefileBytes,
  writeShapefile,
} from '../../../test/support/shapefile-bytes.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, snapshot, writeShapefiles } from '../../../test/support/vector-samples.ts';
import type { Bounds } from '../../crs/bounds.ts';
import { type IndexFolder, openIndexFolder } from '../port/index-folder.ts';
import { queryFeatures } from '../query/query-features.ts';
import { packRecords } from './pack-records.ts';
import { unpackIndex } from './record-index.ts';
import { openShapefile } from './shapefile-source.ts';

const folder = useTemporaryFolder('indexes');
const never = new AbortController().signal;
let made = 0;

/** Creates a folder for data and one for indexes. */
async function places(): Promise<{ readonly data: string; readonly indexes: string }> {
  made += 1;
  const [data, indexes] = [join(folder, `data-${made}`), join(folder, `indexes-${made}`)];
  await mkdir(data);
  return { data, indexes };
}

const points = (...xs: readonly number[]) => shapefileBytes({ type: 1, records: xs.map((x) => pointContent(x, 0)) });

interface RunOptions {
  readonly maxBytes?: number;
  readonly now?: Date;
}

/** Returns what a newly started server finds in a box, and how many indexes it built. */
async function run(
  path: string,
  indexes: string,
  { maxBytes = 1_000_000, now = new Date(1_000_000) }: RunOptions = {},
) {
  const opened = openIndexFolder({ folder: indexes, maxBytes, now: () => now });
  let built = 0;
  const counting: IndexFolder = {
    ...opened,
    async write(file, index) {
      built += 1;
      await opened.write(file, index);
    },
  };
  const source = openShapefile({ path, indexFolder: counting });
  const description = await source.describe('it', never);
  if (description === undefined) throw new Error('The type does not exist.');
  const box = { minX: 2, minY: -1, maxX: 3, maxY: 1 };
  const ids: string[] = [];
  for await (const batch of (await queryFeatures({ source, description }, { box }, never)).batches)
    ids.push(...batch.map(({ id }) => id));
  await source.close();
  return { ids, built };
}

const indexesIn = async (indexes: string) => (await readdir(indexes)).map((name) => join(indexes, name));

async function onlyIndex(indexes: string): Promise<string> {
  const [only = '', ...others] = await indexesIn(indexes);
  expect(others).toEqual([]);
  return only;
}

describe('shapefile index', () => {
  test('is built once and reused by servers that start later', async () => {
    const { data, indexes } = await places();
    const path = await writeShapefile(data, 'it', points(1, 2, 3, 4));

    const runs = [await run(path, indexes), await run(path, indexes), await run(path, indexes)];

    expect(runs.map(({ built }) => built)).toEqual([1, 0, 0]);
    expect(runs.map(({ ids }) => ids)).toEqual([
      ['it.2', 'it.3'],
      ['it.2', 'it.3'],
      ['it.2', 'it.3'],
    ]);
  });

  test('is stored outside the data folder', async () => {
    const { data, indexes } = await places();
    const path = await writeShapefile(data, 'it', points(1, 2, 3));
    const before = await snapshot(data);

    await run(path, indexes);

    expect(await snapshot(data)).toEqual(before);
    expect(await readdir(indexes)).toHaveLength(1);
  });

  test('is replaced when the file changes', async () => {
    const { data, indexes } = await places();
    const path = await writeShapefile(data, 'it', points(1, 2, 3));
    await run(path, indexes);
    await writeShapefile(data, 'it', points(3, 2, 1, 2));
    await utimes(path, 5, 5);

    expect(await run(path, indexes)).toEqual({ ids: ['it.1', 'it.2', 'it.4'], built: 1 });
    await onlyIndex(indexes);
  });

  test('is rebuilt if it is damaged at any position', async () => {
    const { data, indexes } = await places();
    const path = await writeShapefile(data, 'it', points(1, 2, 3));
    const sound = await run(path, indexes);
    const index = await onlyIndex(indexes);
    const bytes = await readFile(index);

    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      await writeFile(index, damaged);
      expect(await run(path, indexes), `byte ${at}`).toEqual(sound);
    }
  });

  test('is rebuilt if it is truncated, too long, empty or a foreign file', async () => {
    const { data, indexes } = await places();
    const path = await writeShapefile(data, 'it', points(1, 2, 3));
    const sound = await run(path, indexes);
    const index = await onlyIndex(indexes);
    const bytes = await readFile(index);

    for (const content of [
      bytes.subarray(0, bytes.length - 1),
      bytes.subarray(0, 20),
      Buffer.concat([bytes, Buffer.alloc(4)]),
      Buffer.alloc(0),
      Buffer.from('Not an index at all, but a text.'),
    ]) {
      await writeFile(index, content);
      expect(await run(path, indexes)).toEqual(sound);
    }
  });

  test('is not used for another file', async () => {
    const { data, indexes } = await places();
    const one = await writeShapefile(data, 'it', points(1, 2, 3));
    await run(one, indexes);
    const foreign = await readFile(await onlyIndex(indexes));
    await mkdir(join(data, 'other'));
    const other = await writeShapefile(join(data, 'other'), 'it', points(3, 3, 3));
    await run(other, indexes);
    for (const index of await indexesIn(indexes)) await writeFile(index, foreign);

    expect((await run(other, indexes)).ids).toEqual(['it.1', 'it.2', 'it.3']);
  });

  test('is optional: without a writable cache it is built each time', async () => {
    const { data, indexes } = await places();
    const path = await writeShapefile(data, 'it', points(1, 2, 3));
    await writeFile(indexes, 'A file where the folder should be.');

    expect(await run(path, indexes)).toEqual({ ids: ['it.2', 'it.3'], built: 1 });
    expect(await run(path, indexes)).toEqual({ ids: ['it.2', 'it.3'], built: 1 });
  });

  test('is deleted with its file, together with unfinished files of a killed server', async () => {
    const { data, indexes } = await places();
    const path = await writeShapefile(data, 'it', points(1, 2, 3));
    await run(path, indexes);
    await writeFile(join(indexes, 'unfinished'), 'Half of an ind');
    await rm(path);

    await openIndexFolder({ folder: indexes, maxBytes: 1_000_000, now: () => new Date(0) }).prune();

    expect(await readdir(indexes)).toEqual([]);
  });

  test('is deleted if the cache is full, least recently used first', async () => {
    const { data, indexes } = await places();
    const at = async (name: string, now: number, maxBytes?: number) => {
      await mkdir(join(data, name), { recursive: true });
      const path = join(data, name, 'it.shp');
      const isThere = await stat(path).then(
        () => true,
        () => false,
      );
      if (!isThere) await writeShapefile(join(data, name), 'it', points(1, 2, 3));
      return run(path, indexes, { now: new Date(now), ...(maxBytes === undefined ? {} : { maxBytes }) });
    };
    await at('one', 1_000);
    const { size } = await stat(await onlyIndex(indexes));
    await at('two', 2_000);
    await at('one', 3_000);

    await at('six', 4_000, size * 2 + 8);

    expect(await at('one', 5_000)).toMatchObject({ built: 0 });
    expect(await at('two', 6_000)).toMatchObject({ built: 1 });
  });

  test('finds records anywhere, in file order', async () => {
    const side = fc.integer({ min: 0, max: 40 });
    const boxes = fc.tuple(side, side, fc.nat(5), fc.nat(5));
    const absent = fc.constant(undefined);

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 9, arbitrary: boxes }, absent), { maxLength: 300 }),
        boxes,
        async (list, asked) => {
          const around = ([x, y, width, height]: typeof asked): Bounds => ({
            ...{ minX: x, minY: y, maxX: x + width, maxY: y + height },
          });
          const meets = (a: Bounds, b: Bounds) =>
            a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;
          const packed = await packRecords({
            positions: Uint32Array.from(list, (_, index) => 50 + index),
            boxes: Float32Array.from(
              list.flatMap((each) => (each === undefined ? [NaN, NaN, NaN, NaN] : Object.values(around(each)))),
            ),
          });

          const index = unpackIndex(packed);
          const found = index?.findInBoxes([around(asked)]);

          const expected = list.flatMap((each, at) =>
            each !== undefined && meets(around(each), around(asked)) ? [at + 1] : [],
          );
          expect([...(found?.listAfter(0) ?? [])]).toEqual(expected);
          expect([...(found?.listAfter(7) ?? [])]).toEqual(expected.filter((each) => each > 7));
          expect([...(found?.listBefore(1_000) ?? [])]).toEqual(expected.toReversed());
          expect([...(found?.listBefore(9) ?? [])]).toEqual(expected.filter((each) => each < 9).reverse());
          expect(list.map((_, at) => index?.getPosition(at + 1))).toEqual(list.map((_, at) => (50 + at) * 2));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('supports records without a shape and records at the same position', async () => {
    const { data, indexes } = await places();
    const line = (x: number) => partsContent(3, [[x, 0, x, 0]]);
    const records = [nullContent, line(2), line(2), nullContent, line(9)];
    const path = await writeShapefile(data, 'it', shapefileBytes({ type: 3, records }));

    expect((await run(path, indexes)).ids).toEqual(['it.2', 'it.3']);
    expect((await run(path, indexes)).ids).toEqual(['it.2', 'it.3']);
  });
});

describe('server with an external shapefile', () => {
  const askFor = (server: TestServer) =>
    server.get(
      '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=acme:sites&outputFormat=application/json&bbox=9,49,11,51,CRS:84',
    );

  test('stores the index in the data directory and reuses it after a restart', async () => {
    const dataDir = join(folder, 'server');
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await writeShapefiles(outside, { sites: pointShapefile() });
    const before = await snapshot(outside);
    const first = await startTestServer({ dataDir });
    await first.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await first.put('/workspaces/acme/datastores/sites/external.shp', `file:${outside}/sites.shp`, {
      type: 'text/plain',
    });
    const isDry = await first.put(
      '/workspaces/acme/datastores/more/external.shp?dryRun=true',
      `file:${outside}/sites.shp`,
      { type: 'text/plain' },
    );
    expect(isDry.status).toBe(201);
    expect(await readdir(dataDir)).not.toContain('record-indexes');
    const found = (await askFor(first)).json() as { features: readonly unknown[] };
    await first.close();
    const index = await stat(await onlyIndex(join(dataDir, 'record-indexes')));

    const second = await startTestServer({ dataDir });
    const again = (await askFor(second)).json() as { features: readonly unknown[] };
    await second.close();

    expect(again.features).toEqual(found.features);
    expect(found.features).not.toEqual([]);
    // A rebuilt index would be another file.
    expect((await stat(await onlyIndex(join(dataDir, 'record-indexes')))).ino).toBe(index.ino);
    expect(await snapshot(outside)).toEqual(before);
  });
});
