/** The interface that the storage contract requires of an implementation, and helpers for its tests. */
import { onTestFinished } from 'vitest';
import type { ChangeAuthor, KindRules, RecordDraft, Storage, StoredRecord } from '../../../src/storage/port/port.ts';
import { plainKinds } from '../../support/plain-kinds.ts';

export interface StorageWorld {
  readonly clock: () => number;
  readonly kinds: readonly KindRules[];
}

/** A location that holds one storage, open or closed. */
export interface StoragePlace {
  open(world: StorageWorld): Promise<Storage>;
  destroy(): Promise<void>;
}

export type CreatePlace = () => Promise<StoragePlace>;

export const author: ChangeAuthor = { who: 'admin', what: 'test' };

/** A clock that advances one second with every read. */
export function tickingClock(): () => number {
  let nowMs = 1_700_000_000_000;
  return () => {
    nowMs += 1_000;
    return nowMs;
  };
}

export interface OpenPlace {
  readonly storage: Storage;
  /** Closes the storage and reopens the same place, optionally with another environment. */
  reopen(world?: Partial<StorageWorld>): Promise<Storage>;
}

const usualKinds = plainKinds('workspace', 'store', 'style', 'layer');

/** Opens a new storage that is deleted with the test. */
export async function openFresh(create: CreatePlace, world: Partial<StorageWorld> = {}): Promise<OpenPlace> {
  const place = await create();
  const whole: StorageWorld = { clock: tickingClock(), kinds: usualKinds, ...world };
  let current = await place.open(whole);
  onTestFinished(async () => {
    await current.close();
    await place.destroy();
  });
  return {
    storage: current,
    async reopen(other = {}) {
      await current.close();
      current = await place.open({ ...whole, ...other });
      return current;
    },
  };
}

/** A draft of a workspace at the root by default. */
export function draft(name: string, rest: Partial<RecordDraft> = {}): RecordDraft {
  return { kind: 'workspace', parent: null, name, body: {}, keys: {}, ...rest };
}

export async function insert(storage: Storage, record: RecordDraft): Promise<StoredRecord> {
  return (await storage.write(author, (transaction) => transaction.insert(record))).result;
}

/** Inserts records one by one, each in a separate change. */
export async function insertAll(storage: Storage, records: readonly RecordDraft[]): Promise<readonly StoredRecord[]> {
  const stored: StoredRecord[] = [];
  for (const record of records) stored.push(await insert(storage, record));
  return stored;
}

export function namesOf(records: readonly StoredRecord[]): readonly string[] {
  return records.map((record) => record.name);
}

/** A promise with an external resolve function, to hold a write open during other checks. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}
