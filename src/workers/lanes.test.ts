import { describe, expect, it } from 'vitest';
import { type Beginning, createLanes, type LaneLimits, type Lanes, type Turn } from './lanes.ts';

const never = new AbortController().signal;

/** Lanes whose alarms ring when the test says so; and the names of what happens, in its order. */
function openLanes(limits: Partial<LaneLimits> = {}) {
  const [alarms, told]: [Set<() => void>, string[]] = [new Set(), []];
  const lanes = createLanes({ threads: 2, places: 4, maxLong: 4, maxWaiting: 100, ...limits }, (ring) => {
    alarms.add(ring);
    return () => void alarms.delete(ring);
  });
  const ring = () => {
    for (const each of [...alarms].filter((alarm) => alarms.delete(alarm))) each();
  };
  return { told, ring, begin: (name: string, how?: Partial<Beginning>) => begin(lanes, told, name, how) };
}

/** Work that wants a place and then a thread. */
function begin(lanes: Lanes, told: string[], name: string, how: Partial<Beginning> = {}) {
  const turn = lanes.begin({
    signal: never,
    wasSetBack: false,
    mayBeSetBack: true,
    whenSetBack: () => told.push(`${name} set back`),
    ...how,
  });
  turn.then(
    () => told.push(`${name} begins`),
    () => told.push(`${name} never begins`),
  );
  return {
    paint: async (signal = never) => {
      const lane = (await turn).thread(signal);
      lane.then(
        (found) => told.push(`${name} is ${found}`),
        () => told.push(`${name} gets no thread`),
      );
      await settled();
    },
    leave: async () => {
      ((await turn) satisfies Turn).leave();
      await settled();
    },
    refusal: () => turn.catch((error: unknown) => error),
  };
}

/** Everything has happened that can happen without anybody else. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('lanes', () => {
  it('let so many begin, some of them with a thread, and the others in the order of asking', async () => {
    const { begin, told } = openLanes({ threads: 1, places: 2 });
    const [a, b, c] = ['a', 'b', 'c', 'd'].map((name) => begin(name));
    await a?.paint();
    await b?.paint();

    await a?.leave();
    await c?.paint();
    await b?.leave();

    expect(told).toEqual(['a begins', 'b begins', 'a is usual', 'c begins', 'b is usual', 'd begins', 'c is usual']);
  });

  it('refuse whoever would wait beside too many', async () => {
    const { begin } = openLanes({ places: 1, maxWaiting: 1 });
    begin('a');
    begin('b');

    expect(await begin('c').refusal()).toMatchObject({ code: 'work-refused' });
  });

  it('let others begin in the place of what is long', async () => {
    const { begin, told, ring } = openLanes({ threads: 1, places: 1 });
    await begin('long').paint();
    begin('short');
    await settled();
    expect(told).toEqual(['long begins', 'long is usual']);

    ring();
    await settled();

    expect(told.slice(2)).toEqual(['short begins']);
  });

  it('let no more be long beside the others than there is room for', async () => {
    const { begin, told, ring } = openLanes({ places: 1, maxLong: 1 });
    const first = begin('first');
    ring();
    begin('second');
    ring();
    begin('third');
    await settled();
    expect(told).toEqual(['first begins', 'second begins']);

    await first.leave();

    expect(told.slice(2)).toEqual(['third begins']);
  });

  it('let others pass by where all usual threads have long work, and only then', async () => {
    const { begin, told, ring } = openLanes();
    await begin('long').paint();
    ring();
    const second = begin('second');
    await second.paint();
    const short = begin('short');
    await short.paint();
    expect(told).toEqual(['long begins', 'long is usual', 'second begins', 'second is usual', 'short begins']);

    ring();
    await settled();

    expect(told.slice(5)).toEqual(['short is passing']);
  });

  it('let nothing pass by that could not begin again', async () => {
    const { begin, told, ring } = openLanes({ threads: 1 });
    const long = begin('long');
    await long.paint();
    ring();
    await begin('part', { mayBeSetBack: false }).paint();
    await begin('short').paint();
    expect(told.slice(2)).toEqual(['part begins', 'short begins', 'short is passing']);

    await long.leave();

    expect(told.slice(5)).toEqual(['part is usual']);
  });

  it('set back what is long where others should pass, until a usual thread is free for it', async () => {
    const { begin, told, ring } = openLanes();
    const usual = begin('1');
    await usual.paint();
    await begin('2').paint();
    ring();
    const third = begin('3');
    await third.paint();
    const short = begin('short');
    await short.paint();
    expect(told.slice(4)).toEqual(['3 begins', '3 is passing', 'short begins']);

    ring();
    await third.leave();
    const again = begin('3 again', { wasSetBack: true });
    await short.leave();
    await begin('another').paint();
    expect(told.slice(7)).toEqual(['3 set back', 'short is passing', 'another begins', 'another is passing']);

    await usual.leave();
    await again.paint();

    expect(told.slice(11)).toEqual(['3 again begins', '3 again is usual']);
  });

  it('leave what is long where it is while nobody wants to pass', async () => {
    const { begin, told, ring } = openLanes();
    for (const name of ['1', '2', '3']) {
      await begin(name).paint();
      ring();
    }
    await settled();
    expect(told).not.toContain('3 set back');

    await begin('short').paint();

    expect(told).toContain('3 set back');
  });

  it('do not count the time that work waits for a thread', async () => {
    const { begin, told, ring } = openLanes({ threads: 1 });
    await begin('long').paint();
    await begin('short').paint();
    await begin('another').paint();

    ring();
    await settled();

    expect(told.slice(2)).toEqual(['short begins', 'another begins', 'short is passing']);
  });

  it('forget those who wait no longer', async () => {
    const { begin, told } = openLanes({ threads: 1, places: 2 });
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const usual = begin('usual');
    await usual.paint();
    const forThread = begin('for a thread');
    await forThread.paint(first.signal);
    begin('for a place', { signal: second.signal });
    begin('set back', { signal: third.signal, wasSetBack: true });
    begin('last');

    for (const each of [first, second, third]) each.abort();
    await forThread.leave();
    await usual.leave();

    expect(told.slice(3)).toEqual([
      'for a thread gets no thread',
      'for a place never begins',
      'set back never begins',
      'last begins',
    ]);
  });
});
