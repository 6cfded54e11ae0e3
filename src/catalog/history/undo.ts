/** Takes a change back, or brings everything back to how it was after one: as one new change, all or nothing. */
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import type { Files } from '../../records/files.ts';
import { type FormerState, InTheWay, isInState, putBack } from '../../records/put-back.ts';
import { serverPrincipal } from '../../security/administrator.ts';
import { keystoreKind } from '../../security/keystore/keystore-record.ts';
import { isHash } from '../../storage/blobs/port.ts';
import { turn } from '../../storage/pace.ts';
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

/** How often others may come first. */
const MAX_ATTEMPTS = 20;
const RETRY_SECONDS = 5;

/** Brings everything back to how it was right after a change. Throws `InTheWay` or `DataGone`. */
export async function restoreState(
  services: UndoServices,
  principal: Principal,
  sequence: number,
): Promise<readonly FormerState[]> {
  const { catalog } = services;
  const formers = new Map<string, FormerState>();
  let last = sequence;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    last = await gatherSince(services, last, formers);
    const gathered = [...formers.values()];
    const isDone = await catalog.change(
      principal,
      `restore the state after change ${sequence}`,
      async (transaction) => {
        // What others have changed since it was looked up would be only half restored: that is looked up, too.
        if (transaction.sequence > last + 1) return false;
        await bringBack(services, transaction, gathered);
        return true;
      },
    );
    if (isDone) return gathered;
    await catalog.refresh();
  }
  throw problem('restore-overtaken', { retryAfterSeconds: RETRY_SECONDS });
}

/** Adds how each record was before the first change of it after a number; gives the number of the last change there is. */
async function gatherSince(
  services: UndoServices,
  sequence: number,
  formers: Map<string, FormerState>,
): Promise<number> {
  const { catalog } = services;
  const position = catalog.position();
  let last = sequence;
  for (;;) {
    const entries = await catalog.sealedChanges(last, ENTRIES_AT_ONCE);
    for (const entry of entries) {
      refuseGap(last, entry.sequence);
      last = entry.sequence;
      const items = entry.items.filter(({ id }) => !formers.has(id));
      for (const former of await formersOf(services, items, 0)) formers.set(former.id, former);
    }
    if (entries.length > 0) continue;
    if (last < position) refuseGap(last, position + 1);
    return last;
  }
}

/** What a change that is missing was about, nobody can tell. */
function refuseGap(last: number, next: number): void {
  if (next !== last + 1) throw problem('history-incomplete', { first: last + 1, last: next - 1 });
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
    const others = turn();
    if (others !== undefined) await others;
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
    const others = turn();
    if (others !== undefined) await others;
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
