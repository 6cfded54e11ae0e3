/** Takes a change back, or brings everything back to how it was after one: as one new change, all or nothing. */
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import type { Files } from '../../records/files.ts';
import { type FormerState, InTheWay, isInState, putBack } from '../../records/put-back.ts';
import { serverPrincipal } from '../../security/administrator.ts';
import { keystoreKind } from '../../security/keystore/keystore-record.ts';
import { isHash } from '../../storage/blobs/port.ts';
import type { ChangedState, ChangeEntry, ChangeItem, KindRules } from '../../storage/port.ts';
import type { MosaicIndexes } from '../mosaics/mosaic-indexes.ts';
import { refuseLooseEnds } from './loose-ends.ts';

export interface UndoServices {
  readonly catalog: Catalog;
  readonly files: Pick<Files, 'kept'>;
  readonly undoFiles: UndoFiles;
  readonly mosaicIndexes: Pick<MosaicIndexes, 'hasVersion'>;
  readonly recordKinds: ReadonlyMap<string, KindRules>;
}

/** Files of how things were, which are kept for a while. */
export interface UndoFiles {
  /** Whether this set of files, or these bytes, are there for as long as taking something back can take. */
  isKept(file: string): Promise<boolean>;
}

/** Records whose data is no longer there as it was: told by their ids. */
export class DataGone extends Error {
  override readonly name = 'DataGone';
  readonly id: string;

  constructor(id: string) {
    super(`The data of '${id}' as it was is gone`);
    this.id = id;
  }
}

/** Brings every record of a change back to how it was before. Throws `InTheWay` or `DataGone`. */
export async function undoChange(
  services: UndoServices,
  principal: Principal,
  entry: ChangeEntry,
): Promise<readonly FormerState[]> {
  // What a new server has is there for good.
  if (entry.who === serverPrincipal.name && entry.items.some(({ before }) => before === null))
    throw problem('undo-impossible', {});
  const formers = await formersOf(services, entry.items, entry.atMs);
  const what = `undo change ${entry.sequence} (${entry.what})`;
  await services.catalog.change(
    principal,
    what,
    async (transaction) => {
      await refuseChanged(transaction, entry.items, services.recordKinds);
      await bringBack(services, transaction, formers);
    },
    entry.sequence,
  );
  return formers;
}

/** Entries that are read together. */
const ENTRIES_AT_ONCE = 100;

/** Brings everything back to how it was right after a change. Throws `InTheWay` or `DataGone`. */
export async function restoreState(
  services: UndoServices,
  principal: Principal,
  sequence: number,
): Promise<readonly FormerState[]> {
  const { catalog } = services;
  const first = new Map<string, ChangeItem>();
  let after = sequence;
  for (;;) {
    const entries = await catalog.sealedChanges(after, ENTRIES_AT_ONCE);
    for (const item of entries.flatMap(({ items }) => items)) if (!first.has(item.id)) first.set(item.id, item);
    after = entries.at(-1)?.sequence ?? after;
    if (entries.length > 0) continue;
    const formers = await formersOf(services, [...first.values()], 0);
    const isDone = await catalog.change(
      principal,
      `restore the state after change ${sequence}`,
      async (transaction) => {
        // What others have changed since it was looked up would be only half restored: that is looked up, too.
        if (transaction.sequence > after + 1) return false;
        await bringBack(services, transaction, formers);
        return true;
      },
    );
    if (isDone) return formers;
  }
}

async function bringBack(
  { recordKinds }: UndoServices,
  transaction: CatalogTransaction,
  formers: readonly FormerState[],
): Promise<void> {
  await putBack(transaction.stored, formers, recordKinds);
  await refuseLooseEnds(transaction, formers);
}

/** A record that is not as the change left it belongs to whoever changed it since. */
async function refuseChanged(
  { stored }: CatalogTransaction,
  items: readonly ChangeItem[],
  kinds: ReadonlyMap<string, KindRules>,
): Promise<void> {
  const changed: string[] = [];
  for (const { id, kind, after } of items) {
    const counts = kinds.get(kind)?.countOn !== undefined;
    if (!counts && !isInState(await stored.get(id), after)) changed.push(id);
  }
  if (changed.length > 0) throw new InTheWay(changed);
}

async function formersOf(
  services: UndoServices,
  items: readonly ChangeItem[],
  otherwiseMs: number,
): Promise<readonly FormerState[]> {
  const { catalog } = services;
  const formers: FormerState[] = [];
  for (const { kind, id, before, after } of items) {
    if (kind === keystoreKind.kind) throw problem('undo-impossible', {});
    if (before !== null && !(await hasFiles(services, kind, before))) throw new DataGone(id);
    const createdAtMs = after === null ? ((await catalog.log.creationOf(id)) ?? otherwiseMs) : otherwiseMs;
    formers.push({ kind, id, state: before, createdAtMs });
  }
  return formers;
}

/** Whether all that a state names is still there: bytes, sets of files, granules. */
async function hasFiles(services: UndoServices, kind: string, state: ChangedState): Promise<boolean> {
  const { files, undoFiles, recordKinds } = services;
  for (const file of recordKinds.get(kind)?.index(state).files ?? []) {
    const isThere = isHash(file) ? await hasBytes(files, file) : await hasGranules(services, file);
    if (!isThere || !(await undoFiles.isKept(file))) return false;
  }
  return true;
}

async function hasBytes({ kept }: Pick<Files, 'kept'>, file: string): Promise<boolean> {
  const isSet = (await kept.sets.state(file)) === 'present';
  const hashes = isSet ? (await kept.filesOf(file)).map(({ hash }) => hash) : [file];
  for (const each of hashes) if ((await kept.blobs.state(each)) !== 'present') return false;
  return true;
}

/** Those that the mosaic has anyway, wherever its index is, or those of an earlier version. */
async function hasGranules({ catalog, mosaicIndexes }: UndoServices, version: string): Promise<boolean> {
  return (await catalog.isFileInUse(version)) || mosaicIndexes.hasVersion(version);
}
