/** Views run in a process that ends with its reader, whatever they compute. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshGeopackagePath } from '../../../test/support/geopackages.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { acceptProcessRequest } from '../../workers/processes.ts';
import { readView } from './read-view.ts';
import type { ViewRow } from './view-messages.ts';

const folder = useTemporaryFolder('views');
const never = new AbortController().signal;

/** Searches half of a text in itself: SQLite computes for many hours without returning to Node. */
const endless = "SELECT instr(word, substr(word, 1, 5000000) || 'b') FROM words";

describe('the process of a view', () => {
  let path = '';
  beforeAll(() => {
    path = freshGeopackagePath(folder);
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE words (word TEXT); CREATE TABLE things (id INTEGER PRIMARY KEY, a, b, c)');
    database.prepare('INSERT INTO words VALUES (?)').run('a'.repeat(10_000_000));
    const insert = database.prepare('INSERT INTO things (a, b, c) VALUES (?, ?, ?)');
    for (let row = 0; row < 200; row += 1) insert.run('é'.repeat(row), new Uint8Array(20_000).fill(row), null);
    database.prepare('UPDATE things SET c = 9007199254740993 WHERE id = 7').run();
    database.close();
  });

  /** Resolves when no process has the id any more. */
  async function waitForEnd(processId: number | undefined): Promise<void> {
    expect(processId).toBeGreaterThan(0);
    for (;;) {
      try {
        process.kill(processId ?? 0, 0);
      } catch {
        return;
      }
      await delay(10);
    }
  }

  it('returns all rows with values of every type', async () => {
    const rows: ViewRow[] = [];
    let batches = 0;
    const statement = 'SELECT id, a, b, c FROM things ORDER BY id';
    for await (const batch of readView({ path, statement }, { signal: never })) {
      rows.push(...batch);
      batches += 1;
    }

    expect([rows.length, batches]).toEqual([200, 4]);
    expect(rows[6]).toEqual([7n, 'é'.repeat(6), new Uint8Array(20_000).fill(6), 9_007_199_254_740_993n]);
    expect(rows[199]?.[3]).toBeNull();
  });

  it('reports errors of SQLite with their number', async () => {
    const reading = readView({ path, statement: 'SELECT * FROM missing' }, { signal: never });

    await expect(reading.next()).rejects.toMatchObject({ errcode: 1, message: expect.stringContaining('missing') });
  });

  it('executes no functions but harmless ones', async () => {
    const reading = readView({ path, statement: "SELECT load_extension('x')" }, { signal: never });

    await expect(reading.next()).rejects.toThrow('not authorized to use function');
  });

  it('is killed when a batch takes too long', async () => {
    let processId: number | undefined;
    const onStart = (id: number | undefined) => {
      processId = id;
    };
    const reading = readView({ path, statement: endless }, { signal: never, maxBatchMs: 1_000, onStart });

    await expect(reading.next()).rejects.toMatchObject({ code: 'work-too-slow' });
    await waitForEnd(processId);
  });

  it('is killed when the request is aborted', async () => {
    const request = new AbortController();
    let processId: number | undefined;
    const onStart = (id: number | undefined) => {
      processId = id;
      setTimeout(() => request.abort(new Error('The client has gone')), 100);
    };
    const reading = readView({ path, statement: endless }, { signal: request.signal, onStart });

    await expect(reading.next()).rejects.toThrow('The client has gone');
    await waitForEnd(processId);
  });

  it('is killed when its reader needs no more rows', async () => {
    let processId: number | undefined;
    const onStart = (id: number | undefined) => {
      processId = id;
    };
    for await (const _ of readView({ path, statement: 'SELECT * FROM things' }, { signal: never, onStart })) break;

    await waitForEnd(processId);
  });

  it('ends when the thread of its reader is terminated', async () => {
    const program = `
      const { parentPort, workerData } = require('node:worker_threads');
      import(workerData.module).then(({ readView }) => readView(workerData.order, {
        signal: new AbortController().signal,
        onStart: (id) => parentPort.postMessage(id),
      }).next());`;
    const module = new URL('read-view.ts', import.meta.url).href;
    const thread = new Worker(program, { eval: true, workerData: { module, order: { path, statement: endless } } });
    const processId = await new Promise<number>((resolve, reject) => {
      thread.on('message', (message) => {
        if (typeof message === 'number') resolve(message);
        else acceptProcessRequest(message);
      });
      thread.once('error', reject);
    });
    // The process has begun to compute, or begins soon.
    await delay(200);
    await thread.terminate();

    await waitForEnd(processId);
  });
});
