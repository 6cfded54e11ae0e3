/** The guarantees of tile exports, on one node and on several nodes with shared notes. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notesInMemory } from '../../../test/support/notes-in-memory.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createFileFromBytes } from '../../lib/files/readable-file.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Notes } from '../../storage/port/port.ts';
import type { ExportOrder, ExportStatus } from './export-job.ts';
import { isExportedFile, MAX_EXPORTS } from './export-notes.ts';
import { TileExportsNode, type TileExportsOptions } from './tile-exports.ts';
import type { DrawExportedTile } from './write-export.ts';

const folder = useTemporaryFolder('tile-exports-of-nodes');

const order: ExportOrder = {
  map: 'layer-1',
  name: 'acme:roads',
  localName: 'roads',
  workspace: 'workspace-1',
  workspaces: ['workspace-1'],
  style: null,
  set: 'WebMercatorQuad',
  setKey: 'key',
  format: 'png',
  parameters: [],
  archive: 'pmtiles',
  zooms: [{ zoom: 2, minColumn: 0, maxColumn: 3, minRow: 0, maxRow: 3 }],
  bounds: [-180, -85, 180, 85],
  metadata: { name: 'Roads' },
  createdBy: 'admin',
};

const drawAll: DrawExportedTile = async (_job, { row, column }) => ({
  bytes: Buffer.from(`tile ${row} ${column}`),
  isIncomplete: false,
  version: '1',
});

/** Never draws a tile. */
const hold: DrawExportedTile = (_job, _address, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

interface Shared {
  readonly notes: Notes;
  /** The names of stored archives. */
  readonly stored: Set<string>;
  readonly failures: unknown[];
  readonly claimed: Set<string>;
}

const share = (): Shared => ({ notes: notesInMemory(), stored: new Set(), failures: [], claimed: new Set() });

function openNode(shared: Shared, draw: DrawExportedTile | undefined, options: Partial<TileExportsOptions> = {}) {
  const { notes, stored, failures, claimed } = shared;
  const node = new TileExportsNode({
    notes,
    claims: {
      async claim(what) {
        if (claimed.has(what)) return undefined;
        claimed.add(what);
        return { fence: undefined, renew: async () => true, release: async () => void claimed.delete(what) };
      },
    },
    files: {
      async createStaging() {
        await mkdir(folder, { recursive: true });
        const path = await mkdtemp(join(folder, 'staging-'));
        return { path, discard: () => rm(path, { recursive: true, force: true }) };
      },
      async store({ name }, record) {
        const fileSet = `set of ${name} ${stored.size}`;
        await record(fileSet);
        stored.add(fileSet);
      },
      open: async () => ({ file: createFileFromBytes(Buffer.from('archive')), sizeBytes: 7 }),
      remove: async (fileSet) => void stored.delete(fileSet),
    },
    clock: () => 0,
    maxTotalBytes: 1_000_000,
    maxArchiveBytes: Number.POSITIVE_INFINITY,
    times: { claimMs: 1_000, renewMs: 10, progressMs: 10, keepMs: 1_000 },
    onEnd: () => undefined,
    onError: (reason) => failures.push(reason),
    ...options,
  });
  onTestFinished(() => node.close());
  if (draw !== undefined) node.startWorking(draw);
  return node;
}

/** The same notes for a node that stops after so many writes. */
function stopAfter(shared: Shared, writes: number): Shared {
  let left = writes;
  const count = () => {
    if (left === 0) throw new Error('The node has stopped');
    left -= 1;
  };
  const { notes } = shared;
  const write: Notes['write'] = async (...call) => {
    count();
    await notes.write(...call);
  };
  const announce: Notes['announce'] = async (...call) => {
    count();
    return notes.announce(...call);
  };
  return { ...shared, notes: { ...notes, write, announce } };
}

async function start(node: TileExportsNode, fields: Partial<ExportOrder> = {}): Promise<string> {
  const job = await node.prepare({ ...order, ...fields });
  await node.add(job);
  return job.id;
}

async function waitFor(node: TileExportsNode, id: string, ...states: readonly string[]): Promise<ExportStatus> {
  for (;;) {
    const status = await node.find(id);
    if (status !== undefined && states.includes(status.state)) return status;
    await delay(5);
  }
}

describe('tile exports', () => {
  it('finish with all tiles and a file, and end one after the other', async () => {
    const shared = share();
    const node = openNode(shared, drawAll);
    const ids = [await start(node), await start(node, { archive: 'mbtiles' })];
    const ended = [await waitFor(node, ids[0] ?? '', 'finished'), await waitFor(node, ids[1] ?? '', 'finished')];

    for (const status of ended) expect(status).toMatchObject({ done: 16, written: 16, incomplete: 0, attempts: 1 });
    expect(shared.stored).toEqual(new Set(ended.map(({ fileSet }) => fileSet)));
    expect(await isExportedFile(shared.notes, ended[0]?.fileSet ?? '')).toBe(true);
    expect(shared.failures).toEqual([]);
  });

  it('stay running while the first tile takes longer than recording the progress', async () => {
    let canDraw = false;
    const node = openNode(share(), async (...call) => {
      while (!canDraw) await delay(5);
      return drawAll(...call);
    });
    const id = await start(node);
    await waitFor(node, id, 'running');
    // Ten times the interval at which the progress is recorded.
    await delay(100);
    expect(await node.find(id)).toMatchObject({ state: 'running', attempts: 1, done: 0 });
    canDraw = true;

    expect(await waitFor(node, id, 'finished')).toMatchObject({ attempts: 1, written: 16 });
  });

  it.each([
    ['changes between two tiles', ['1', '1', '2'], true],
    ['does not change', ['1', '1', '1'], false],
    ['changes and is restored', ['1', '2', '1'], true],
  ])('report whether the layer changed meanwhile: it %s', async (_case, versions, hasChanged) => {
    let drawn = 0;
    const draw: DrawExportedTile = async () => {
      drawn += 1;
      return { bytes: Buffer.from('tile'), isIncomplete: false, version: versions[drawn - 1] ?? versions[2] ?? '' };
    };
    const node = openNode(share(), draw);

    const status = await waitFor(node, await start(node), 'finished');

    expect(status.hasChanged).toBe(hasChanged);
  });

  it('are cancelled by another node, which leaves no file', async () => {
    const shared = share();
    const [one, other] = [openNode(shared, hold), openNode(shared, undefined)];
    const id = await start(one);
    await waitFor(one, id, 'running');

    await other.cancel(id);
    while (shared.claimed.size > 0) await delay(5);

    expect(await one.find(id)).toMatchObject({ state: 'cancelled' });
    expect(shared.stored.size).toBe(0);
  });

  it('begin again on another node when a node stops, without counting the attempt', async () => {
    const shared = share();
    const one = openNode(shared, hold);
    const id = await start(one);
    await waitFor(one, id, 'running');

    await one.close();
    const pending = await one.find(id);
    const status = await waitFor(openNode(shared, drawAll), id, 'finished');

    expect([pending?.state, pending?.attempts, status.attempts]).toEqual(['pending', 0, 1]);
  });

  it('fail with a sentence after three nodes have died, and can be started again', async () => {
    const shared = share();
    for (let died = 0; died < 3; died += 1) {
      const node = openNode(shared, hold);
      const id = (await node.list())[0]?.job.id ?? (await start(node));
      while ((await node.find(id))?.attempts !== died + 1) await delay(5);
      // A killed node changes nothing any more, and its claim expires.
      const before = await shared.notes.read(`tile export ${id}`);
      await node.close();
      await shared.notes.write(`tile export ${id}`, before ?? null);
    }
    const node = openNode(shared, drawAll);
    const id = (await node.list())[0]?.job.id ?? '';
    const failed = await waitFor(node, id, 'failed');
    await node.restart(id);

    expect(failed.problem).toBe(
      'The export was interrupted 3 times, because the server that wrote it stopped unexpectedly. Start it again.',
    );
    expect(await waitFor(node, id, 'finished')).toMatchObject({ attempts: 1, written: 16 });
  });

  it('fail with the tile and its reason after three attempts to draw it', async () => {
    let attempts = 0;
    const shared = share();
    const node = openNode(shared, async (job, address, signal) => {
      if (address.row !== 1 || address.column !== 2) return drawAll(job, address, signal);
      attempts += 1;
      throw problem('tile-style-unknown', { style: 'gone', layer: 'roads' });
    });
    const status = await waitFor(node, await start(node), 'failed');

    expect(status.problem).toBe("The tile 2/2/1 (zoom/column/row) failed: Unknown style 'gone' for the layer 'roads'.");
    expect([attempts, shared.stored.size]).toEqual([3, 0]);
  });

  it('hide unexpected errors, which are logged', async () => {
    const shared = share();
    const node = openNode(shared, () => Promise.reject(new Error('secret path')));
    const status = await waitFor(node, await start(node), 'failed');

    expect(status.problem).toBe(
      'The export failed for an unexpected reason, which is in the log of the server. Start it again.',
    );
    expect(shared.failures).toEqual([new Error('secret path')]);
  });

  it('fail when their archive exceeds the limit', async () => {
    const node = openNode(share(), drawAll, { maxArchiveBytes: 16_384 });
    const status = await waitFor(node, await start(node), 'failed');

    expect(status.problem).toMatch(/^The archive exceeds 0 MB, which --tile-exports-mb and other archives leave/);
  });

  it('fail when another node has used the space meanwhile', async () => {
    const shared = share();
    let canEnd = false;
    const drawSlowly: DrawExportedTile = async (...call) => {
      while (!canEnd) await delay(5);
      return drawAll(...call);
    };
    const first = openNode(shared, drawAll);
    const { bytes } = await waitFor(first, await start(first), 'finished');
    await first.close();
    const limited = { maxTotalBytes: bytes * 2 + 1 };
    const slow = openNode(shared, drawSlowly, limited);
    const id = await start(slow);
    await waitFor(slow, id, 'running');
    const quick = openNode(shared, drawAll, limited);
    await waitFor(quick, await start(quick), 'finished');
    canEnd = true;

    expect((await waitFor(slow, id, 'failed', 'finished')).problem).toMatch(/^The archive exceeds 0 MB/);
    expect(shared.stored.size).toBe(2);
  });

  it('take turns between users', async () => {
    let now = 0;
    const begun: string[] = [];
    const clock = () => {
      now += 1;
      return now;
    };
    const draw: DrawExportedTile = (job, address, signal) => {
      if (!begun.includes(job.localName)) begun.push(job.localName);
      return drawAll(job, address, signal);
    };
    const shared = share();
    const waiting = openNode(shared, undefined);
    const ids: string[] = [];
    for (const localName of ['a1', 'a2', 'a3', 'b1']) {
      ids.push(await start(waiting, { localName, createdBy: localName.slice(0, 1) }));
    }
    const node = openNode(shared, draw, { clock });
    for (const id of ids) await waitFor(node, id, 'finished');

    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('are deleted without a trace although their deletion is interrupted at any point', async () => {
    for (let writes = 0; writes < 3; writes += 1) {
      const shared = share();
      const node = openNode(shared, drawAll);
      await waitFor(node, await start(node), 'finished');
      const [{ fileSet = '' } = {}] = await node.list();
      await node.close();
      await openNode(stopAfter(shared, writes), undefined)
        .list()
        .then(([each]) => openNode(stopAfter(shared, writes), undefined).remove(each?.job.id ?? ''))
        .catch(() => undefined);

      const after = openNode(shared, undefined, { clock: () => 1_001 });
      await after.prepare(order);
      expect([await after.list(), await shared.notes.listNames('tile export')]).toEqual([[], []]);
      expect(await isExportedFile(shared.notes, fileSet)).toBe(false);
    }
  });

  it('are rejected when there is no space for another, or too many exist', async () => {
    const shared = share();
    const full = openNode(shared, undefined, { maxTotalBytes: 0 });
    const node = openNode(shared, undefined);

    await expect(full.prepare(order)).rejects.toMatchObject({ code: 'tile-exports-full' });
    for (let count = 0; count < MAX_EXPORTS; count += 1) await start(node);
    await expect(node.prepare(order)).rejects.toMatchObject({ code: 'tile-exports-too-many' });
    await expect(node.add({ ...order, id: 'one more', createdAtMs: 0 })).rejects.toMatchObject({
      code: 'tile-exports-too-many',
    });
    expect(await shared.notes.read('tile export one more')).toBeUndefined();
  });

  it('are deleted with their archive some time after their end', async () => {
    let now = 0;
    const shared = share();
    const node = openNode(shared, drawAll, { clock: () => now });
    const id = await start(node);
    await waitFor(node, id, 'finished');
    now = 1_001;
    await node.prepare(order);

    expect([await node.find(id), shared.stored.size, await shared.notes.listNames('tile export')]).toEqual([
      undefined,
      0,
      [],
    ]);
  });
});
