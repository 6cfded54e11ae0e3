import { expect, test } from 'vitest';
import { createHasher } from './hash-thread.ts';
import { hashContent } from './port.ts';

const MEGABYTE = 1_048_576;

test.each([0, 1, 1_000, 20 * MEGABYTE])('%i bytes have the same hash and checksum as in one piece', async (bytes) => {
  const content = Buffer.alloc(bytes, 'so it goes on ');
  const hasher = createHasher(bytes);

  for (let at = 0; at < bytes; at += 100_003) {
    await hasher.update(content.subarray(at, at + 100_003));
  }

  expect(await hasher.digest()).toEqual(hashContent(content));
});

test('files are hashed in parallel, and an aborted file does not affect the others', async () => {
  const contents = Array.from({ length: 6 }, (_, index) => Buffer.alloc(2 * MEGABYTE, String(index)));
  const givenUp = createHasher(2 * MEGABYTE);
  await givenUp.update(Buffer.alloc(100));

  const hashes = await Promise.all(
    contents.map(async (content) => {
      const hasher = createHasher(content.length);
      for (let at = 0; at < content.length; at += 65_536) await hasher.update(content.subarray(at, at + 65_536));
      return hasher.digest();
    }),
  );
  givenUp.discard();

  expect(hashes).toEqual(contents.map(hashContent));
});
