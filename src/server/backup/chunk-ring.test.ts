import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { CHUNK_BYTES } from '../../lib/backup/seal.ts';
import { ChunkReceiver, ChunkSender, createChunkRing } from './chunk-ring.ts';

test('a full chunk is unchanged until it is passed on, and a small one also later', () => {
  const ring = createChunkRing();
  const [sender, receiver] = [new ChunkSender(ring), new ChunkReceiver(ring)];
  const chunks = [13, CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES + 16, CHUNK_BYTES, 1].map((bytes) => randomBytes(bytes));
  const isSame = (received: Uint8Array | undefined, index: number) =>
    Buffer.from(received ?? []).equals(chunks[index] ?? Buffer.alloc(0));

  for (const chunk of chunks.slice(0, 4)) sender.add(chunk);
  const received = chunks.slice(0, 4).map(({ length }) => receiver.receive(length));
  receiver.pass();
  receiver.pass();
  for (const chunk of chunks.slice(4)) sender.add(chunk);
  received.push(...chunks.slice(4).map(({ length }) => receiver.receive(length)));

  // The memory of the second chunk has the sixth.
  expect(received.map(isSame)).toEqual([true, false, true, true, true, true]);
});

test('chunks are filled in the memory that the receiver reads', () => {
  const ring = createChunkRing();
  const [sender, receiver] = [new ChunkSender(ring), new ChunkReceiver(ring)];
  const contents = [randomBytes(CHUNK_BYTES), randomBytes(CHUNK_BYTES), randomBytes(7)];

  const received = contents.map((bytes) => {
    const chunk = sender.allocate().subarray(0, bytes.length);
    chunk.set(bytes);
    sender.add(chunk);
    return receiver.receive(bytes.length);
  });

  expect(received.map((chunk, index) => contents[index]?.equals(chunk))).toEqual([true, true, true]);
  expect(received.map(({ buffer }) => buffer === ring.memory)).toEqual([true, true, false]);
});
