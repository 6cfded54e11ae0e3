import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDrawnLayer, createUserStyle, never, smallMap, wideBudget } from '../../../test/support/drawn-layers.ts';
import type { UserStyle } from '../../styling/model/model.ts';
import { createFairSemaphore } from '../../workers/fair-semaphore.ts';
import { createWorkerPool, type WorkerPool } from '../../workers/pool.ts';
import { openMapRenderer } from '../map-renderer.ts';
import { resolveMapSettings } from '../request/map-settings.ts';
import { findDrawnFeatures } from './find-drawn-features.ts';
import { findOnGrid } from './key-grid.ts';
import { createPlacemarkStyler } from './placemark-styler.ts';
import { countRules } from './rule-counts.ts';

const { loadLibrary } = vi.hoisted(() => ({ loadLibrary: vi.fn() }));
vi.mock('../../geometry/geometry-operations.ts', async (load) => {
  const real = await load<typeof import('../../geometry/geometry-operations.ts')>();
  const loadGeometryOperations = () => {
    loadLibrary();
    return real.loadGeometryOperations();
  };
  return { ...real, loadGeometryOperations };
});

const pool = createWorkerPool({
  maxThreads: 1,
  maxWaiting: 1,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 256,
  idleMs: 60_000,
});
const tasks: string[] = [];
const recording: WorkerPool = {
  ...pool,
  run(task, input, options) {
    tasks.push(task.name);
    return pool.run(task, input, options);
  },
};
const createSemaphore = () => createFairSemaphore({ places: 1, extraPlaces: 0, maxWaiting: 10 }, () => () => undefined);
const renderer = openMapRenderer({ pool: recording, underWay: createSemaphore(), threads: createSemaphore() });
afterAll(() => pool.close());
beforeEach(() => {
  tasks.length = 0;
  loadLibrary.mockClear();
});

const rows = [
  { wkt: 'POLYGON ((2 2, 12 2, 12 12, 2 12, 2 2))', kind: 'a', text: 'short' },
  { wkt: 'POLYGON ((14 14, 15 14, 15 15, 14 15, 14 14))', kind: 'b', text: 'short' },
];
const point = { x: 5.5, y: 14.5, count: 10 };

const geom = '<ogc:PropertyName>geom</ogc:PropertyName>';
const buffer = `<ogc:Function name="buffer">${geom}<ogc:Literal>1</ogc:Literal></ogc:Function>`;
const large = `<ogc:PropertyIsGreaterThan><ogc:Function name="area">${buffer}</ogc:Function><ogc:Literal>50</ogc:Literal></ogc:PropertyIsGreaterThan>`;
const near = `<ogc:Intersects>${geom}<gml:Point xmlns:gml="http://www.opengis.net/gml"><gml:coordinates>3,3</gml:coordinates></gml:Point></ogc:Intersects>`;
const isA =
  '<ogc:PropertyIsEqualTo><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>a</ogc:Literal></ogc:PropertyIsEqualTo>';
const isLikeA =
  '<ogc:PropertyIsLike wildCard="*" singleChar="." escape="!"><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>a*</ogc:Literal></ogc:PropertyIsLike>';
const fill = '<PolygonSymbolizer><Fill/></PolygonSymbolizer>';
const filtered = (filter: string) => createUserStyle(`<Rule><ogc:Filter>${filter}</ogc:Filter>${fill}</Rule>`);

const costly: readonly (readonly [name: string, style: UserStyle, usesLibrary: boolean])[] = [
  ['a condition with a geometry function', filtered(large), true],
  ['a spatial condition', filtered(near), false],
  ['many conditions', filtered(`<ogc:Or>${isLikeA.repeat(1_000)}</ogc:Or>`), false],
  [
    'a computed geometry',
    createUserStyle(
      `<Rule><ogc:Filter>${isA}</ogc:Filter><PolygonSymbolizer><Geometry>${buffer}</Geometry><Fill/></PolygonSymbolizer></Rule>`,
    ),
    true,
  ],
];

