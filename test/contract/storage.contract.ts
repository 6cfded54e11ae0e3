/** The contract of all storage implementations. */
import { describe } from 'vitest';
import { changeLogContract } from './storage/change-log.ts';
import { draftContract } from './storage/drafts.ts';
import { historyContract } from './storage/histories.ts';
import { kindContract } from './storage/kinds.ts';
import { lifetimeContract } from './storage/lifetime.ts';
import type { CreatePlace } from './storage/place.ts';
import { readingContract } from './storage/reading.ts';
import { snapshotContract } from './storage/snapshots.ts';
import { textContract } from './storage/text.ts';
import { transactionContract } from './storage/transactions.ts';
import { writingContract } from './storage/writing.ts';

/**
 * Runs the suite. `create` returns an empty place that can be opened, closed and reopened. Places that are slow to
 * create run fewer random histories.
 */
export function storageContract(implementation: string, create: CreatePlace, share = 1): void {
  describe(`storage on ${implementation}`, () => {
    describe('reading', () => readingContract(create));
    describe('writing', () => writingContract(create));
    describe('text', () => textContract(create));
    describe('transactions', () => transactionContract(create));
    describe('snapshots and dry runs', () => snapshotContract(create));
    describe('change log', () => changeLogContract(create));
    describe('drafts', () => draftContract(create, share));
    describe('record kinds', () => kindContract(create));
    describe('opening and closing', () => lifetimeContract(create));
    describe('histories', () => historyContract(create, share));
  });
}
