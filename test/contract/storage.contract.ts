/** The one suite that every implementation of the storage port has to pass. */
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
 * Runs the suite; `create` gives an empty place that can be opened, closed and opened again. With fewer made-up histories
 * where a place takes long to make.
 */
export function storageContract(implementation: string, create: CreatePlace, share = 1): void {
  describe(`the storage on ${implementation}`, () => {
    describe('reading', () => readingContract(create));
    describe('writing', () => writingContract(create));
    describe('text', () => textContract(create));
    describe('transactions', () => transactionContract(create));
    describe('snapshots and rehearsals', () => snapshotContract(create));
    describe('the change log', () => changeLogContract(create));
    describe('drafts', () => draftContract(create, share));
    describe('kinds of records', () => kindContract(create));
    describe('opening and closing', () => lifetimeContract(create));
    describe('histories', () => historyContract(create, share));
  });
}