/** Runs all queries of a map; in this thread without threads. */
async function query(style: UserStyle, isThreaded: boolean, features = rows) {
  const layer = createDrawnLayer(features, style);
  const request = { ...smallMap, layers: [layer] };
  const settings = await resolveMapSettings(request);
  const { description } = layer.source;
  const options = { iconOf: () => undefined, signal: never };
  const styler = isThreaded
    ? await renderer.createPlacemarkStyler(layer, description, settings, options)
    : await createPlacemarkStyler(layer, description, settings, { ...options, runInThread: undefined });
  const { find, findOnGrid: findKeys, countRules: count } = isThreaded ? renderer : inline;
  const [found] = await find(request, point, wideBudget, never);
  const { cells, features: keyed } = await findKeys(request, wideBudget, never);
  const counts = await count(request, wideBudget, never);
  const styles: unknown[] = [];
  for await (const batch of layer.source.source.read('it', {}, never)) styles.push(...(await styler(batch)));
  return {
    found: found?.features.map(({ values }) => values[1]),
    covered: cells.filter((key) => key >= 0).length,
    keyed: keyed.map(({ feature }) => feature.values[1]),
    counts: style.featureTypeStyles.flatMap(({ rules }) => rules.map((rule) => counts.get(rule))),
    styled: styles.map((each) => each !== undefined),
  };
}

const inline = { find: findDrawnFeatures, findOnGrid, countRules };

const search = ['searchPoint', 'searchGrid', 'searchRules', 'stylePlacemarks'];

describe('queries of maps by style', () => {
  test.each(costly)('run in workers for %s', async (_, style, usesLibrary) => {
    const threaded = await query(style, true);

    expect(tasks).toEqual(search);
    expect(loadLibrary).not.toHaveBeenCalled();
    expect(threaded).toMatchObject({ found: ['a'], keyed: ['a'], counts: [1], styled: [true, false] });
    expect(threaded.covered).toBeGreaterThanOrEqual(100);
    expect(await query(style, false)).toEqual(threaded);
    expect(loadLibrary.mock.calls.length > 0).toBe(usesLibrary);
  });

  test.each([
    ['many vertices', { wkt: createCircle(60_000), kind: 'a', text: 'short' }],
    ['long texts', { wkt: 'POLYGON ((2 2, 12 2, 12 12, 2 12, 2 2))', kind: 'a'.repeat(100_000), text: '' }],
  ])('run in workers for features with %s', async (_, row) => {
    const threaded = await query(filtered(isLikeA), true, [row]);

    expect(tasks).toEqual(expect.arrayContaining(row.text === '' ? search : ['searchPoint', 'searchGrid']));
    expect(threaded).toMatchObject({ found: [row.kind], keyed: [row.kind], counts: [1] });
    expect(await query(filtered(isLikeA), false, [row])).toEqual(threaded);
  });

  test('run at once for plain styles and small features', async () => {
    const { found, keyed, counts } = await query(filtered(isA), true);

    expect(tasks).toEqual([]);
    expect([found, keyed, counts]).toEqual([['a'], ['a'], [1]]);
  });

  test('end with the request while a worker searches', async () => {
    const gone = new AbortController();
    const layer = createDrawnLayer(rows, filtered(large));
    const searching = renderer.find({ ...smallMap, layers: [layer] }, point, wideBudget, gone.signal);
    gone.abort(new Error('the client has disconnected'));

    await expect(searching).rejects.toThrow('the client has disconnected');
    expect((await query(filtered(large), true)).found).toEqual(['a']);
  });
});

function createCircle(count: number): string {
  const positions = Array.from({ length: count + 1 }, (_, index) => {
    const angle = ((index % count) / count) * 2 * Math.PI;
    return `${7 + 5 * Math.cos(angle)} ${7 + 5 * Math.sin(angle)}`;
  });
  return `POLYGON ((${positions.join(', ')}))`;
}
