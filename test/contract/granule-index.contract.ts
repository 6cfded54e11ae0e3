/** The contract of all granule indexes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GranuleIndex, MosaicIndex } from '../../src/raster/granules/port/port.ts';
import {
  change,
  draft,
  drafts,
  filterFor,
  harvest,
  listAllGranules,
  listLocations,
  never,
  oddSchema,
  type RecordedMosaic,
  waterSchema,
} from '../support/granules.ts';

export interface MosaicUnderTest {
  readonly mosaic: MosaicIndex;
  destroy(): Promise<void>;
}

export function granuleIndexContract(title: string, open: () => Promise<MosaicUnderTest>): void {
  describe(title, () => {
    let underTest: MosaicUnderTest;
    let recorded: RecordedMosaic;
    const current = (schema = waterSchema): GranuleIndex => recorded.mosaic.open(schema, recorded.version);

    beforeEach(async () => {
      underTest = await open();
      recorded = { mosaic: underTest.mosaic, version: 0 };
    });
    afterEach(async () => {
      await underTest.mosaic.drop(never);
      await underTest.mosaic.close();
      await underTest.destroy();
    });

    describe('harvested granules', () => {
      test('granules are read back unchanged, in order, each with an id', async () => {
        const triangle = {
          type: 'Polygon',
          dimension: 'XY',
          ordinates: Float64Array.of(0, 0, 4, 0, 4, 3.5, 0, 0),
          ends: [4],
          parts: [1],
        } as const;
        const full = draft(7, {
          location: `tiles/it's "ü" 100%_.nc`,
          imageindex: 3,
          footprint: triangle,
          values: {
            time: new Date('2008-11-02T01:02:03.456Z'),
            elevation: -12.75,
            'depth"s; --': 0.5,
            läuft: 9007199254740993n,
            count: -4,
            model: `Robert'); DROP TABLE "x"; -- \u{1f30d}`,
            ingestion: new Date('1950-01-01T00:00:00.000Z'),
          },
        });

        await harvest(recorded, [full, draft(1)]);

        const nothing = { 'depth"s; --': null, läuft: null, count: null, ingestion: null };
        expect(await listAllGranules(current())).toEqual([
          { id: 'watertemp.1', ...full },
          { id: 'watertemp.2', ...draft(1), values: { ...draft(1).values, ...nothing } },
        ]);
      });

      test('granules are found only by their own ids', async () => {
        await harvest(recorded, drafts(3));

        expect(await current().find('watertemp.2', never)).toMatchObject({
          id: 'watertemp.2',
          location: draft(1).location,
        });
        for (const id of [
          'watertemp.4',
          'watertemp.02',
          'watertemp.2x',
          'other.2',
          '2',
          'watertemp.',
          `watertemp.1' OR '1`,
        ]) {
          expect(await current().find(id, never), id).toBeUndefined();
        }
      });

      test('granules are read in pages', async () => {
        await harvest(recorded, drafts(30));
        const names = drafts(30).map(({ location }) => location);

        expect(await listLocations(current(), { limit: 4 })).toEqual(names.slice(0, 4));
        expect(await listLocations(current(), { limit: 4, offset: 27 })).toEqual(names.slice(27));
        expect(await listLocations(current(), { offset: 30 })).toEqual([]);
        expect(await listLocations(current(), { limit: 0 })).toEqual([]);
      });

      test('granules are read in batches, for any number of granules', async () => {
        await harvest(recorded, drafts(1_500));

        const sizes: number[] = [];
        for await (const batch of current().list({}, never)) sizes.push(batch.length);

        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_500);
        expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
      });

      test('granules are no longer read after an abort', async () => {
        await harvest(recorded, drafts(1_500));
        const given = new AbortController();

        const reading = (async () => {
          for await (const batch of current().list({}, given.signal)) {
            given.abort(new Error(`enough after ${batch.length > 0 ? 'some' : 'none'}`));
          }
        })();

        await expect(reading).rejects.toThrow('enough after some');
      });

      test('granules have summarized values: minimum, maximum and each distinct value', async () => {
        await harvest(recorded, [...drafts(10), draft(10, { values: {} })]);
        const index = current();

        expect(await index.findExtremes('time', never)).toEqual([
          new Date('2008-10-31T00:00:00Z'),
          new Date('2008-11-09T00:00:00Z'),
        ]);
        expect(await index.listDistinct('elevation', 10, never)).toEqual([0, 10, 20, 30, 40]);
        expect(await index.listDistinct('elevation', 2, never)).toEqual([0, 10]);
        expect(await index.listDistinct('model', 10, never)).toEqual(['model 0', 'model 1', 'model 2']);
        expect(await index.findExtremes('läuft', never)).toBeUndefined();
        expect(await index.listDistinct('läuft', 3, never)).toEqual([]);
      });

      test('granules are inside the extent of the coverage', async () => {
        await harvest(recorded, drafts(20));

        expect(await current().findBounds({}, never)).toEqual({ minX: 0, minY: 0, maxX: 16, maxY: 2 });
        expect(await current().findBounds({ limit: 2, offset: 3 }, never)).toEqual({
          minX: 3,
          minY: 0,
          maxX: 5,
          maxY: 1,
        });
        expect(await current().findBounds({ filter: await filterFor('elevation = 20') }, never)).toEqual({
          minX: 1,
          minY: 0,
          maxX: 13,
          maxY: 2,
        });
        expect(await current().findBounds({ filter: await filterFor('EXCLUDE') }, never)).toBeUndefined();
      });
    });

    describe('granule filter', () => {
      const cases: readonly (readonly [filter: string, count: number])[] = [
        ['INCLUDE', 100],
        ['EXCLUDE', 0],
        ['elevation = 20', 20],
        ['NOT (elevation = 20)', 80],
        ['elevation <> 20 AND elevation < 30', 40],
        ['elevation BETWEEN 10 AND 20', 40],
        ['elevation IN (10, 40)', 40],
        ['elevation / 10 = 2', 20],
        ["location = 'tiles/000007.tif'", 1],
        ["location IN ('tiles/000007.tif', 'tiles/000009.tif', 'x')", 2],
        ["location LIKE 'tiles/00001%'", 10],
        ["location ILIKE 'TILES/00001_.TIF'", 10],
        ["location NOT LIKE '%7.tif'", 90],
        ["IN ('watertemp.3', 'watertemp.5', 'nothing.1')", 2],
        ["location = 'tiles/000007.tif' OR IN ('watertemp.3')", 2],
        ["strToUpperCase(location) = 'TILES/000007.TIF'", 1],
        ['time BEFORE 2008-11-02T00:00:00Z', 2],
        ['time AFTER 2008-11-02T00:00:00Z', 97],
        ['time DURING 2008-11-01T00:00:00Z/2008-11-05T00:00:00Z', 3],
        ['time BEFORE OR DURING 2008-11-01T00:00:00Z/P2D', 3],
        ['time DURING OR AFTER P1D/2008-11-05T00:00:00Z', 95],
        ['time = 2008-11-01T00:00:00Z', 1],
        ['time TEQUALS 2008-11-01T00:00:00Z', 1],
        ["model = 'model 1' AND time BEFORE 2008-11-10T00:00:00Z", 3],
        ['count IS NULL', 100],
        ['count EXISTS', 100],
        ['BBOX(the_geom, 0.1, 0.1, 0.9, 0.9)', 1],
        ['BBOX(the_geom, 0.1, 0.1, 1.9, 1.9) AND elevation = 0', 1],
        ['INTERSECTS(the_geom, POINT(0.5 0.5))', 1],
        ['INTERSECTS(the_geom, POLYGON((0.1 0.1, 2.9 0.1, 0.1 2.9, 0.1 0.1)))', 6],
        ['WITHIN(the_geom, ENVELOPE(0, 2, 0, 2))', 4],
        ['DISJOINT(the_geom, ENVELOPE(0, 16, 0, 5))', 4],
        ['CONTAINS(the_geom, POINT(0.5 0.5))', 1],
        ['TOUCHES(the_geom, POINT(0 0))', 1],
        ['CROSSES(the_geom, LINESTRING(-1 0.5, 0.5 0.5))', 1],
        ['OVERLAPS(the_geom, ENVELOPE(0.5, 1.5, 0.2, 0.8))', 2],
        ['EQUALS(the_geom, ENVELOPE(0, 1, 0, 1))', 1],
        ["RELATE(the_geom, POINT(0.5 0.5), 'T********')", 1],
        ['DWITHIN(the_geom, POINT(-1 0.5), 1)', 1],
        ['BEYOND(the_geom, POINT(-1 0.5), 1.5)', 98],
        ['BBOX(the_geom, 0.1, 0.1, 0.9, 0.9) OR BBOX(the_geom, 3.1, 0.1, 3.9, 0.9)', 2],
        ['NOT BBOX(the_geom, 0.1, 0.1, 0.9, 0.9)', 99],
        ['BBOX(the_geom, 0, 0, 16, 8) AND time DURING 2008-11-01T00:00:00Z/2008-11-05T00:00:00Z', 3],
      ];

      test('selects the matching granules for every filter type', async () => {
        await harvest(recorded, drafts(100));
        const index = current();

        for (const [text, count] of cases) {
          const filter = await filterFor(text);

          expect(await index.count(filter, never), text).toBe(count);
          expect((await listAllGranules(index, { filter })).length, text).toBe(count);
          expect((await listAllGranules(index, { filter, limit: 2, offset: 1 })).length, text).toBe(
            Math.max(0, Math.min(2, count - 1)),
          );
        }
      });
    });

    describe('repeated harvest', () => {
      test('replaces all granules of a location without duplicates', async () => {
        const slice = (imageindex: number) => draft(1, { imageindex });
        await harvest(recorded, [draft(0), slice(0), slice(1), slice(2)]);

        await harvest(recorded, [slice(0), draft(1, { imageindex: 1, values: { elevation: 99 } }), draft(2)]);

        const found = (await listAllGranules(current())).map(({ id, location, imageindex }) => [
          id,
          location,
          imageindex,
        ]);
        expect(found.map(([, location, at]) => [location, at])).toEqual([
          [draft(0).location, 0],
          [draft(1).location, 0],
          [draft(1).location, 1],
          [draft(2).location, 0],
        ]);
        expect(new Set(found.map(([id]) => id)).size).toBe(4);
        expect(found[0]?.[0]).toBe('watertemp.1');
        expect(await current().count(await filterFor('elevation = 99'), never)).toBe(1);
      });

      test('keeps the last granule of a location within one harvest', async () => {
        await change(recorded, async (session) => {
          await session.createIndex(waterSchema);
          await session.add(waterSchema, [draft(1), draft(1, { imageindex: 1 })]);
          await session.add(waterSchema, [draft(1, { values: { elevation: 99 } })]);
        });

        const found = (await listAllGranules(current())).map(({ imageindex, values }) => [
          imageindex,
          values['elevation'],
        ]);
        expect(found.sort()).toEqual([
          [0, 99],
          [1, 10],
        ]);
      });

      test('leaves the other coverages of the mosaic unchanged', async () => {
        await harvest(recorded, drafts(3));
        await harvest(recorded, [{ ...draft(1), values: {} }], oddSchema);

        await harvest(recorded, [draft(1)]);

        expect(await current().count(undefined, never)).toBe(3);
        expect(await listAllGranules(current(oddSchema))).toMatchObject([
          { id: `O'3 "x" ü.1`, location: draft(1).location },
        ]);
      });
    });

    describe('removal of earlier granules', () => {
      test('removes all granules of a location except those added by the session', async () => {
        await harvest(recorded, [draft(0), draft(1), draft(1, { imageindex: 1 }), draft(2)]);

        await change(recorded, async (session) => {
          await session.add(waterSchema, [draft(2, { imageindex: 7 })]);
          await session.removeFormer(waterSchema, [draft(1).location, draft(2).location, 'nowhere.tif']);
          await session.removeFormer(oddSchema, [draft(1).location]);
        });

        const found = (await listAllGranules(current())).map(({ location, imageindex }) => [location, imageindex]);
        expect(found).toEqual([
          [draft(0).location, 0],
          [draft(2).location, 7],
        ]);
      });

      test('the removal is rolled back with its session', async () => {
        await harvest(recorded, drafts(3));

        const session = await recorded.mosaic.startWriting(async () => recorded.version, never);
        await session.removeFormer(waterSchema, [draft(1).location]);
        await session.end();

        expect(await current().count(undefined, never)).toBe(3);
      });
    });

    describe('granule removal', () => {
      test('removes the granules that match the filter and returns their number', async () => {
        await harvest(recorded, drafts(10));

        const removed = await change(recorded, async (session) =>
          session.remove(waterSchema, await filterFor("location = 'tiles/000003.tif' OR elevation = 0")),
        );

        expect(removed).toBe(3);
        expect(await current().count(undefined, never)).toBe(7);
        expect(await current().find('watertemp.4', never)).toBeUndefined();
      });

      test('removes all granules without a filter, and never reuses their ids', async () => {
        await harvest(recorded, drafts(10));

        expect(await change(recorded, (session) => session.remove(waterSchema, undefined))).toBe(10);

        expect(await listAllGranules(current())).toEqual([]);
        expect(await current().findBounds({}, never)).toBeUndefined();
        await harvest(recorded, drafts(1));
        expect(await listAllGranules(current())).toMatchObject([{ id: 'watertemp.11' }]);
      });

      test('returns the files that granules still reference', async () => {
        await harvest(recorded, drafts(3));
        await harvest(recorded, [{ ...draft(1), values: {} }], oddSchema);

        const inUse = await change(recorded, async (session) => {
          await session.remove(waterSchema, undefined);
          return session.findUsedLocations(
            [waterSchema, oddSchema],
            drafts(3).map(({ location }) => location),
          );
        });

        expect([...inUse]).toEqual([draft(1).location]);
      });
    });

    describe('index session', () => {
      test('a session is invisible to other readers before its commit', async () => {
        await harvest(recorded, drafts(3));
        const session = await recorded.mosaic.startWriting(async () => recorded.version, never);
        const given = await filterFor("location = 'tiles/000000.tif'");

        await session.createIndex(waterSchema);
        await session.add(waterSchema, [draft(1), draft(8)]);
        await session.remove(waterSchema, given);

        expect(await listLocations(current())).toEqual(drafts(3).map(({ location }) => location));
        expect(await current().count(given, never)).toBe(1);
        expect(await listLocations(session.read(waterSchema))).toEqual([2, 1, 8].map((each) => draft(each).location));
        await session.end();
      });

      test('a session without a commit leaves the index unchanged', async () => {
        await harvest(recorded, drafts(3));
        const before = await listAllGranules(current());

        for (const isRolledBack of [true, false]) {
          const session = await recorded.mosaic.startWriting(async () => recorded.version, never);
          await session.add(waterSchema, [draft(1), draft(8)]);
          await session.remove(waterSchema, await filterFor('elevation = 0'));
          if (isRolledBack) await session.rollback();
          await session.end();
        }

        expect(await listAllGranules(current())).toEqual(before);
        await harvest(recorded, [draft(1), draft(2), draft(3)]);
        expect(await listLocations(current())).toEqual(drafts(4).map(({ location }) => location));
      });

      test('a session waits for the previous session and reads the version after it', async () => {
        const first = await recorded.mosaic.startWriting(async () => recorded.version, never);
        const second = recorded.mosaic.startWriting(async () => recorded.version, never);
        await first.createIndex(waterSchema);
        await first.add(waterSchema, drafts(2));
        await first.commit();
        recorded.version = first.version;
        await first.end();

        const session = await second;
        await session.add(waterSchema, [draft(1), draft(2)]);
        await session.commit();
        recorded.version = session.version;
        await session.end();

        expect(session.base).toBe(first.version);
        expect(await listLocations(current())).toEqual(drafts(3).map(({ location }) => location));
      });

      test('an aborted waiting session lets the next session start', async () => {
        const first = await recorded.mosaic.startWriting(async () => recorded.version, never);
        const given = new AbortController();
        const second = recorded.mosaic.startWriting(async () => recorded.version, given.signal);
        const third = recorded.mosaic.startWriting(async () => recorded.version, never);

        given.abort(new Error('no patience'));
        await expect(second).rejects.toThrow('no patience');
        await first.end();

        await (await third).end();
      });

      test('an aborted session stops and leaves no changes', async () => {
        await harvest(recorded, drafts(3));
        const given = new AbortController();
        const session = await recorded.mosaic.startWriting(async () => recorded.version, given.signal);
        await session.add(waterSchema, drafts(2, 10));

        given.abort(new Error('gone'));

        await expect(session.add(waterSchema, drafts(2, 20))).rejects.toThrow('gone');
        await expect(session.commit()).rejects.toThrow('gone');
        await session.end();
        expect(await current().count(undefined, never)).toBe(3);
      });
    });

    test('an index that was never created has no granules', async () => {
      expect(await listAllGranules(current())).toEqual([]);
      expect(await current().count(undefined, never)).toBe(0);
      expect(await current().find('watertemp.1', never)).toBeUndefined();
      expect(await current().findExtremes('time', never)).toBeUndefined();
    });

    test('a dropped mosaic has no granules', async () => {
      await harvest(recorded, drafts(3));

      await recorded.mosaic.drop(never);

      expect(await listAllGranules(current())).toEqual([]);
    });

    test('a mosaic that is dropped during a write is deleted after the write', async () => {
      const session = await recorded.mosaic.startWriting(async () => recorded.version, never);
      const dropped = recorded.mosaic.drop(never);
      await session.createIndex(waterSchema);
      await session.add(waterSchema, drafts(2));
      await session.commit();
      recorded.version = session.version;
      await session.end();

      await dropped;

      expect(await listAllGranules(current())).toEqual([]);
    });
  });
}
