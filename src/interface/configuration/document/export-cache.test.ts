import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Services } from '../../common/services.ts';
import type { ConfigurationKind } from '../model/kind.ts';
import { ExportCache } from './export-cache.ts';
import type { ExportedResource } from './export-resources.ts';
import { everything } from './scope.ts';

test('builds one export for each state and scope', async () => {
  const { kinds, count } = countedKind();
  const before = new ExportCache();
  const first = await before.getConfiguration(kinds, stateAt(7), everything);

  expect(await before.getConfiguration(kinds, stateAt(7), everything)).toBe(first);
  expect(await before.getConfiguration(kinds, stateAt(7), { paths: ['/'], kinds: [] })).toBe(first);
  expect(count()).toBe(1);

  await before.getConfiguration(kinds, stateAt(7), { paths: ['/things'], kinds: [] });
  expect(count()).toBe(2);
  await before.getConfiguration(kinds, stateAt(8), { paths: ['/things'], kinds: [] });
  expect(count()).toBe(3);
});

test('builds the base of a draft again for other callers, because the draft may never become durable', async () => {
  const { kinds, count } = countedKind();
  const before = new ExportCache();
  await before.getConfiguration(kinds, stateAt(7, { isDraft: true }), everything);
  const reported = await before.getConfiguration(kinds, stateAt(7), everything);
  expect(count()).toBe(2);

  expect(await before.getConfiguration(kinds, stateAt(7, { isDraft: true }), everything)).toBe(reported);
});

test('caches a large export if it is small when compressed', async () => {
  const paths = Array.from({ length: 20_000 }, (_, index) => `/things/${index} "ä","fields":{`);
  const { kinds, count } = countedKind('much alike\n'.repeat(100), paths);
  const before = new ExportCache();
  const first = await before.getConfiguration(kinds, stateAt(7), everything);
  const again = await before.getConfiguration(kinds, stateAt(7), everything);

  expect(count()).toBe(1);
  expect(again.hash).toBe(first.hash);
  expect(again.resources.map(textsOf)).toEqual(first.resources.map(textsOf));
});

test('does not cache an export that is too large even when compressed', async () => {
  const { kinds, count } = countedKind(randomBytes(20_000_000).toString('base64'));
  const before = new ExportCache();
  await before.getConfiguration(kinds, stateAt(7), everything);
  await before.getConfiguration(kinds, stateAt(7), everything);
  expect(count()).toBe(2);
});

function textsOf({ kind, path, fields, printed }: ExportedResource) {
  return { kind, path, fields, printed: printed.toString() };
}

function stateAt(position: number, { isDraft = false } = {}): Services {
  const catalog = { position: () => position, ...(isDraft ? { everyWritten: () => [] } : {}) };
  return { catalog } as unknown as Services;
}

function countedKind(text = 'a thing', paths = ['/things/one']) {
  let count = 0;
  const kind = {
    kind: 'thing',
    async *every() {
      count += 1;
      yield paths.map((path) => ({ path, fields: () => ({ text }) }));
    },
  };
  return { kinds: [kind as unknown as ConfigurationKind], count: () => count };
}
