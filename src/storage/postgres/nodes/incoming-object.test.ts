/** Uploads to stores that fail or are silent. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { hashBytes } from '../../blobs/port.ts';
import { PartMemory } from '../../objects/part-memory.ts';
import type { PartUpload } from '../../objects/port.ts';
import { IncomingObject } from './incoming-object.ts';

const folder = useTemporaryFolder('incoming-objects');
const PART_BYTES = 100;
const content = Buffer.alloc(350, 'graticule');

async function receive(send: PartUpload['send'], memory = new PartMemory(PART_BYTES, 2)) {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'received');
  await writeFile(file, content);
  const removed: boolean[] = [];
  const incoming = new IncomingObject({
    ...{ object: 'object', file, partBytes: PART_BYTES, maxParts: 10, memory },
    isStorable: async () => true,
    begin: async () => ({ uploadId: 'upload', send, complete: async () => undefined }),
    remove: async (_uploadId, hasFailed) => void removed.push(hasFailed),
  });
  incoming.advance(content.length);
  return { incoming, removed, memory };
}

it('sends all parts and returns the hash of the file', async () => {
  const parts = new Map<number, string>();
  const { incoming, removed } = await receive(async (part, body) => void parts.set(part, Buffer.from(body).toString()));
  incoming.end();

  expect(await incoming.readContent()).toMatchObject({ hash: hashBytes(content) });
  expect(await incoming.complete()).toBe(true);
  expect(
    [...parts]
      .toSorted(([one], [other]) => one - other)
      .map(([, text]) => text)
      .join(''),
  ).toBe(content.toString());
  expect(removed).toEqual([]);
});

it('a discarded upload does not wait for a silent store, and returns its memory', async () => {
  const begun = Promise.withResolvers<void>();
  const silent: PartUpload['send'] = (_part, _body, _hash, signal) => {
    begun.resolve();
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const { incoming, removed, memory } = await receive(silent);
  await begun.promise;
  await incoming.discard();

  expect(removed).toEqual([]);
  expect([await memory.take(), await memory.take()]).toHaveLength(2);
});

it('a discarded upload removes its parts from a store that answers', async () => {
  const begun = Promise.withResolvers<void>();
  const { incoming, removed } = await receive(async () => begun.resolve());
  await begun.promise;
  await incoming.discard();

  expect(removed).toEqual([false]);
});

it('a store that fails before the file is complete leaves the upload to another attempt', async () => {
  const { incoming, removed } = await receive(() => Promise.reject(new Error('no connection')));
  expect(await incoming.readContent()).toBeUndefined();
  incoming.end();

  expect(await incoming.complete()).toBe(false);
  expect(removed).toEqual([true]);
});
