import { describe, expect, it } from 'vitest';
import {
  createFairSemaphore,
  LONG_WORK_MS,
  MAX_WAIT_MS,
  type PermitRequest,
  type SemaphoreLimits,
  SHORT_WORK_MS,
} from './fair-semaphore.ts';
import { runWithDeadline } from './pausable-timer.ts';
import { runForClient, runInBackground } from './request-scope.ts';

/** Everything has happened that can happen without anything else. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Places whose alarms ring when the test says so, and what happens, in its order. */
function openPlaces(limits: Partial<SemaphoreLimits> = {}) {
  const alarms = new Map<() => void, number>();
  const events: string[] = [];
  const places = createFairSemaphore(
    { places: 2, extraPlaces: 1, maxWaiting: 100, ...limits },
    (milliseconds, ring) => {
      alarms.set(ring, milliseconds);
      return () => void alarms.delete(ring);
    },
  );
  return {
    places,
    events,
    /** Each call is a request of its own. */
    async begin(client: string, name: string, request: PermitRequest = {}) {
      const taken = runForClient(client, () => places.acquire(request));
      taken.then(
        () => events.push(`${name} begins`),
        () => events.push(`${name} does not begin`),
      );
      await settled();
      return {
        leave: async () => {
          (await taken).release();
          await settled();
        },
        refusal: () => taken.catch((error: unknown) => error),
        place: taken,
      };
    },
    restartable: (name: string): PermitRequest => ({ onPreempted: () => events.push(`${name} is set back`) }),
    async ring(after: number) {
      for (const [ring, milliseconds] of [...alarms]) {
        if (milliseconds === after && alarms.delete(ring)) ring();
      }
      await settled();
    },
  };
}

