import { expect, test } from 'vitest';
import type { StoredRecord } from '../port/port.ts';
import { RecordNameCache } from './record-reader.ts';

const acme: StoredRecord = {
  id: 'workspace-1-0',
  kind: 'workspace',
  parent: null,
  name: 'acme',
  version: 1,
  createdAtMs: 0,
  modifiedAtMs: 0,
  body: { metadata: { owner: 'ann' } },
};

test('found and missing records are cached', () => {
  const found = new RecordNameCache();
  expect(found.get('workspace', null, 'acme')).toBeUndefined();

  expect(found.set('workspace', null, 'acme', acme)).toBe(acme);
  expect(found.set('workspace', null, 'none', undefined)).toBeUndefined();

  expect(found.get('workspace', null, 'acme')).toBe(acme);
  expect(found.get('workspace', null, 'none')).toBeNull();
});

test('a change invalidates the names it touches and no others', () => {
  const found = new RecordNameCache();
  found.set('workspace', null, 'acme', acme);
  found.set('workspace', null, 'other', undefined);

  found.delete([{ kind: 'workspace', parent: null, name: 'acme' }]);

  expect(found.get('workspace', null, 'acme')).toBeUndefined();
  expect(found.get('workspace', null, 'other')).toBeNull();
});

test('the cache can be cleared', () => {
  const found = new RecordNameCache();
  found.set('workspace', null, 'acme', acme);

  found.clear();

  expect(found.get('workspace', null, 'acme')).toBeUndefined();
});

test('kinds, parents and names do not collide', () => {
  const found = new RecordNameCache();
  found.set('workspace', null, 'acme', acme);

  expect(found.get('dataStore', null, 'acme')).toBeUndefined();
  expect(found.get('workspace', 'acme', '')).toBeUndefined();
  expect(found.get('workspace', 'x', 'acme')).toBeUndefined();
});

test('cached records are immutable', () => {
  const record = new RecordNameCache().set('workspace', null, 'acme', structuredClone(acme));

  expect(Object.isFrozen(record?.body['metadata'])).toBe(true);
});

test('a full cache is cleared', () => {
  const found = new RecordNameCache();
  found.set('workspace', null, 'acme', acme);
  for (let count = 0; count < 10_000; count += 1) found.set('workspace', null, `made-up-${count}`, undefined);

  expect(found.get('workspace', null, 'acme')).toBeUndefined();
  expect(found.get('workspace', null, 'made-up-9999')).toBeNull();
});
