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

/** Lets all pending promises settle. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A semaphore whose timers fire on demand, and a log of events. */
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
    /** Each call is a separate request. */
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

describe('fair semaphore', () => {
  it('serves a client without a permit before further work of an earlier client', async () => {
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

  it('alternates between the stores of a client', async () => {
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

  it('never gives all permits to one client', async () => {
    const { begin, events, ring } = openPlaces({ places: 4, extraPlaces: 2 });
    for (let number = 1; number <= 30; number += 1) await begin('a', `a${number}`);
    await ring(LONG_WORK_MS);
    expect(events).toEqual(['a1 begins', 'a2 begins', 'a3 begins', 'a4 begins', 'a5 begins']);

    await begin('b', 'b');

    expect(events.slice(5)).toEqual(['b begins']);
  });

  it('opens an extra permit immediately for a client without one while another client has several', async () => {
    const { begin, events } = openPlaces();
    await begin('a', 'a1');
    await begin('a', 'a2');
    await begin('a', 'a3');

    await begin('b', 'b');

    expect(events).toEqual(['a1 begins', 'a2 begins', 'b begins']);
  });

  it('reserves half of the permits from one store, and one of its share from each client', async () => {
    const { begin, events, ring } = openPlaces({ places: 4, extraPlaces: 2 });
    for (let number = 1; number <= 6; number += 1) await begin('a', `a${number}`, { store: 'x' });
    await ring(LONG_WORK_MS);
    expect(events).toEqual(['a1 begins', 'a2 begins']);

    await begin('b', 'b', { store: 'x' });
    await begin('c', 'c', { store: 'x' });
    await begin('a', 'one feature of another store', { store: 'y' });

    expect(events.slice(2)).toEqual(['b begins', 'one feature of another store begins']);
  });

  it('counts work that waits for another server as long from its start', async () => {
    const { begin, events } = openPlaces({ places: 2, extraPlaces: 2 });
    const waiting = { store: 'far', waitsElsewhere: true };
    for (const client of ['a', 'b', 'c']) await begin(client, client, waiting);
    expect(events).toEqual(['a begins', 'b begins']);
    for (const client of ['d', 'e']) await begin(client, client);
    expect(events).toEqual(['a begins', 'b begins', 'd begins', 'e begins']);
  });

  it('lets short work overtake long work', async () => {
    const { begin, events, ring } = openPlaces({ places: 1, extraPlaces: 2 });
    await begin('a', 'long');
    await begin('a', 'short');
    expect(events).toEqual(['long begins']);

    await ring(LONG_WORK_MS);

    expect(events.slice(1)).toEqual(['short begins']);
  });

  it('does not count the time in which work waits for something else', async () => {
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

  it('gives a request with a permit further ones first, beyond its share', async () => {
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

  it('lets background work wait behind clients without a permit, but serves it eventually', async () => {
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

  it('rejects work if too much is waiting, of one client or of all', async () => {
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

  it('rejects work that has waited too long', async () => {
    const { begin, places, ring } = openPlaces({ places: 1, extraPlaces: 0 });
    await begin('a', 'running');
    const waiting = await begin('b', 'waiting');

    await ring(MAX_WAIT_MS);

    expect(await waiting.refusal()).toMatchObject({ code: 'work-refused' });
    expect(places.countWaiting()).toBe(0);
  });

  it('pauses the deadlines of waiting work', async () => {
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

  it('drops work whose signal is aborted', async () => {
    const { begin, places, events } = openPlaces({ places: 1, extraPlaces: 0 });
    const running = await begin('a', 'running');
    const gone = new AbortController();
    await begin('b', 'gone', { signal: gone.signal });

    gone.abort();
    await running.leave();

    expect(events).toEqual(['running begins', 'gone does not begin']);
    expect([places.countRunning(), places.countWaiting()]).toEqual([0, 0]);
  });

  it('is awaited if all permits are in use, or if work on the same store waits', async () => {
    const { begin, places } = openPlaces({ places: 4, extraPlaces: 0 });
    await begin('a', '1', { store: 'x' });
    expect(places.isAwaited('x')).toBe(false);
    await begin('a', '2', { store: 'x' });
    expect([places.isAwaited('x'), places.isAwaited('y')]).toEqual([true, false]);
    for (const client of ['b', 'c', 'd', 'e']) await begin(client, client);

    expect(places.isAwaited('y')).toBe(true);
  });
});

describe('fair semaphore with restartable work', () => {
  const limits = { isExtraForRestartable: true } as const;

  it('lets a short map overtake the 30 long maps of another client', async () => {
    const { begin, restartable, events, ring } = openPlaces(limits);
    for (let number = 1; number <= 30; number += 1) await begin('a', `a${number}`, restartable(`a${number}`));
    await ring(LONG_WORK_MS);
    expect(events).toEqual(['a1 begins', 'a2 begins', 'a3 begins']);
    // The third one still counts as short.
    await begin('b', 'b', restartable('b'));
    expect(events.slice(3)).toEqual([]);

    await ring(SHORT_WORK_MS);

    expect(events.slice(3)).toEqual(['a3 is set back']);
  });

  it('gives the permit of preempted work to the waiting client', async () => {
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

  it('preempts long work if all work is long and shorter work waits', async () => {
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

  it('restarts preempted work once less work is long, and does not preempt it again', async () => {
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

  it('gives no extra permits to work that cannot restart', async () => {
    const { begin, restartable, events, ring } = openPlaces({ ...limits, places: 1 });
    const long = await begin('a', 'long', restartable('long'));
    await ring(LONG_WORK_MS);
    await begin('a', 'part');
    await begin('a', 'short', restartable('short'));
    expect(events).toEqual(['long begins', 'short begins']);

    await long.leave();

    expect(events.slice(2)).toEqual([]);
  });

  it('does not preempt the only work of a client for a client that has more', async () => {
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