describe('fair places', () => {
  it('give a client without a place its turn before the other work of a client that came first', async () => {
    const { begin, events } = openPlaces({ places: 2, extraPlaces: 0 });
    const first = await begin('a', 'a1');
    for (const name of ['a2', 'a3', 'a4']) await begin('a', name);
    const other = await begin('b', 'b1');
    await begin('b', 'b2');
    await begin('c', 'c1');

    await other.leave();
    await first.leave();

    expect(events).toEqual(['a1 begins', 'b1 begins', 'c1 begins', 'a2 begins']);
  });

  it('take turns between the stores of a client', async () => {
    const { begin, events } = openPlaces({ places: 1, extraPlaces: 0 });
    let running = await begin('a', 'x1', { store: 'x' });
    const waiting = [];
    for (const name of ['x2', 'x3', 'y1', 'y2']) waiting.push(await begin('a', name, { store: name.slice(0, 1) }));

    for (const next of [waiting[2], waiting[0], waiting[3], waiting[1]]) {
      await running.leave();
      if (next !== undefined) running = next;
    }

    expect(events).toEqual(['x1 begins', 'y1 begins', 'x2 begins', 'y2 begins', 'x3 begins']);
  });

  it('never give all places to one client', async () => {
    const { begin, events, ring } = openPlaces({ places: 4, extraPlaces: 2 });
    for (let number = 1; number <= 30; number += 1) await begin('a', `a${number}`);
    await ring(LONG_WORK_MS);
    expect(events).toEqual(['a1 begins', 'a2 begins', 'a3 begins', 'a4 begins', 'a5 begins']);

    await begin('b', 'b');

    expect(events.slice(5)).toEqual(['b begins']);
  });

  it('open an extra place at once for a client without one while another client has several', async () => {
    const { begin, events } = openPlaces();
    await begin('a', 'a1');
    await begin('a', 'a2');
    await begin('a', 'a3');

    await begin('b', 'b');

    expect(events).toEqual(['a1 begins', 'a2 begins', 'b begins']);
  });

  it('keep half of the places free of one store, and one of those of one store free of each client', async () => {
    const { begin, events, ring } = openPlaces({ places: 4, extraPlaces: 2 });
    for (let number = 1; number <= 6; number += 1) await begin('a', `a${number}`, { store: 'x' });
    await ring(LONG_WORK_MS);
    expect(events).toEqual(['a1 begins', 'a2 begins']);

    await begin('b', 'b', { store: 'x' });
    await begin('c', 'c', { store: 'x' });
    await begin('a', 'one feature of another store', { store: 'y' });

    expect(events.slice(2)).toEqual(['b begins', 'one feature of another store begins']);
  });

  it('let short work pass long work', async () => {
    const { begin, events, ring } = openPlaces({ places: 1, extraPlaces: 2 });
    await begin('a', 'long');
    await begin('a', 'short');
    expect(events).toEqual(['long begins']);

    await ring(LONG_WORK_MS);

    expect(events.slice(1)).toEqual(['short begins']);
  });

  it('do not count the time in which work waits for something else as running', async () => {
    const { begin, events, ring } = openPlaces({ places: 1, extraPlaces: 2 });
    const { place } = await begin('a', 'reading');
    (await place).pauseClock();
    await begin('a', 'next');
    await ring(LONG_WORK_MS);
    expect(events).toEqual(['reading begins']);

    (await place).resumeClock();
    await ring(LONG_WORK_MS);

    expect(events.slice(1)).toEqual(['next begins']);
  });

  it('give a request that holds a place further ones first, beyond its shares', async () => {
    const { begin, places, events } = openPlaces({ places: 2, extraPlaces: 0 });
    const other = await begin('b', 'b');
    const further = runForClient('a', async () => {
      await places.acquire({ store: 'x' });
      await begin('c', 'c');
      const second = places.acquire({ store: 'x' });
      await other.leave();
      await second;
      return 'both';
    });

    expect(await further).toBe('both');
    expect(events).toEqual(['b begins']);
  });

  it('let background work wait behind clients without a place, and give it its turn', async () => {
    const { begin, places, events, ring } = openPlaces({ places: 1, extraPlaces: 0 });
    const first = await begin('a', 'a1');
    const tile = runInBackground('tiles', () => places.acquire());
    tile.then(() => events.push('tile begins'));
    const second = await begin('b', 'b1');
    await begin('a', 'a2');

    await first.leave();
    await ring(MAX_WAIT_MS);
    await second.leave();

    expect(events).toEqual(['a1 begins', 'b1 begins', 'a2 does not begin', 'tile begins']);
  });

  it('refuse work behind too much other work, of one client or of all', async () => {
    const { begin } = openPlaces({ places: 1, extraPlaces: 0, maxWaiting: 4 });
    for (const name of ['running', 'first', 'second']) await begin('a', name);
    const busy = {
      code: 'work-refused',
      message: 'The server is busy. Retry after 5 seconds.',
      details: { retryAfterSeconds: 5 },
    };

    expect(await (await begin('a', 'third')).refusal()).toMatchObject(busy);
    await begin('b', 'third');
    await begin('c', 'fourth');
    expect(await (await begin('d', 'fifth')).refusal()).toMatchObject(busy);
  });

  it('refuse work that has waited for too long', async () => {
    const { begin, places, ring } = openPlaces({ places: 1, extraPlaces: 0 });
    await begin('a', 'running');
    const waiting = await begin('b', 'waiting');

    await ring(MAX_WAIT_MS);

    expect(await waiting.refusal()).toMatchObject({ code: 'work-refused' });
    expect(places.countWaiting()).toBe(0);
  });

  it('stop the deadlines of work while it waits', async () => {
    const { begin, places } = openPlaces({ places: 1, extraPlaces: 0 });
    const running = await begin('a', 'running');
    const calls: string[] = [];
    const deadline = { pause: () => calls.push('pause'), resume: () => calls.push('resume') };

    const waiting = runWithDeadline(deadline, () => places.acquire());
    await settled();
    expect(calls).toEqual(['pause']);
    await running.leave();
    await waiting;

    expect(calls).toEqual(['pause', 'resume']);
  });

  it('forget work whose signal is aborted', async () => {
    const { begin, places, events } = openPlaces({ places: 1, extraPlaces: 0 });
    const running = await begin('a', 'running');
    const gone = new AbortController();
    await begin('b', 'gone', { signal: gone.signal });

    gone.abort();
    await running.leave();

    expect(events).toEqual(['running begins', 'gone does not begin']);
    expect([places.countRunning(), places.countWaiting()]).toEqual([0, 0]);
  });

  it('are awaited where all are in use, or where work on the same store waits', async () => {
    const { begin, places } = openPlaces({ places: 4, extraPlaces: 0 });
    await begin('a', '1', { store: 'x' });
    expect(places.isAwaited('x')).toBe(false);
    await begin('a', '2', { store: 'x' });
    expect([places.isAwaited('x'), places.isAwaited('y')]).toEqual([true, false]);
    for (const client of ['b', 'c', 'd', 'e']) await begin(client, client);

    expect(places.isAwaited('y')).toBe(true);
  });
});

