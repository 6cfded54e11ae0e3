import { setImmediate as turn } from 'node:timers/promises';
import type { MessagePort, Transferable } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { makeRoads } from '../../../test/support/geopackages.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { idlePool } from '../../../test/support/worker-tasks.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { geopackageDriver } from '../geopackage/driver.ts';
import type { PackedBatch } from '../port/packed-batch.ts';
import { createThreadDriver } from './driver.ts';

const folder = useTemporaryFolder('stalled');
const never = new AbortController().signal;

const manyRoads = `
  WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 20000)
  INSERT INTO roads (name) SELECT 'road ' || number FROM numbers`;

/** Runs tasks on this thread and reports the batches that are sent. */
function watchedPool(handedOver: (batch: PackedBatch) => void): WorkerPool {
  return {
    run: async (task, input) => {
      const { port } = input as { readonly port?: MessagePort };
      const post = port?.postMessage.bind(port);
      if (port !== undefined && post !== undefined)
        port.postMessage = (message: { readonly batch?: PackedBatch }, transfer?: readonly Transferable[]) => {
          if (message.batch !== undefined) handedOver(message.batch);
          post(message, [...(transfer ?? [])]);
        };
      return task.work(input);
    },
    threads: () => 1,
    waiting: () => 0,
    getUsage: () => idlePool,
    close: async () => undefined,
  };
}

test('only two small batches are read ahead for a reader that stops', async () => {
  const { path } = await makeRoads(folder, manyRoads);
  const sizes: number[] = [];
  const driver = createThreadDriver(
    geopackageDriver,
    watchedPool((batch) => sizes.push(batch.length)),
  );
  const source = await driver.open({ dbtype: 'geopkg', database: path }, { resolvePath: async (named) => named });
  const batches = source.read('roads', {}, never)[Symbol.asyncIterator]();

  await batches.next();
  for (let turns = 0; turns < 500; turns += 1) await turn();
  const whileStalled = [...sizes];
  await batches.next();
  for (let turns = 0; turns < 500; turns += 1) await turn();
  const afterAnother = [...sizes];
  await batches.return?.();

  expect(whileStalled).toEqual([64, 64]);
  expect(afterAnother).toEqual([64, 64, 64]);
});

test('rows that refer to the same large text are read in small batches', async () => {
  const { path } = await makeRoads(
    folder,
    manyRoads.replace("'road ' || number", "printf('%.*c', 300000, 'x')").replace('20000', '60'),
  );
  const sizes: number[] = [];
  const driver = createThreadDriver(
    geopackageDriver,
    watchedPool((batch) => sizes.push('text' in batch ? batch.text.length : 0)),
  );
  const source = await driver.open({ dbtype: 'geopkg', database: path }, { resolvePath: async (named) => named });
  let characters = 0;
  for await (const batch of source.read('roads', {}, never))
    for (const { values } of batch) characters += values.reduce<number>((sum, each) => sum + String(each).length, 0);

  expect(characters).toBeGreaterThan(60 * 300_000);
  expect(Math.max(...sizes)).toBeLessThan(9_000_000);
  expect(sizes.length).toBeGreaterThan(2);
});
