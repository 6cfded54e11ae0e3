import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { createDrawnLayer, createUserStyle, never, smallMap, wideBudget } from '../../test/support/drawn-layers.ts';
import { createFairSemaphore } from '../workers/fair-semaphore.ts';
import { createWorkerPool } from '../workers/pool.ts';
import { drawMap } from './draw-map.ts';
import { openMapRenderer } from './map-renderer.ts';
import type { VectorLayer } from './request/map-request.ts';

const pool = createWorkerPool({
  maxThreads: 1,
  maxWaiting: 1,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 256,
  idleMs: 60_000,
});
const renderer = openMapRenderer({
  pool,
  underWay: createFairSemaphore({ places: 2, extraPlaces: 1, maxWaiting: 0 }, () => () => undefined),
  threads: createFairSemaphore({ places: 1, extraPlaces: 0, maxWaiting: 10 }, () => () => undefined),
});
afterAll(() => pool.close());

const style = createUserStyle(
  '<Rule><PolygonSymbolizer><Fill/><Stroke/></PolygonSymbolizer><PointSymbolizer><Graphic/></PointSymbolizer></Rule>',
);
const rows = Array.from({ length: 2_500 }, (_, index) => ({
  wkt: `POLYGON ((${index % 19} 1, ${(index % 19) + 1.5} 1, ${index % 17} ${index % 20}, ${index % 19} 1))`,
  kind: index % 2 === 0 ? 'even' : null,
}));

