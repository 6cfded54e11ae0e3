import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { VectorDriver } from './port/driver.ts';
import type { VectorSource } from './port/port.ts';
import { openVectorSources } from './sources.ts';

/**
 * A driver that records what is opened and closed; a source named `stuck` never responds, and one named `broken`
 * never opens.
 */
function trial(options: { readonly maxOpen?: number; readonly deadlineMs?: number } = {}) {
  const events: string[] = [];
  const driver: VectorDriver = {
    type: 'Test',
    accepts: () => true,
    parameterNames: new Set(['name']),
    validate: () => undefined,
    takesImports: false,
    async open({ name = '' }) {
      events.push(`open ${name}`);
      if (name === 'broken') throw new Error('broken');
      return {
        listTypes: async () => (name === 'stuck' ? new Promise(() => undefined) : [{ name, hasGeometry: false }]),
        describe: async () => undefined,
        read: async function* () {
          yield [];
        },
        connections: () => ({ open: 3, idle: 2, waiting: 1 }),
        close: async () => void events.push(`close ${name}`),
      } satisfies VectorSource;
    },
  };
  const sources = openVectorSources({
    drivers: [driver],
    context: { resolvePath: async (named) => named },
    deadlineMs: options.deadlineMs ?? 60_000,
    maxOpen: options.maxOpen ?? 10,
  });
  const store = (id: string, version = 1, name = `${id}${version}`) => ({
    id,
    version,
    name: id,
    parameters: { name },
  });
  const list = (source: VectorSource, signal: AbortSignal) => source.listTypes(signal);
  return { events, sources, store, list };
}

describe('store sources', () => {
  it('are opened once per version of a store', async () => {
    const { events, sources, store, list } = trial();

    await Promise.all([sources.use(store('a'), list), sources.use(store('a'), list)]);
    await sources.use(store('a', 2), list);

    expect(events).toEqual(['open a1', 'open a2', 'close a1']);
  });

  it('are all closed on a reset and opened again', async () => {
    const { events, sources, store, list } = trial();
    await sources.use(store('a'), list);
    await sources.use(store('b'), list);

    await sources.resetAll();
    await sources.use(store('a'), list);

    expect(events).toEqual(['open a1', 'open b1', 'close a1', 'close b1', 'open a1']);
  });

  it('are counted with their connections', async () => {
    const { sources, store, list } = trial();
    expect(sources.getCounts()).toEqual({ sources: 0, open: 0, idle: 0, waiting: 0 });

    await sources.use(store('a'), list);
    await sources.use(store('b'), list);
    expect(sources.getCounts()).toEqual({ sources: 2, open: 6, idle: 4, waiting: 2 });

    await sources.reset('a');
    expect(sources.getCounts()).toEqual({ sources: 1, open: 3, idle: 2, waiting: 1 });
  });

  it('stay open for current users during a reset', async () => {
    const { events, sources, store } = trial();
    const held = Promise.withResolvers<string>();
    const use = sources.use(store('a'), () => held.promise);
    await new Promise((resolve) => setImmediate(resolve));

    const reset = sources.reset('a');
    expect(events).toEqual(['open a1']);
    held.resolve('read');

    expect(await use).toBe('read');
    await reset;
    expect(events).toEqual(['open a1', 'close a1']);
  });

  it('are closed when there are too many, least recently used first', async () => {
    const { events, sources, store, list } = trial({ maxOpen: 2 });

    for (const id of ['a', 'b', 'a', 'c']) {
      await sources.use(store(id), list);
    }
    await new Promise((resolve) => setImmediate(resolve));

    expect(events).toEqual(['open a1', 'open b1', 'open c1', 'close b1']);
  });

  it('are abandoned at the deadline', async () => {
    const { sources, store, list } = trial({ deadlineMs: 50 });

    await expect(sources.use(store('a', 1, 'stuck'), list)).rejects.toMatchObject({ code: 'store-unreachable' });
  });

  describe('store sources with long work', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('are not abandoned while the work progresses or has nothing to wait for', async () => {
      const { sources, store } = trial({ deadlineMs: 50 });

      const use = sources.use(store('a'), async (_source, signal, deadline) => {
        for (let step = 0; step < 10; step += 1) {
          await vi.advanceTimersByTimeAsync(40);
          deadline.extend();
        }
        deadline.cancel();
        deadline.extend();
        await vi.advanceTimersByTimeAsync(1_000);
        return signal.aborted;
      });

      expect(await use).toBe(false);
    });

    it('are abandoned when the work stalls', async () => {
      const { sources, store } = trial({ deadlineMs: 50 });

      const use = sources.use(store('a'), async (_source, _signal, deadline) => {
        await vi.advanceTimersByTimeAsync(40);
        deadline.extend();
        await vi.advanceTimersByTimeAsync(60);
      });

      await expect(use).rejects.toMatchObject({ code: 'store-unreachable' });
    });
  });

  it('are opened again after a failure', async () => {
    const { events, sources, store, list } = trial();

    for (const _ of [1, 2]) {
      await expect(sources.use(store('a', 1, 'broken'), list)).rejects.toThrow('broken');
    }

    expect(events).toEqual(['open broken', 'open broken']);
  });

  it('are all closed at the end', async () => {
    const { events, sources, store, list } = trial();
    await sources.use(store('a'), list);
    await sources.use(store('b'), list);

    await sources.close();

    expect(events.slice(2).sort()).toEqual(['close a1', 'close b1']);
  });
});
