/** The records of invalidations: none is lost, and they do not grow without limit. */
import { describe, expect, it } from 'vitest';
import { notesInMemory } from '../../../test/support/notes-in-memory.ts';
import { findGeneration, openTileInvalidations } from './tile-invalidations.ts';
import { tagParameters } from './tile-key.ts';

const place = { map: 'roads', set: 'WebMercatorQuad', format: 'png', level: 3, column: 1, row: 1, parameters: '' };

describe('tile invalidations', () => {
  it('return the number of the last invalidation that covers a tile', async () => {
    const forgotten = openTileInvalidations(notesInMemory());
    const generation = async (level: number) =>
      findGeneration(await forgotten.listRanges('roads'), { ...place, level });
    const steps = [await generation(3)];

    for (const range of [
      { map: 'roads', levels: { min: 3, max: 5 } },
      { map: 'rivers' },
      { map: 'roads', format: 'mvt' },
      { map: 'roads', set: 'WebMercatorQuad', levels: { min: 0, max: 3 } },
      {},
    ]) {
      await forgotten.invalidate(range);
      steps.push(await generation(3), await generation(4));
    }

    expect(steps).toEqual([0, 1, 1, 1, 1, 1, 1, 4, 1, 5, 5]);
  });

  it('cover tiles that have all parameters of the invalidation', async () => {
    const forgotten = openTileInvalidations(notesInMemory());
    const [style, time] = [['styles', 'night'] as const, ['time', '2024'] as const];
    await forgotten.invalidate({ map: 'roads', parameters: tagParameters([style, time]) });
    const list = await forgotten.listRanges('roads');
    const generation = (...parameters: (readonly [string, string])[]) =>
      findGeneration(list, { ...place, parameters: tagParameters(parameters) });

    expect([
      generation(time, ['bgcolor', 'red'], style),
      generation(style),
      generation(['styles', 'day'], time),
    ]).toEqual([1, 0, 0]);
    // Too many parameters for the name of a file.
    expect(generation(...Array.from({ length: 30 }, (_, index) => [`p${index}`, ''] as const))).toBe(1);
    await forgotten.invalidate({ map: 'roads' });
    expect(await forgotten.listRanges('roads')).toEqual([[2, {}]]);
  });

  it('replace earlier invalidations that they cover', async () => {
    const forgotten = openTileInvalidations(notesInMemory());
    for (const level of [1, 2, 3]) await forgotten.invalidate({ map: 'roads', levels: { min: level, max: level } });
    await forgotten.invalidate({ map: 'roads', format: 'png', levels: { min: 0, max: 2 } });

    await forgotten.invalidate({ map: 'roads', levels: { min: 0, max: 2 } });

    expect(await forgotten.listRanges('roads')).toEqual([
      [3, { levels: { min: 3, max: 3 } }],
      [5, { levels: { min: 0, max: 2 } }],
    ]);
  });

  it('are merged to the whole map beyond the maximum number of ranges', async () => {
    const forgotten = openTileInvalidations(notesInMemory());

    for (let level = 0; level < 201; level += 1) {
      await forgotten.invalidate({ map: 'roads', levels: { min: level, max: level } });
    }

    expect(await forgotten.listRanges('roads')).toEqual([[201, {}]]);
  });
});