/** A layer whose source never ends, and a record of the calls. */
function endlessLayer(): {
  readonly layer: VectorLayer;
  readonly started: Promise<void>;
  readonly stopped: Promise<void>;
} {
  const layer = createDrawnLayer(rows, style);
  const [started, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const source = {
    ...layer.source.source,
    async *read(_name: string, _query: object, signal: AbortSignal) {
      started.resolve();
      try {
        for (;;) yield* layer.source.source.read('it', {}, signal);
      } finally {
        stopped.resolve();
      }
    },
  };
  return {
    layer: { ...layer, source: { ...layer.source, source } },
    started: started.promise,
    stopped: stopped.promise,
  };
}

describe('map painted in a worker', () => {
  test('has the same pixels as a map painted in the main thread', async () => {
    const request = { ...smallMap, layers: [createDrawnLayer(rows, style)] };

    const [there, here] = [await renderer.draw(request, wideBudget, never), await drawMap(request, wideBudget, never)];

    expect(Buffer.from(there.bytes).equals(here.bytes)).toBe(true);
  });

  test('has the same pixels if features of several layers are painted in a common order', async () => {
    const ordered = (fill: string) =>
      createUserStyle(
        ...['even', 'odd'].map(
          (kind) =>
            `<Rule><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>${kind}</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter><PolygonSymbolizer><Fill><CssParameter name="fill">${kind === 'odd' ? fill : '#123456'}</CssParameter></Fill><Stroke/></PolygonSymbolizer></Rule><VendorOption name="sortBy">z</VendorOption><VendorOption name="sortByGroup">all</VendorOption>`,
        ),
      );
    const many = Array.from({ length: 12_000 }, (_, index) => ({
      ...(rows[index % rows.length] ?? { wkt: '' }),
      kind: index % 3 === 0 ? 'even' : 'odd',
      z: (index * 7_919) % 3_000,
    }));
    const request = {
      ...smallMap,
      layers: [createDrawnLayer(many, ordered('#ff0000')), createDrawnLayer(many, ordered('#00ff00'))],
    };

    const [there, here] = [await renderer.draw(request, wideBudget, never), await drawMap(request, wideBudget, never)];

    expect(Buffer.from(there.bytes).equals(here.bytes)).toBe(true);
  });

  test('uses only the colours of the requested palette', async () => {
    const palette = [
      { red: 10, green: 20, blue: 30 },
      { red: 200, green: 0, blue: 0 },
    ];
    const request = { ...smallMap, palette, layers: [createDrawnLayer(rows, style)] };

    const { bytes } = await renderer.draw(request, wideBudget, never);

    const found = new Set(Buffer.from(bytes).toString('hex').match(/.{8}/g));
    expect([...found].toSorted()).toEqual(['0a141eff', 'c80000ff']);
  });

  test('returns PNG files with the same pixels, map after map', async () => {
    const request = { ...smallMap, layers: [createDrawnLayer(rows, style)] };
    const { bytes } = await drawMap(request, wideBudget, never);

    const files = [
      await renderer.drawPng(request, wideBudget, never),
      await renderer.drawPng(request, wideBudget, never),
    ];

    for (const file of files) expect((await sharp(file).ensureAlpha().raw().toBuffer()).equals(bytes)).toBe(true);
  });

  test('evaluates the addresses of pictures in the worker', async () => {
    const dates = Array.from({ length: 700 }, (_, day) => ({
      wkt: 'POINT (5 5)',
      when: new Date(day * 86_400_000).toISOString(),
    }));
    const costly = `\${dateFormat('${'E z '.repeat(49)}', when)}`.repeat(4);
    const pictures = createUserStyle(
      `<Rule><PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xlink:href="${costly}.svg"/><Format>image/svg+xml</Format></ExternalGraphic></Graphic></PointSymbolizer></Rule>`,
    );
    const missing: string[] = [];
    const layer: VectorLayer = { ...createDrawnLayer(dates, pictures), loadGraphic: async () => undefined };
    const request = { ...smallMap, layers: [layer], onMissingGraphic: (href: string) => missing.push(href) };
    const before = process.threadCpuUsage();

    await renderer.draw(request, wideBudget, never);

    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(400);
    expect(missing.map((href) => href.slice(0, 3)).toSorted()).toEqual([
      'Fri',
      'Mon',
      'Sat',
      'Sun',
      'Thu',
      'Tue',
      'Wed',
    ]);
  });

  test('stops and closes its source when the client cancels it', async () => {
    const { layer, started, stopped } = endlessLayer();
    const gone = new AbortController();
    const drawing = renderer.draw({ ...smallMap, layers: [layer] }, wideBudget, gone.signal);
    await started;

    gone.abort(new Error('the client has disconnected'));

    await expect(drawing).rejects.toThrow('the client has disconnected');
    await stopped;
    await expect(renderer.draw({ ...smallMap, layers: [] }, wideBudget, never)).resolves.toMatchObject({ width: 20 });
  });

  test('fails with a Problem when it exceeds its time limit', async () => {
    const { layer, stopped } = endlessLayer();

    const drawing = renderer.draw({ ...smallMap, layers: [layer] }, { ...wideBudget, milliseconds: 50 }, never);

    await expect(drawing).rejects.toMatchObject({ code: 'map-too-slow' });
    await stopped;
  });

  test('returns a partial picture when it exceeds its time limit and the request allows that', async () => {
    const { layer, stopped } = endlessLayer();
    let isPartial = false;
    const onPartial = (): void => {
      isPartial = true;
    };

    const request = { ...smallMap, layers: [layer], onPartial };
    const map = await renderer.draw(request, { ...wideBudget, milliseconds: 500 }, never);

    expect([isPartial, map.width, map.bytes.length]).toEqual([true, 20, 1_600]);
    await stopped;
    expect(isPartial).toBe(true);
  });

  test('returns a partial feature grid when it exceeds its time limit and the request allows that', async () => {
    const { layer, stopped } = endlessLayer();
    let isPartial = false;
    const onPartial = (): void => {
      isPartial = true;
    };
    const budget = { ...wideBudget, milliseconds: 500 };

    const grid = await renderer.findOnGrid({ ...smallMap, layers: [layer], onPartial }, budget, never);

    expect([isPartial, grid.columns, grid.cells.length]).toEqual([true, 20, 400]);
    await stopped;
    const { layer: another } = endlessLayer();
    const wanted = renderer.findOnGrid({ ...smallMap, layers: [another] }, { ...budget, milliseconds: 50 }, never);
    await expect(wanted).rejects.toMatchObject({ code: 'map-too-slow' });
  });

  test('stops waiting for a worker when the client cancels it', async () => {
    const { layer, started } = endlessLayer();
    const [first, second] = [new AbortController(), new AbortController()];
    const before = renderer.draw({ ...smallMap, layers: [layer] }, wideBudget, first.signal);
    await started;
    const waiting = renderer.draw({ ...smallMap, layers: [] }, wideBudget, second.signal);

    second.abort(new Error('the client has disconnected'));

    await expect(waiting).rejects.toThrow('the client has disconnected');
    first.abort();
    await Promise.allSettled([before]);
    await expect(renderer.draw({ ...smallMap, layers: [] }, wideBudget, never)).resolves.toMatchObject({ width: 20 });
  });

  test('is rejected if too many maps are waiting', async () => {
    const { layer, started } = endlessLayer();
    const gone = new AbortController();
    const request = { ...smallMap, layers: [layer] };
    const first = renderer.draw(request, wideBudget, gone.signal);
    await started;
    const second = renderer.draw(request, wideBudget, gone.signal);

    const third = renderer.draw(request, wideBudget, gone.signal);

    await expect(third).rejects.toMatchObject({ code: 'work-refused' });
    gone.abort();
    await Promise.allSettled([first, second]);
  });
});