describe('fair places of work that can begin again', () => {
  const limits = { isExtraForRestartable: true } as const;

  it('let a short map pass the 30 long maps of another client', async () => {
    const { begin, restartable, events, ring } = openPlaces(limits);
    for (let number = 1; number <= 30; number += 1) await begin('a', `a${number}`, restartable(`a${number}`));
    await ring(LONG_WORK_MS);
    expect(events).toEqual(['a1 begins', 'a2 begins', 'a3 begins']);
    // The third has run for no longer than short work does.
    await begin('b', 'b', restartable('b'));
    expect(events.slice(3)).toEqual([]);

    await ring(SHORT_WORK_MS);

    expect(events.slice(3)).toEqual(['a3 is set back']);
  });

  it('give the place of work that is set back to the client that waits for it', async () => {
    const { begin, restartable, events, ring } = openPlaces(limits);
    await begin('a', 'a1', restartable('a1'));
    await begin('a', 'a2', restartable('a2'));
    await ring(LONG_WORK_MS);
    const third = await begin('a', 'a3', restartable('a3'));
    await begin('a', 'a4', restartable('a4'));
    await ring(SHORT_WORK_MS);
    await begin('b', 'b', restartable('b'));
    await third.leave();
    await begin('a', 'a3 again', { wasPreempted: true });

    expect(events).toEqual(['a1 begins', 'a2 begins', 'a3 begins', 'a3 is set back', 'b begins']);
  });

  it('set back what is long where everything is long and shorter work waits, and nothing else', async () => {
    const { begin, restartable, events, ring } = openPlaces(limits);
    const first = await begin('a', 'a1', restartable('a1'));
    for (const name of ['a2', 'a3']) {
      await begin('a', name, restartable(name));
      await ring(LONG_WORK_MS);
    }
    await ring(LONG_WORK_MS);
    expect(events).toEqual(['a1 begins', 'a2 begins', 'a3 begins']);

    await begin('a', 'short', restartable('short'));

    expect(events.slice(3)).toEqual(['a3 is set back']);
    await first.leave();
    expect(events.slice(4)).toEqual(['short begins']);
  });

  it('begin work again that was set back once less is long, and do not set it back again', async () => {
    const { begin, restartable, events, ring } = openPlaces(limits);
    const first = await begin('a', 'a1', restartable('a1'));
    await begin('a', 'a2', restartable('a2'));
    await ring(LONG_WORK_MS);
    await begin('a', 'again', { wasPreempted: true, ...restartable('again') });
    await begin('a', 'short', restartable('short'));
    expect(events).toEqual(['a1 begins', 'a2 begins', 'short begins']);

    await first.leave();
    await ring(LONG_WORK_MS);
    await begin('a', 'shorter', restartable('shorter'));

    expect(events.slice(3)).toEqual(['again begins', 'short is set back']);
  });

  it('give extra places to no work that cannot begin again', async () => {
    const { begin, restartable, events, ring } = openPlaces({ ...limits, places: 1 });
    const long = await begin('a', 'long', restartable('long'));
    await ring(LONG_WORK_MS);
    await begin('a', 'part');
    await begin('a', 'short', restartable('short'));
    expect(events).toEqual(['long begins', 'short begins']);

    await long.leave();

    expect(events.slice(2)).toEqual([]);
  });

  it('do not set back the only work of a client for a client that has more', async () => {
    const { begin, restartable, events, ring } = openPlaces(limits);
    await begin('a', 'a1', restartable('a1'));
    await begin('a', 'a2', restartable('a2'));
    await ring(LONG_WORK_MS);
    await begin('b', 'b', restartable('b'));
    await ring(LONG_WORK_MS);

    await begin('a', 'a3', restartable('a3'));

    expect(events).toEqual(['a1 begins', 'a2 begins', 'b begins', 'a2 is set back']);
  });
});
