import { expect, test, vi } from 'vitest';
import type { StoredRecord } from '../port.ts';
import { FoundRecords } from './found-records.ts';

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

test('what was found, and that nothing was found, is looked for once', () => {
  const found = new FoundRecords();
  const look = vi.fn(() => acme);
  const lookInVain = vi.fn(() => undefined);

  for (let round = 0; round < 3; round += 1) {
    expect(found.find('workspace', null, 'acme', look)).toBe(acme);
    expect(found.find('workspace', null, 'none', lookInVain)).toBeUndefined();
  }

  expect(look).toHaveBeenCalledOnce();
  expect(lookInVain).toHaveBeenCalledOnce();
});

test('after a commit everything is looked for again', () => {
  const found = new FoundRecords();
  found.find('workspace', null, 'acme', () => acme);

  found.forget();

  expect(found.find('workspace', null, 'acme', () => undefined)).toBeUndefined();
});

test('kinds, parents and names do not run into each other', () => {
  const found = new FoundRecords();
  found.find('workspace', null, 'acme', () => acme);

  expect(found.find('dataStore', null, 'acme', () => undefined)).toBeUndefined();
  expect(found.find('workspace', 'acme', '', () => undefined)).toBeUndefined();
  expect(found.find('workspace', 'x', 'acme', () => undefined)).toBeUndefined();
});

test('what many callers share cannot be changed by one of them', () => {
  const record = new FoundRecords().find('workspace', null, 'acme', () => structuredClone(acme));

  expect(Object.isFrozen(record?.body['metadata'])).toBe(true);
});

test('a full memory starts over, and still answers right', () => {
  const found = new FoundRecords();
  found.find('workspace', null, 'acme', () => acme);
  for (let count = 0; count < 10_000; count += 1) {
    found.find('workspace', null, `made-up-${count}`, () => undefined);
  }
  const look = vi.fn(() => acme);

  expect(found.find('workspace', null, 'acme', look)).toBe(acme);
  expect(look).toHaveBeenCalledOnce();
});
