import { describe, expect, test } from 'vitest';
import { column, createCollection } from '../../../test/support/feature-collections.ts';
import type { Feature } from '../../vector/port/port.ts';
import { geoJson } from '../geojson/geojson.ts';
import type { FeatureCollection } from '../port/port.ts';

/** An endless collection that records how far it is read and whether it is closed. */
function endless() {
  const seen = { batches: 0, isClosed: false };
  async function* batches(): AsyncGenerator<readonly Feature[]> {
    try {
      for (;;) {
        seen.batches += 1;
        yield Array.from({ length: 100 }, (_, index) => ({ id: `t.${index}`, values: ['x'.repeat(1_000)] }));
      }
    } finally {
      seen.isClosed = true;
    }
  }
  const [set] = createCollection([{ attributes: [column('text', 'string')], rows: [] }]).sets;
  const collection: FeatureCollection = {
    ...createCollection([]),
    sets: set === undefined ? [] : [{ ...set, batches: batches() }],
  };
  return { collection, seen };
}

describe('text documents', () => {
  test('are produced in chunks, only as far as they are read', async () => {
    const { collection, seen } = endless();
    const pieces = geoJson.encode(collection, new AbortController().signal)[Symbol.asyncIterator]();

    const first = await pieces.next();
    const second = await pieces.next();

    const sizes = [first, second].map(({ value }) => (value as Uint8Array).length);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(65_536);
    expect(Math.max(...sizes)).toBeLessThan(80_000);
    expect(seen.batches).toBeLessThan(4);
  });

  test('release the features when the reader stops', async () => {
    const { collection, seen } = endless();

    for await (const _ of geoJson.encode(collection, new AbortController().signal)) break;

    expect(seen.isClosed).toBe(true);
  });

  test('end on abort', async () => {
    const { collection, seen } = endless();
    const given = new AbortController();
    const reading = (async () => {
      for await (const _ of geoJson.encode(collection, given.signal)) given.abort(new Error('the client is gone'));
    })();

    await expect(reading).rejects.toThrow('the client is gone');
    expect(seen.isClosed).toBe(true);
  });
});
