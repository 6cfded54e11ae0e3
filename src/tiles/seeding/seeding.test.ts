/** The guarantees of seed jobs, on one node and on several nodes with shared notes. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notesInMemory } from '../../../test/support/notes-in-memory.ts';
import type { Notes } from '../../storage/port/port.ts';
import { listTiles, type SeedOrder } from './seed-job.ts';
import { type MakeTile, SeedingNode } from './seeding.ts';

const order: SeedOrder = {
  map: 'layer-1',
  name: 'acme:roads',
  style: null,
  set: 'WebMercatorQuad',
  format: 'png',
  levels: [
    { level: 0, minColumn: 0, maxColumn: 0, minRow: 0, maxRow: 0 },
    { level: 1, minColumn: 0, maxColumn: 1, minRow: 0, maxRow: 1 },
  ],
  parameters: [],
  threads: 2,
};

/** Each node records what it creates; nodes that hold their tiles create none until the job is stopped. */
function openNodes(names: readonly string[], notes: Notes = notesInMemory(), waitForWrites = async () => {}) {
  const gone = new Set<string>();
  const made: string[] = [];
  const failures: unknown[] = [];
  const held: MakeTile = (_job, _address, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const open = (name: string, make?: MakeTile): SeedingNode => {
    const node = new SeedingNode({
      notes,
      nodes: {
        here: name,
        isShared: names.length > 1,
        list: async () => names.map((id) => ({ id, isAlive: !gone.has(id) })),
      },
      clock: () => 0,
      waitForWrites,
      everyMs: 1,
      onError: (reason) => failures.push(reason),
    });
    node.startWorking(
      make ??
        (async (_job, { level, row, column }) => {
          made.push(`${name} ${level} ${row} ${column}`);
          return true;
        }),
    );
    onTestFinished(() => node.close());
    return node;
  };
  return { open, held, made, gone, failures, notes };
}

it('tiles are listed row by row from any start, each once', () => {
  const all = [...listTiles(order)];

  expect(all.map(({ level, row, column }) => `${level} ${row} ${column}`)).toEqual([
    ...['0 0 0', '1 0 0', '1 0 1', '1 1 0', '1 1 1'],
  ]);
  for (const start of all.keys()) {
    expect([...listTiles(order, start)]).toEqual([...all.slice(start), ...all.slice(0, start)]);
  }
});

it('a node begins at the given tile, and at the first one if that is unknown', async () => {
  const begin = async (findStart: () => Promise<number>) => {
    const made: number[] = [];
    const failures: unknown[] = [];
    const node = new SeedingNode({
      ...{ notes: notesInMemory(), clock: () => 0, waitForWrites: async () => {}, everyMs: 1, findStart },
      nodes: { here: 'one', isShared: false, list: async () => [{ id: 'one', isAlive: true }] },
      onError: (reason) => failures.push(reason),
    });
    onTestFinished(() => node.close());
    node.startWorking(async (_job, { level, row, column }) => made.push(level * 100 + row * 10 + column) > 0);
    await node.start({ ...order, threads: 1 });
    await until(async () => (await node.list()).length === 0);
    return { made, failures };
  };

  expect((await begin(async () => 0.5)).made).toEqual([101, 110, 111, 0, 100]);
  const unknown = await begin(() => Promise.reject(new Error('the database is down')));
  expect(unknown.made).toEqual([0, 100, 101, 110, 111]);
  expect(unknown.failures).toHaveLength(1);
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await othersFirst();
}

const isIdle = (node: SeedingNode) => async () => (await node.list()).length === 0;

const tiles = ['0 0 0', '1 0 0', '1 0 1', '1 1 0', '1 1 1'];

describe('seed jobs', () => {
  it('end when all tiles are on disk', async () => {
    let finishWriting = () => {};
    const writes = new Promise<void>((resolve) => {
      finishWriting = resolve;
    });
    const { open, made } = openNodes(['one'], notesInMemory(), () => writes);
    const node = open('one');
    await node.start(order);
    await until(() => made.length === 5);

    expect(await node.list()).toMatchObject([{ done: 5, state: 'running' }]);
    finishWriting();
    await until(async () => (await node.list()).length === 0);
  });

  it('create each tile once on every node, and end', async () => {
    const { open, made } = openNodes(['a', 'b']);
    const [a, b] = [open('a'), open('b')];

    await a.start(order);
    await until(isIdle(b));

    expect(made.toSorted()).toEqual(['a', 'b'].flatMap((name) => tiles.map((tile) => `${name} ${tile}`)));
    expect(await a.list()).toEqual([]);
  });

  it('are reported equally by every node, with their total progress', async () => {
    const { open, held, made } = openNodes(['a', 'b']);
    const [a, b] = [open('a', held), open('b')];

    const id = await b.start(order);
    await until(async () => (await a.list())[0]?.done === tiles.length);

    const expected = [{ id, map: 'layer-1', done: 5, total: 10, secondsLeft: -1, state: 'running' }];
    expect([await a.list(), await b.list(), await a.list('layer-1'), await b.list('layer-2')]).toEqual([
      expected,
      expected,
      expected,
      [],
    ]);
    expect(made).toHaveLength(tiles.length);
  });

  it('can be stopped on all nodes by any node', async () => {
    const { open, held, notes, failures } = openNodes(['a', 'b']);
    const [a, b] = [open('a', held), open('b', held)];
    await a.start(order);
    await a.start({ ...order, map: 'layer-2' });
    await until(async () => (await notes.listNames('tile jobs of ')).length === 2);

    await b.stop({ states: ['pending'] });
    const left = (await a.list()).map(({ map, state }) => [map, state]);
    await b.stop({ states: ['running', 'pending'], map: 'layer-2' });
    expect(await a.list()).toHaveLength(1);
    await b.stop({ states: ['running', 'pending'], map: 'layer-1' });

    expect(left).toEqual([['layer-1', 'running']]);
    expect([await a.list(), await b.list()]).toEqual([[], []]);
    // All nodes have removed their progress.
    await until(async () => (await notes.listNames('tile jobs')).length === 0);
    expect(failures).toEqual([]);
  });

  it('do not wait for a node that has left', async () => {
    const { open, held, gone, made, notes } = openNodes(['a', 'b']);
    const [a, b] = [open('a', held), open('b')];
    await a.start(order);
    await until(() => made.length === tiles.length);
    expect(await b.list()).toHaveLength(1);

    gone.add('a');
    await a.close();
    await until(isIdle(b));

    await until(async () => (await notes.listNames('tile jobs')).length === 0);
  });

  it('continue when a node restarts', async () => {
    const { open, held, made } = openNodes(['a']);
    const before = open('a', held);
    await before.start(order);
    await before.close();

    const after = open('a');
    await until(isIdle(after));

    expect(made).toHaveLength(tiles.length);
  });

  it('skip a tile that fails, and report it', async () => {
    const { open, failures } = openNodes(['a']);
    const a = open('a', async (_job, { level }) => {
      if (level === 0) throw new Error('no such colour');
      return true;
    });

    await a.start(order);
    await until(isIdle(a));

    expect(failures).toEqual([new Error('no such colour')]);
  });

  it('stop after repeated failures, and report once', async () => {
    const { open, failures } = openNodes(['a']);
    let asked = 0;
    const a = open('a', async () => {
      asked += 1;
      throw new Error('no such attribute');
    });
    const level = { level: 9, minColumn: 0, maxColumn: 511, minRow: 0, maxRow: 511 };

    await a.start({ ...order, levels: [level], threads: 1 });
    await until(isIdle(a));

    expect([asked, failures]).toEqual([10, [new Error('no such attribute')]]);
  });

  it('retry a tile that failed because the storage was unavailable', async () => {
    const notes = notesInMemory();
    let refusals = 0;
    const read = async (name: string) => {
      if (refusals > 0) {
        refusals -= 1;
        throw new Error('not there');
      }
      return notes.read(name);
    };
    const { open, made, failures } = openNodes(['a'], { ...notes, read });
    let isFirst = true;
    const a = open('a', async (_job, { level, row, column }) => {
      if (isFirst) {
        isFirst = false;
        refusals = 3;
        throw new Error('not there');
      }
      made.push(`${level} ${row} ${column}`);
      return true;
    });

    await a.start({ ...order, threads: 1 });
    await until(async () => (await notes.read('tile jobs')) === undefined);

    expect(made).toEqual(tiles);
    // Reading the jobs may have failed, but no tile did.
    expect(failures.length).toBeLessThanOrEqual(3);
  });

  it('end if the layer does not exist any more', async () => {
    const { open } = openNodes(['a']);
    let asked = 0;
    const a = open('a', async () => {
      asked += 1;
      return false;
    });

    await a.start({ ...order, threads: 1 });
    await until(isIdle(a));

    expect(asked).toBe(1);
  });

  it('are rejected if too many are pending', async () => {
    const { open, held } = openNodes(['a']);
    const a = open('a', held);
    const started: (number | undefined)[] = [];

    for (let count = 0; count < 101; count += 1) started.push(await a.start(order));

    expect(started.filter((id) => id !== undefined)).toHaveLength(100);
    expect(started.at(-1)).toBeUndefined();
    const long = 'x'.repeat(1_000_000);
    await a.stop({ states: ['running', 'pending'] });
    expect(await a.start({ ...order, parameters: [['cql_filter', long]] })).toBeUndefined();
  });
});
