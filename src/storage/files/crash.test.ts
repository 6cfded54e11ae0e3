/** Lets the server die at every single step of publishing, and looks at what the next start makes of it. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  Crash,
  type Folder,
  freshRoot,
  look,
  type MortalDisk,
  mortalDisk,
  put,
} from '../../../test/support/mortal-disk.ts';
import { openFiles, type Published, type PublishOptions, type SweepOptions } from '../files.ts';
import type { Disk } from './disk.ts';

interface Scene {
  readonly title: string;
  readonly before: Folder;
  readonly staged: string | Folder;
  readonly after: Folder;
  readonly lacks?: Partial<Disk>;
}

const folder = { 'a.shp': 'new', deep: { 'b.dbf': 'new' } };
const oldFolder = { 'a.shp': 'old', 'c.prj': 'old' };
const scenes: readonly Scene[] = [
  {
    title: 'a file where there was nothing',
    before: { data: {} },
    staged: 'new',
    after: { data: { ws: { st: 'new' } } },
  },
  { title: 'a folder where there was nothing', before: {}, staged: folder, after: { data: { ws: { st: folder } } } },
  {
    title: 'a file over a file',
    before: { data: { ws: { st: 'old' } } },
    staged: 'new',
    after: { data: { ws: { st: 'new' } } },
  },
  {
    title: 'a file over a file without hard links',
    before: { data: { ws: { st: 'old' } } },
    staged: 'new',
    after: { data: { ws: { st: 'new' } } },
    lacks: { linkFile: async () => false },
  },
  {
    title: 'a folder over a folder',
    before: { data: { ws: { st: oldFolder } } },
    staged: folder,
    after: { data: { ws: { st: folder } } },
  },
  {
    title: 'a folder over a file',
    before: { data: { ws: { st: 'old' } } },
    staged: folder,
    after: { data: { ws: { st: folder } } },
  },
  {
    title: 'a file over a folder',
    before: { data: { ws: { st: oldFolder } } },
    staged: 'new',
    after: { data: { ws: { st: 'new' } } },
  },
];

/** More than any of these needs: a loop that has not ended by then never will. */
const manySteps = 200;

interface Run {
  readonly root: string;
  readonly mortal: MortalDisk;
  publish(options?: PublishOptions): Promise<Published>;
}

async function prepare(scene: Scene): Promise<Run> {
  const root = await freshRoot(scene.before);
  const mortal = mortalDisk(scene.lacks);
  const files = openFiles({ root, disk: mortal.disk });
  const staging = await files.createStaging('upload');
  await put(staging.path, { thing: scene.staged });
  return { root, mortal, publish: (options) => files.publish(join(staging.path, 'thing'), 'data/ws/st', options) };
}

/**
 * Plays `work` in a fresh scene again and again until it survives; each time the server dies one step later, counted
 * from where the work calls `doom`.
 */
async function atEveryStep(
  scene: Scene,
  work: (run: Run, doom: () => void) => Promise<void>,
  inspect: (run: Run) => Promise<void>,
): Promise<void> {
  for (let step = 0; step < manySteps; step++) {
    const run = await prepare(scene);
    const outcome = await settled(work(run, () => run.mortal.dieAfter(step)));
    await inspect(run);
    if (outcome === 'survived') {
      expect(step).toBeGreaterThan(1);
      return;
    }
  }
  expect.unreachable('the work never survived');
}

async function settled(work: Promise<unknown>): Promise<'survived' | 'died'> {
  try {
    await work;
    return 'survived';
  } catch (error) {
    if (isCrash(error)) return 'died';
    throw error;
  }
}

function isCrash(error: unknown): boolean {
  return error instanceof Crash || (error instanceof AggregateError && error.errors.every(isCrash));
}

/** The next start, which itself dies after one step, then after two, and so on until it gets through. */
async function restart(run: Run, options: SweepOptions = {}): Promise<Folder> {
  const { disk, dieAfter } = mortalDisk();
  let step = 0;
  do {
    expect(step).toBeLessThan(manySteps);
    dieAfter(step++);
  } while ((await settled(openFiles({ root: run.root, disk }).sweepStaging(options))) === 'died');
  const { staging, ...rest } = await look(run.root);
  expect(staging).toEqual({});
  return rest;
}

describe.each(scenes)('when the server dies while publishing $title', (scene) => {
  test('the old or the new is there after the next start', async () => {
    const seen = new Set<string>();

    await atEveryStep(
      scene,
      async (run, doom) => {
        doom();
        await run.publish();
      },
      async (run) => {
        const left = await restart(run);
        expect([scene.before, scene.after]).toContainEqual(left);
        seen.add(JSON.stringify(left));
      },
    );

    expect(seen.size).toBe(2);
  });

  test('the old is there if its change was not committed', async () => {
    await atEveryStep(
      scene,
      async (run, doom) => {
        doom();
        await run.publish({ change: 5 });
      },
      async (run) => expect(await restart(run, { lastChange: 4 })).toEqual(scene.before),
    );
  });

  test('the new is there if its change was committed, also when settling was cut short', async () => {
    await atEveryStep(
      scene,
      async (run, doom) => {
        const published = await run.publish({ change: 5 });
        doom();
        await published.settle();
      },
      async (run) => expect(await restart(run, { lastChange: 5 })).toEqual(scene.after),
    );
  });

  test('an undo that was cut short is finished, or had not begun', async () => {
    await atEveryStep(
      scene,
      async (run, doom) => {
        const published = await run.publish({ change: 5 });
        doom();
        await published.undo();
      },
      async (run) => expect(await restart(run, { lastChange: 4 })).toEqual(scene.before),
    );
  });
});

test('at no step of replacing a file is there a moment without it', async () => {
  const scene = scenes.find((each) => each.title === 'a file over a file');
  if (scene === undefined) expect.unreachable();

  for (const undoes of [false, true]) {
    await atEveryStep(
      scene,
      async (run, doom) => {
        if (!undoes) doom();
        const published = await run.publish();
        if (undoes) doom();
        await (undoes ? published.undo() : published.settle());
      },
      async (run) => {
        const { staging: _staging, ...rest } = await look(run.root);
        expect([scene.before, scene.after]).toContainEqual(rest);
      },
    );
  }
});

test('nothing moves before the content, the journal and the old are safe on the disk', async () => {
  const scene = scenes.find((each) => each.title === 'a folder over a folder');
  if (scene === undefined) expect.unreachable();
  const { mortal, publish } = await prepare(scene);
  const start = mortal.operations.length;

  await publish();

  expect(mortal.operations.slice(start)).toEqual([
    'makePrivateFolder staging',
    'makeFreshFolder publish-',
    'syncTree thing',
    expect.stringMatching(/^writeDurably journal.draft /),
    'move journal.draft journal.json',
    'syncFolder publish',
    'syncFolder staging',
    'move st replaced',
    'syncFolder publish',
    'syncFolder ws',
    'move thing st',
    'syncFolder ws',
    'syncFolder work-upload',
  ]);
});
