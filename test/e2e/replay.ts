/** Replays the change log of a stopped server entry by entry, and compares the result with the stored state. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { recordKinds } from '../../src/server/storage/record-kinds.ts';
import type { ChangedState, ChangeEntry, Storage } from '../../src/storage/port/port.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';

export interface ReplayedRecord extends ChangedState {
  readonly kind: string;
}

export interface History {
  readonly entries: readonly ChangeEntry[];
  /** By id: the records at the end of the log. */
  readonly records: ReadonlyMap<string, ReplayedRecord>;
}

/** The number of entries per read. */
const BATCH = 1_000;

/** Opens the database of a stopped server, calls `look` with it, and closes it. */
export async function inspectStorage<T>(dataDir: string, look: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openSqliteStorage({
    file: join(dataDir, 'graticule.sqlite'),
    clock: Date.now,
    kinds: recordKinds,
  });
  try {
    return await look(storage);
  } finally {
    await storage.close();
  }
}

/**
 * Fails if the log has a gap, if an entry does not follow from the previous one, or if the end differs from the store.
 */
export async function replayedHistory(storage: Storage): Promise<History> {
  const entries = await readEntries(storage);
  expect(entries.map((entry) => entry.sequence)).toEqual(entries.map((_entry, index) => index + 1));

  const records = new Map<string, ReplayedRecord>();
  for (const entry of entries) {
    play(entry, records);
  }

  await expectStored(storage, records);
  return { entries, records };
}

async function readEntries(storage: Storage): Promise<readonly ChangeEntry[]> {
  const entries: ChangeEntry[] = [];
  for (;;) {
    const batch = await storage.listSealedChanges(entries.at(-1)?.sequence ?? 0, BATCH);
    if (batch.length === 0) return entries;
    entries.push(...batch);
  }
}

function play(entry: ChangeEntry, records: Map<string, ReplayedRecord>): void {
  for (const { id, kind, before, after } of entry.items) {
    const known = records.get(id);
    expect(before, `what change ${entry.sequence}, '${entry.what}', found`).toEqual(
      known === undefined ? null : stateOf(known),
    );
    if (after === null) {
      records.delete(id);
    } else {
      records.set(id, { kind, ...after });
    }
  }
}

function stateOf({ parent, name, body }: ReplayedRecord): ChangedState {
  return { parent, name, body };
}

async function expectStored(storage: Storage, records: ReadonlyMap<string, ReplayedRecord>): Promise<void> {
  for (const [id, { kind, parent, name, body }] of records) {
    const stored = await storage.get(id);
    expect(stored && { kind: stored.kind, parent: stored.parent, name: stored.name, body: stored.body }).toEqual({
      kind,
      parent,
      name,
      body,
    });
  }
  for (const [kind, ofKind] of Map.groupBy(records.values(), (record) => record.kind)) {
    expect(await storage.count(kind), `stored records of kind ${kind}`).toBe(ofKind.length);
  }
}
