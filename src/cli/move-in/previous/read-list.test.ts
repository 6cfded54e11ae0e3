import { expect, it } from 'vitest';
import { readList } from './read-list.ts';

const document = `{"hash":"x","unverified":[{"path":"/a"}],"steps":[{"path":"/\\"}é","changes":[{"a":{}}]},\n{"path":"]"}],"more":1}`;

it.each([1, 2, 7, 1_000])('reads the objects of a list from pieces of %i bytes', async (size) => {
  const bytes = Buffer.from(document);
  async function* divide(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  const items = await collect(readList(divide(), 'steps'));

  expect(items).toEqual([{ path: '/"}é', changes: [{ a: {} }] }, { path: ']' }]);
  expect(await collect(readList(divide(), 'missing'))).toEqual([]);
});

async function collect(items: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const item of items) found.push(item);
  return found;
}
