import { expect, it } from 'vitest';
import { countTurns } from '../../test/support/count-turns.ts';
import type { StoredRecord, WriteTransaction } from '../storage/port/port.ts';
import { restoreRecords } from './restore-records.ts';

const COUNT = 500;

it('yields to other requests while it deletes a large number of records', async () => {
  const removed: string[] = [];
  const transaction = {
    get: async (id: string) => ({ id, kind: 'thing', parent: null, name: id, body: {} }) as unknown as StoredRecord,
    listChildren: async () => [],
    remove: async (id: string) => void removed.push(id),
  } as unknown as WriteTransaction;
  const formers = Array.from({ length: COUNT }, (_, index) => ({
    kind: 'thing',
    id: `thing-${index}`,
    state: null,
    createdAtMs: 0,
  }));

  const turns = await countTurns(() => restoreRecords(transaction, formers, new Map()));

  expect(removed).toHaveLength(COUNT);
  // For reading, for sorting, and for the sort itself.
  expect(turns).toBeGreaterThan((3 * COUNT) / 10);
});
