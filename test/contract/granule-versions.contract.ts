/** The contract of granule indexes that keep a version as long as a record or a reader needs it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EmbeddedGranules, EmbeddedMosaicIndex } from '../../src/raster/granules/embedded/embedded-granules.ts';
import {
  change,
  draft,
  drafts,
  filterFor,
  harvest,
  listAllGranules,
  listLocations,
  never,
  type RecordedMosaic,
  waterSchema,
} from '../support/granules.ts';

export function granuleVersionsContract(title: string, open: () => EmbeddedGranules): void {
  describe(`${title} with versions`, () => {
    let granules: EmbeddedGranules;
    let recorded: RecordedMosaic & { readonly mosaic: EmbeddedMosaicIndex };
    beforeEach(() => {
      granules = open();
      recorded = { mosaic: granules.openMosaic('m1'), version: 0 };
    });
    afterEach(async () => {
      for (const key of ['m1', 'm2']) await granules.openMosaic(key).drop(never);
    });

    test('shows each version unchanged until it is purged', async () => {
      await harvest(recorded, drafts(3));
      await change(recorded, async (session) => {
        await session.add(waterSchema, [draft(3)]);
        await session.remove(waterSchema, await filterFor("location = 'tiles/000000.tif'"));
      });

      const at = (version: number) => listLocations(recorded.mosaic.open(waterSchema, version));
      expect(await at(1)).toEqual([0, 1, 2].map((each) => draft(each).location));
      expect(await at(2)).toEqual([1, 2, 3].map((each) => draft(each).location));

      await granules.collect(async () => [2], never);

      expect(await at(1)).toEqual([1, 2].map((each) => draft(each).location));
      expect(await at(2)).toEqual([1, 2, 3].map((each) => draft(each).location));
    });

    test('keeps versions that are being read', async () => {
      await harvest(recorded, drafts(1_200));
      const reading = recorded.mosaic.open(waterSchema, 1).list({}, never)[Symbol.asyncIterator]();
      const first = await reading.next();

      await change(recorded, (session) => session.remove(waterSchema, undefined));
      await granules.collect(async () => [recorded.version], never);

      let read = first.value?.length ?? 0;
      for (let next = await reading.next(); next.done !== true; next = await reading.next()) read += next.value.length;
      expect(read).toBe(1_200);
      await granules.collect(async () => [recorded.version], never);
      expect(await recorded.mosaic.open(waterSchema, 1).count(undefined, never)).toBe(0);
    });

    describe('granule versions after an undo', () => {
      const at = async (version: number) =>
        (await listLocations(recorded.mosaic.open(waterSchema, version)))
          .toSorted()
          .map((each) => Number(/\d+/.exec(each)));

      test('versions continue from the version that is named again and keep all others', async () => {
        await harvest(recorded, drafts(3));
        await change(recorded, async (session) => {
          await session.remove(waterSchema, await filterFor("location = 'tiles/000000.tif'"));
          await session.add(waterSchema, [draft(3)]);
        });
        recorded.version = 1;

        await harvest(recorded, [draft(4)]);

        expect(await at(1)).toEqual([0, 1, 2]);
        expect(await at(2)).toEqual([1, 2, 3]);
        expect(await at(recorded.version)).toEqual([0, 1, 2, 4]);
        const found = await filterFor('BBOX(the_geom, 0.2, 0.2, 0.4, 0.4)');
        const again = recorded.mosaic.open(waterSchema, recorded.version);
        expect(await listLocations(again, { filter: found })).toEqual([draft(0).location]);
      });

      test('versions replace restored granules by location', async () => {
        await harvest(recorded, drafts(2));
        await change(recorded, (session) => session.remove(waterSchema, undefined));
        recorded.version = 1;

        await harvest(recorded, [draft(1, { imageindex: 5 })]);

        const all = await listAllGranules(recorded.mosaic.open(waterSchema, recorded.version));
        expect(all.map(({ location, imageindex }) => [location, imageindex])).toEqual([
          [draft(0).location, 0],
          [draft(1).location, 5],
        ]);
      });

      test('never reuses a version number, even of a version without changes', async () => {
        await harvest(recorded, drafts(1));
        await change(recorded, async () => undefined);
        recorded.version = 1;

        await harvest(recorded, [draft(2)]);

        expect(recorded.version).toBeGreaterThan(2);
        expect(await at(2)).toEqual([0]);
      });

      test('leaves no trace of a failed session', async () => {
        await harvest(recorded, drafts(2));
        await change(recorded, (session) => session.remove(waterSchema, undefined));

        const session = await recorded.mosaic.startWriting(async () => 1, never);
        await session.add(waterSchema, drafts(3));
        await session.rollback();
        await session.end();

        expect([await at(1), await at(2), await at(3), await at(4)]).toEqual([[0, 1], [], [], []]);
        await harvest(recorded, drafts(1, 7));
        expect(recorded.version).toBe(3);
        expect(await at(3)).toEqual([7]);
      });

      test('can have another schema under a name that an earlier version used', async () => {
        const other = { ...waterSchema, attributes: waterSchema.attributes.slice(0, 5), domains: [] };
        await change(recorded, async () => undefined);
        await harvest(recorded, drafts(2));
        recorded.version = 1;

        await harvest(recorded, drafts(1, 5), other);

        expect(await at(2)).toEqual([0, 1]);
        expect(await listLocations(recorded.mosaic.open(other, recorded.version))).toEqual([draft(5).location]);
      });

      test('purges unused versions at any position', async () => {
        await harvest(recorded, drafts(2));
        await harvest(recorded, drafts(1, 2));
        recorded.version = 1;
        await harvest(recorded, drafts(1, 3));
        const last = recorded.version;

        await granules.collect(async (_, versions) => {
          expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, last]);
          return [1, last];
        }, never);

        expect([await at(1), await at(2), await at(last)]).toEqual([
          [0, 1],
          [0, 1],
          [0, 1, 3],
        ]);
        expect([await recorded.mosaic.has(1), await recorded.mosaic.has(2)]).toEqual([true, false]);
      });
    });

    test('separates mosaics and deletes those without a record', async () => {
      const other: RecordedMosaic = { mosaic: granules.openMosaic('m2'), version: 0 };
      await harvest(recorded, drafts(3));
      await harvest(other, drafts(2));

      await granules.collect(async (key) => (key === 'm2' ? [1] : []), never);

      expect(await recorded.mosaic.open(waterSchema, 1).count(undefined, never)).toBe(0);
      expect(await other.mosaic.open(waterSchema, 1).count(undefined, never)).toBe(2);
    });
  });
}
