import { expect, test } from 'vitest';
import type { Secret } from '../lib/identity/secret.ts';
import { createKindRules, type RecordBase, type RecordKind } from './record.ts';

interface Door extends RecordBase {
  readonly kind: 'door';
  readonly colour: string;
  readonly code: Secret;
}

const doorKind: RecordKind<Door> = {
  kind: 'door',
  keys: { colour: ({ colour }) => [colour] },
  secrets: { code: true },
  files: ({ name }) => [`picture of ${name}`],
};

test('the storage receives the versions and upgrades that keep records of a kind readable', () => {
  const rules = createKindRules(doorKind);

  expect(rules).toMatchObject({ kind: 'door', bodyVersion: 1, keyNames: ['colour'] });
  expect(rules.mask({ colour: 'red', code: '1234' })).toEqual({ colour: 'red', code: '(secret)' });
  expect(rules.index({ parent: null, name: 'front', body: { colour: 'red', code: '1234' } })).toEqual({
    keys: { colour: ['red'] },
    files: ['picture of front'],
  });
});
