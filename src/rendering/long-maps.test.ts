import { expect, onTestFinished, test } from 'vitest';
import { layerOf, never, smallMap, styleOf, wideBudget } from '../../test/support/drawn-layers.ts';
import { createLanes } from '../workers/lanes.ts';
import { createWorkerPool } from '../workers/pool.ts';
import { drawMap } from './draw-map.ts';
import { openMapRenderer } from './map-renderer.ts';
import type { VectorLayer } from './map-request.ts';

const style = styleOf('<Rule><PolygonSymbolizer><Fill/><Stroke/></PolygonSymbolizer></Rule>');
const rows = Array.from({ length: 2_500 }, (_, index) => ({
  wkt: `POLYGON ((${index % 19} 1, ${(index % 19) + 1.5} 1, ${index % 17} ${index % 20}, ${index % 19} 1))`,
}));
const mapOf = (layer: VectorLayer) => ({ ...smallMap, layers: [layer] });

/** A renderer with one usual thread, in which maps turn long when the test says so. */
function openRenderer() {
  const alarms = new Set<() => void>();
  const limits = { maxThreads: 1, maxWaiting: 1, deadlineMs: 60_000, maxMemoryMegabytes: 256, idleMs: 60_000 };
  const pools = { usual: createWorkerPool(limits), passing: createWorkerPool(limits) };
  onTestFinished(async () => {
    await Promise.all([pools.usual.close(), pools.passing.close()]);
  });
  const lanes = createLanes({ threads: 1, places: 2, maxLong: 2, maxWaiting: 10 }, (ring) => {
    alarms.add(ring);
    return () => void alarms.delete(ring);
  });
  return {
    pools,
    renderer: openMapRenderer({ pools, lanes }),
    turnLong: () => {
      for (const ring of [...alarms].filter((alarm) => alarms.delete(alarm))) ring();
    },
  };
}

/** A layer that does not end when it is read for the first time, and tells once some of it was taken by a thread. */
function layerThatIsLongAtFirst() {
  const layer = layerOf(rows, style);
  const isPainted = Promise.withResolvers<void>();
  let readings = 0;
  const source = {
    ...layer.source.source,
    async *read(_name: string, _query: object, signal: AbortSignal) {
      readings += 1;
      if (readings === 1) {
        // More than is sent ahead of what a thread has done.
        for (let times = 0; ; times += 1) {
          yield* layer.source.source.read('it', {}, signal);
          if (times === 12) isPainted.resolve();
        }
      }
      yield* layer.source.source.read('it', {}, signal);
    },
  };
  return {
    layer: { ...layer, source: { ...layer.source, source } },
    isPainted: isPainted.promise,
    readings: () => readings,
  };
}

test('a small map passes by long ones, and one that made room for it is drawn whole afterwards', async () => {
  const { renderer, pools, turnLong } = openRenderer();
  const [first, second] = [layerThatIsLongAtFirst(), layerThatIsLongAtFirst()];
  const gone = new AbortController();
  const drawings = [renderer.draw(mapOf(first.layer), wideBudget, gone.signal)];
  await first.isPainted;
  expect(pools.passing.threads()).toBe(0);
  turnLong();
  drawings.push(renderer.draw(mapOf(second.layer), wideBudget, never));
  await second.isPainted;
  turnLong();

  const small = await renderer.draw({ ...smallMap, layers: [] }, wideBudget, never);

  expect([small.width, first.readings(), second.readings()]).toEqual([20, 1, 1]);
  const expected = await drawMap(mapOf(layerOf(rows, style)), wideBudget, never);
  gone.abort(new Error('the client is gone'));
  const [before, after] = await Promise.allSettled(drawings);
  expect(before).toMatchObject({ reason: { message: 'the client is gone' } });
  expect(after).toMatchObject({ value: expected });
  expect([first.readings(), second.readings()]).toEqual([1, 2]);
});
