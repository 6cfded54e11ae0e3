/** The contract of all drivers that support editing single features. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ResolvedFilter } from '../../src/filter/model/resolved-filter.ts';
import { readEcqlFor } from '../../src/filter/resolve/resolve.ts';
import type { Geometry } from '../../src/geometry/geometry.ts';
import { createFilterSchema } from '../../src/vector/port/filter-schema.ts';
import type { Attribute, FeatureEdits, NewValues, Value, VectorSource } from '../../src/vector/port/port.ts';
import { queryFeatures } from '../../src/vector/query/query-features.ts';
import { describeType, readAllFeatures } from '../support/vector-reading.ts';
import { createType } from '../support/vector-writing.ts';

export interface EditableUnderTest {
  readonly source: VectorSource;
  destroy(): Promise<void>;
}

const never = new AbortController().signal;

const attributes = [
  { name: 'name', nillable: true, kind: 'value', type: 'string' },
  { name: 'rank', nillable: true, kind: 'value', type: 'long' },
  { name: 'seen', nillable: true, kind: 'value', type: 'timestamp' },
  { name: 'geom', nillable: true, kind: 'geometry', type: 'Point', dimension: 'XY', crs: { code: 'EPSG:4326' } },
] as const satisfies readonly Attribute[];

function point(x: number, y: number): Geometry {
  return { type: 'Point', dimension: 'XY', ordinates: Float64Array.of(x, y), ends: [], parts: [] };
}

function town(name: string, rank: number | bigint, x: number): NewValues {
  return { attributes, values: [name, rank, new Date('2026-01-02T03:04:05.678Z'), point(x, x)] };
}

function only(name: (typeof attributes)[number]['name'], value: Value | Geometry): NewValues {
  return { attributes: attributes.filter((each) => each.name === name), values: [value] };
}

async function filter(text: string): Promise<ResolvedFilter> {
  const outcome = await readEcqlFor(text, createFilterSchema(attributes));
  if (outcome.kind === 'refused') throw new Error(outcome.complaint.message);
  return outcome.value;
}

export function featureEditsContract(driver: string, create: () => Promise<EditableUnderTest>): void {
  describe(`feature edits of ${driver}`, () => {
    let under: EditableUnderTest;
    let source: VectorSource;
    let ids: readonly string[];

    beforeEach(async () => {
      under = await create();
      source = under.source;
      await createType(source, { name: 'towns', attributes });
      ids = await edit((edits) => edits.insert('towns', [town('a', 1, 1), town('b', 2, 2), town('c', 3, 3)]));
    });
    afterEach(async () => {
      await source.close();
      await under.destroy();
    });

    async function edit<T>(work: (edits: FeatureEdits) => Promise<T>): Promise<T> {
      const session = await source.startWriting?.(never);
      if (session === undefined) throw new Error('This source cannot be written.');
      try {
        const result = await work(session);
        await session.commit();
        return result;
      } catch (error) {
        await session.rollback();
        throw error;
      }
    }

    const all = async () =>
      (await readAllFeatures(source, 'towns'))
        .map(({ id, values: [name, rank] }) => [ids.indexOf(id), name, rank])
        .toSorted();

    const inBox = async (x: number) => {
      const description = await describeType(source, 'towns');
      const box = { minX: x - 0.5, minY: x - 0.5, maxX: x + 0.5, maxY: x + 0.5 };
      const { batches } = await queryFeatures({ source, description }, { box }, never);
      const found: string[] = [];
      for await (const batch of batches) found.push(...batch.map(({ id }) => id));
      return found;
    };

    test('inserts features unchanged and returns their ids', async () => {
      expect(new Set(ids).size).toBe(3);
      expect(ids.every((id) => /^towns\.\d+$/.test(id))).toBe(true);
      const [long] = await edit((edits) => edits.insert('towns', [town('d', 9007199254740993n, 4)]));

      const found = (await readAllFeatures(source, 'towns')).find(({ id }) => id === long);

      expect(found?.values).toEqual(['d', 9007199254740993n, new Date('2026-01-02T03:04:05.678Z'), point(4, 4)]);
      expect(await inBox(4)).toEqual([long]);
    });

    test('fills omitted attributes with their defaults', async () => {
      const [id] = await edit((edits) => edits.insert('towns', [only('name', 'bare'), { attributes: [], values: [] }]));

      const found = await readAllFeatures(source, 'towns');

      expect(found).toHaveLength(5);
      expect(found.find((each) => each.id === id)?.values).toEqual(['bare', null, null, null]);
    });

    test('updates the named values of all matching features and nothing else', async () => {
      const changed = await edit(async (edits) => edits.update('towns', only('name', 'x'), await filter('rank > 1')));

      expect(changed.toSorted()).toEqual([ids[1], ids[2]].toSorted());
      expect(await all()).toEqual([
        [0, 'a', 1],
        [1, 'x', 2],
        [2, 'x', 3],
      ]);
      expect(await inBox(2)).toEqual([ids[1]]);
    });

    test('finds moved features at their new position', async () => {
      const one = { kind: 'identifiers', identifiers: [ids[0] ?? ''] } as const;

      await edit((edits) => edits.update('towns', only('geom', point(7, 7)), one));

      expect([await inBox(1), await inBox(7)]).toEqual([[], [ids[0]]]);
      await edit((edits) => edits.update('towns', only('geom', null), one));
      expect(await inBox(7)).toEqual([]);
    });

    test('deletes all matching features, also by conditions that the database cannot evaluate', async () => {
      const removed = await edit(async (edits) =>
        edits.remove('towns', await filter("strToUpperCase(name) = 'A' OR BBOX(geom, 2.5, 2.5, 3.5, 3.5)")),
      );

      expect(removed.toSorted()).toEqual([ids[0], ids[2]].toSorted());
      expect(await all()).toEqual([[1, 'b', 2]]);
      expect(await inBox(3)).toEqual([]);
    });

    test('changes nothing when no feature matches', async () => {
      const unmatched = await filter("name = 'missing'");

      expect(await edit((edits) => edits.update('towns', only('name', 'x'), unmatched))).toEqual([]);
      expect(await edit((edits) => edits.remove('towns', unmatched))).toEqual([]);
      expect(await all()).toHaveLength(3);
    });

    test('reads its own changes before other readers see them', async () => {
      const changedName = await filter("name = 'changed'");

      await edit(async (edits) => {
        await edits.update('towns', only('name', 'changed'), await filter('rank = 1'));
        const [later] = await edits.insert('towns', [town('changed', 9, 9)]);

        expect((await edits.find('towns', changedName)).map(({ id }) => id).toSorted()).toEqual(
          [ids[0], later].toSorted(),
        );
        expect((await readAllFeatures(source, 'towns')).map(({ values: [name] }) => name)).not.toContain('changed');
      });
    });

    test('rolls everything back when one edit is rejected', async () => {
      const wrong: NewValues = {
        attributes: [{ name: 'missing', nillable: true, kind: 'value', type: 'string' }],
        values: ['x'],
      };

      const trying = edit(async (edits) => {
        await edits.remove('towns', await filter('rank < 3'));
        await edits.insert('towns', [town('d', 4, 4), wrong]);
      });

      await expect(trying).rejects.toMatchObject({ status: 400 });
      expect((await all()).map(([, name]) => name)).toEqual(['a', 'b', 'c']);
      await expect(edit((edits) => edits.insert('nowhere', []))).rejects.toMatchObject({ code: 'vector-type-unknown' });
    });

    test('edits any number of features', async () => {
      const many = Array.from({ length: 2_500 }, (_, index) => town(`t${index}`, 10 + index, 50));
      await edit((edits) => edits.insert('towns', many));

      const changed = await edit(async (edits) => edits.update('towns', only('rank', 0), await filter('rank >= 10')));
      const removed = await edit(async (edits) => edits.remove('towns', await filter('rank = 0')));

      expect([changed.length, removed.length]).toEqual([2_500, 2_500]);
      expect(await all()).toHaveLength(3);
    });
  });
}
