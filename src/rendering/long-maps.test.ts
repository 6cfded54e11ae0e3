import { expect, onTestFinished, test } from 'vitest';
import { createDrawnLayer, createUserStyle, never, smallMap, wideBudget } from '../../test/support/drawn-layers.ts';
import type { StartTimer } from '../lib/async/timer.ts';
import { createFairSemaphore, LONG_WORK_MS, SHORT_WORK_MS, unlimitedSemaphore } from '../workers/fair-semaphore.ts';
import { createWorkerPool } from '../workers/pool.ts';
import { runForClient } from '../workers/request-scope.ts';
import { drawMap } from './draw-map.ts';
import { openMapRenderer } from './map-renderer.ts';
import type { VectorLayer } from './request/map-request.ts';

const style = createUserStyle('<Rule><PolygonSymbolizer><Fill/><Stroke/></PolygonSymbolizer></Rule>');
const rows = Array.from({ length: 2_500 }, (_, index) => ({
  wkt: `POLYGON ((${index % 19} 1, ${(index % 19) + 1.5} 1, ${index % 17} ${index % 20}, ${index % 19} 1))`,
}));
const mapOf = (layer: VectorLayer) => ({ ...smallMap, layers: [layer] });

/** A renderer with one regular thread. The test decides when maps count as long. */
function openRenderer() {
  const alarms = new Map<() => void, number>();
  const limits = { maxThreads: 2, maxWaiting: 10, deadlineMs: 60_000, maxMemoryMegabytes: 256, idleMs: 60_000 };
  const pool = createWorkerPool(limits, unlimitedSemaphore);
  onTestFinished(() => pool.close());
  const alarm: StartTimer = (milliseconds, ring) => {
    alarms.set(ring, milliseconds);
    return () => void alarms.delete(ring);
  };
  const underWay = createFairSemaphore({ places: 2, extraPlaces: 2, maxWaiting: 100 }, alarm);
  const threads = createFairSemaphore(
    { places: 1, extraPlaces: 1, isExtraForRestartable: true, maxWaiting: 100 },
    alarm,
  );
  return {
    pool,
    renderer: openMapRenderer({ pool, underWay, threads }),
    /** Pretends that all running maps have run for this time. */
    pass: (longest: number) => {
      for (const [ring, milliseconds] of [...alarms]) if (milliseconds <= longest && alarms.delete(ring)) ring();
    },
  };
}

/** A layer that is endless when it is first read, and resolves a promise once a worker has received some of it. */
function layerThatIsLongAtFirst() {
  const layer = createDrawnLayer(rows, style);
  const isPainted = Promise.withResolvers<void>();
  let readings = 0;
  const source = {
    ...layer.source.source,
    async *read(_name: string, _query: object, signal: AbortSignal) {
      readings += 1;
      if (readings === 1) {
        // More batches than are sent ahead of the worker.
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

test('a small map overtakes long maps, and a preempted map is drawn completely afterwards', async () => {
  const { renderer, pool, pass } = openRenderer();
  const [first, second] = [layerThatIsLongAtFirst(), layerThatIsLongAtFirst()];
  const gone = new AbortController();
  const drawings = [renderer.draw(mapOf(first.layer), wideBudget, gone.signal)];
  await first.isPainted;
  expect(pool.threads()).toBe(1);
  pass(LONG_WORK_MS);
  drawings.push(renderer.draw(mapOf(second.layer), wideBudget, never));
  await second.isPainted;
  pass(LONG_WORK_MS);

  const small = await renderer.draw({ ...smallMap, layers: [] }, wideBudget, never);

  expect([small.width, first.readings(), second.readings()]).toEqual([20, 1, 1]);
  const expected = await drawMap(mapOf(createDrawnLayer(rows, style)), wideBudget, never);
  gone.abort(new Error('the client has disconnected'));
  const [before, after] = await Promise.allSettled(drawings);
  expect(before).toMatchObject({ reason: { message: 'the client has disconnected' } });
  expect(after).toMatchObject({ value: expected });
  expect([first.readings(), second.readings()]).toEqual([1, 2]);
});

test('30 long maps of one client delay the map of another client by no more than one short map', async () => {
  const { renderer, pass } = openRenderer();
  const gone = new AbortController();
  const layers = Array.from({ length: 30 }, layerThatIsLongAtFirst);
  const long = layers.slice(0, 1).map((each) => runForClient('a', () => draw(each.layer)));
  await layers[0]?.isPainted;
  pass(LONG_WORK_MS);
  long.push(...layers.slice(1).map((each) => runForClient('a', () => draw(each.layer))));
  await layers[1]?.isPainted;

  const small = runForClient('b', () => renderer.draw({ ...smallMap, layers: [] }, wideBudget, never));
  // Advance the clock in short steps, so that no further map counts as long.
  const passing = setInterval(() => pass(SHORT_WORK_MS), 10);
  onTestFinished(() => clearInterval(passing));

  expect(await small).toMatchObject({ width: 20 });
  gone.abort(new Error('the client has disconnected'));
  const ends = await Promise.allSettled(long);
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']));

  function draw(layer: VectorLayer) {
    return renderer.draw(mapOf(layer), wideBudget, gone.signal);
  }
});
