/** Undoes a change, or restores the state after a change: as one new change, all or nothing. */

import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import { isInState, RestoreConflict, restoreRecords, type TargetState } from '../../records/restore-records.ts';
import { serverPrincipal } from '../../security/core/administrator.ts';
import { keystoreKind } from '../../security/keystore/keystore-record.ts';
import { apiTokenKind } from '../../security/token-records/token.ts';
import { isHash } from '../../storage/blobs/port.ts';
import type { ChangedState, ChangeEntry, ChangeItem, JsonObject, KindRules } from '../../storage/port/port.ts';
import { dataStoreKind } from '../kinds/data-store.ts';
import type { MosaicIndexes } from '../mosaic-indexes/mosaic-indexes.ts';
import { applyEditedFile, isMadeEditable, type StoreDataFields } from '../stores/edited-file.ts';
import { checkReferences } from './check-references.ts';

export interface UndoServices {
  readonly catalog: Catalog;
  readonly files: Pick<Files, 'stored'>;
  readonly undoFiles: UndoFiles;
  readonly mosaicIndexes: Pick<MosaicIndexes, 'hasVersion'>;
  readonly recordKinds: ReadonlyMap<string, KindRules>;
}

/** Files of earlier states, which are retained for a limited time. */
export interface UndoFiles {
  /** Returns whether this set of files, or these bytes, are retained long enough for an undo. */
  isRetained(file: string): Promise<boolean>;
}

/** Reports records whose earlier data no longer exists, by id. */
export class DataGone extends Error {
  override readonly name = 'DataGone';
  readonly id: string;

  constructor(id: string) {
    super(`The earlier data of '${id}' no longer exists`);
    this.id = id;
  }
}

/**
 * Reports a change that made the features of a store editable: the state before it lacks all later edits, which are not
 * in the history.
 */
export class FeaturesEdited extends Error {
  override readonly name = 'FeaturesEdited';
  readonly id: string;
  readonly sequence: number;

  constructor(id: string, sequence: number) {
    super(`Change ${sequence} made the features of '${id}' editable`);
    this.id = id;
    this.sequence = sequence;
  }
}

/**
 * Restores every record of a change to its state before the change. Throws `InTheWay`, `DataGone` or `FeaturesEdited`.
 */
export async function undoChange(
  services: UndoServices,
  principal: Principal,
  entry: ChangeEntry,
): Promise<readonly TargetState[]> {
  // The initial records of a new server cannot be undone.
  if (entry.who === serverPrincipal.name && entry.items.some(({ before }) => before === null))
    throw problem('undo-impossible', {});
  const edited = entry.items.find((item) => findEditableStates(item) !== undefined);
  if (edited !== undefined) throw new FeaturesEdited(edited.id, entry.sequence);
  const items: ChangeItem[] = [];
  for (const item of entry.items) if (!(await isRevokedToken(services.catalog, item))) items.push(item);
  // Revoking a token is final. Tokens that were deleted with their user stay deleted, and the user returns.
  if (
    items.every(({ kind }) => services.recordKinds.get(kind)?.countOn !== undefined) &&
    items.length < entry.items.length
  )
    throw problem('undo-impossible', {});
  const formers = await resolveFormerStates(services, items, entry.atMs);
  await checkFilesExist(services, formers);
  const what = `undo change ${entry.sequence} (${entry.what})`;
  await services.catalog.change(
    principal,
    what,
    async (transaction) => {
      await checkUnchanged(transaction, items, services.recordKinds);
      await restoreStates(services, transaction, formers);
    },
    entry.sequence,
  );
  return formers;
}

/** Tokens that were deleted in the change or since then stay deleted. */
async function isRevokedToken(catalog: CatalogReader, { kind, id, before }: ChangeItem): Promise<boolean> {
  return kind === apiTokenKind.kind && before !== null && (await catalog.get(apiTokenKind, id)) === undefined;
}

/** The number of entries that are read together. */
const ENTRIES_AT_ONCE = 100;

/** The number of retries after concurrent changes. */
const MAX_ATTEMPTS = 20;
const RETRY_SECONDS = 5;

export interface RestoreResult {
  readonly formers: readonly TargetState[];
  /** The stores that keep their edited features, each with the skipped change that made them editable. */
  readonly skipped: readonly EditableChange[];
}

/** Restores the state right after a change. Throws `InTheWay`, `DataGone` or `FeaturesEdited`. */
export async function restoreState(
  services: UndoServices,
  principal: Principal,
  sequence: number,
): Promise<RestoreResult> {
  const { catalog } = services;
  const past: CollectedChanges = { formers: new Map(), editable: [] };
  let last = sequence;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    last = await collectSince(services, last, past);
    const { formers, skipped } = keepFeatureEdits(past);
    const gathered = [...formers.values()];
    await checkFilesExist(services, gathered);
    const isDone = await catalog.change(
      principal,
      `restore the state after change ${sequence}`,
      async (transaction) => {
        // A change since the lookup would be restored only partly: look up again.
        if (transaction.sequence > last + 1) return false;
        await restoreStates(services, transaction, gathered);
        return true;
      },
    );
    if (isDone) return { formers: gathered, skipped };
    await catalog.refresh();
  }
  throw problem('restore-overtaken', { retryAfterSeconds: RETRY_SECONDS });
}

/** A change that made the features of a store editable. */
export interface EditableChange {
  readonly id: string;
  readonly sequence: number;
}

/** The collected changes after a sequence number. */
interface CollectedChanges {
  /** The state of each record before its first change. */
  readonly formers: Map<string, TargetState>;
  /** In the order of their sequence numbers. */
  readonly editable: (EditableChange & { readonly before: StoreBody; readonly after: StoreBody })[];
}

type StoreBody = Readonly<JsonObject> & StoreDataFields;

/** Returns the states of a store before and after a change that made it editable; undefined for any other item. */
function findEditableStates({ kind, before, after }: ChangeItem) {
  if (kind !== dataStoreKind.kind || before === null || after === null) return undefined;
  // Store bodies always have these fields.
  const states = { before: before.body as StoreBody, after: after.body as StoreBody };
  return isMadeEditable(states.before, states.after) ? states : undefined;
}

/**
 * Keeps the edited file of a store whose features became editable, and restores its other fields. Throws
 * `FeaturesEdited` if the store had other data then, since only one of the two can be shown.
 */
function keepFeatureEdits({ formers, editable }: CollectedChanges): {
  readonly formers: ReadonlyMap<string, TargetState>;
  readonly skipped: readonly EditableChange[];
} {
  const remaining = new Map(formers);
  const skipped: EditableChange[] = [];
  for (const [id, changes] of Map.groupBy(editable, (change) => change.id)) {
    const former = formers.get(id);
    const [first] = changes;
    if (first === undefined || former === undefined || former.state === null) continue;
    const body = former.state.body as StoreBody;
    if (changes.length > 1 || body.fileSet !== first.before.fileSet) {
      throw new FeaturesEdited(id, Math.max(...changes.map(({ sequence }) => sequence)));
    }
    remaining.set(id, {
      ...former,
      state: { ...former.state, body: applyEditedFile(body, first.before, first.after) },
    });
    skipped.push(first);
  }
  return { formers: remaining, skipped };
}

/** Adds the changes after a sequence number; returns the sequence number of the last change. */
async function collectSince(
  services: UndoServices,
  sequence: number,
  { formers, editable }: CollectedChanges,
): Promise<number> {
  const { catalog } = services;
  const position = catalog.position();
  let last = sequence;
  for (;;) {
    const entries = await catalog.listSealedChanges(last, ENTRIES_AT_ONCE);
    for (const entry of entries) {
      checkSequence(last, entry.sequence);
      last = entry.sequence;
      // The keystore stays as it is, since it also has the keys of all earlier secrets. Tokens are neither revoked nor
      // brought back.
      const items = entry.items.filter(
        ({ id, kind }) => !formers.has(id) && kind !== keystoreKind.kind && kind !== apiTokenKind.kind,
      );
      for (const former of await resolveFormerStates(services, items, 0)) formers.set(former.id, former);
      for (const item of entry.items) {
        const states = findEditableStates(item);
        if (states !== undefined) editable.push({ id: item.id, sequence: entry.sequence, ...states });
      }
    }
    if (entries.length > 0) continue;
    if (last < position) checkSequence(last, position + 1);
    return last;
  }
}

/** Throws if a log entry is missing, since its content is unknown. */
function checkSequence(last: number, next: number): void {
  if (next !== last + 1) throw problem('history-incomplete', { first: last + 1, last: next - 1 });
}

async function restoreStates(
  { recordKinds }: UndoServices,
  transaction: CatalogTransaction,
  formers: readonly TargetState[],
): Promise<void> {
  await restoreRecords(transaction.stored, formers, recordKinds);
  await checkReferences(transaction, formers);
}

/** Throws if a record has changed since, because an undo would discard the later change. */
async function checkUnchanged(
  { stored }: CatalogTransaction,
  items: readonly ChangeItem[],
  kinds: ReadonlyMap<string, KindRules>,
): Promise<void> {
  const changed: string[] = [];
  for (const { id, kind, after } of items) {
    const others = yieldIfDue();
    if (others !== undefined) await others;
    const counts = kinds.get(kind)?.countOn !== undefined;
    if (!counts && !isInState(await stored.get(id), after)) changed.push(id);
  }
  if (changed.length > 0) throw new RestoreConflict(changed);
}

async function resolveFormerStates(
  services: UndoServices,
  items: readonly ChangeItem[],
  otherwiseMs: number,
): Promise<readonly TargetState[]> {
  const { catalog } = services;
  const formers: TargetState[] = [];
  for (const { kind, id, before, after } of items) {
    const others = yieldIfDue();
    if (others !== undefined) await others;
    if (kind === keystoreKind.kind) throw problem('undo-impossible', {});
    const createdAtMs = after === null ? ((await catalog.log.findCreationTime(id)) ?? otherwiseMs) : otherwiseMs;
    formers.push({ kind, id, state: before, createdAtMs });
  }
  return formers;
}

async function checkFilesExist(services: UndoServices, formers: readonly TargetState[]): Promise<void> {
  for (const { kind, id, state } of formers) {
    const others = yieldIfDue();
    if (others !== undefined) await others;
    if (state !== null && !(await hasFiles(services, kind, state))) throw new DataGone(id);
  }
}

/** Returns whether everything that a state refers to still exists: bytes, file sets, granules. */
async function hasFiles(services: UndoServices, kind: string, state: ChangedState): Promise<boolean> {
  const { files, undoFiles, recordKinds } = services;
  for (const file of recordKinds.get(kind)?.index(state).files ?? []) {
    const isThere = isHash(file) ? await hasStoredBytes(files, file) : await hasGranules(services, file);
    if (!isThere || !(await undoFiles.isRetained(file))) return false;
  }
  return true;
}

async function hasStoredBytes({ stored }: Pick<Files, 'stored'>, file: string): Promise<boolean> {
  const isSet = (await stored.sets.getState(file)) === 'present';
  const hashes = isSet ? (await stored.readSetFiles(file)).map(({ hash }) => hash) : [file];
  for (const each of hashes) if ((await stored.blobs.getState(each)) !== 'present') return false;
  return true;
}

/** Returns whether the version is the current one of the mosaic, in any kind of index, or a retained earlier one. */
async function hasGranules({ catalog, mosaicIndexes }: UndoServices, version: string): Promise<boolean> {
  return (await catalog.isFileInUse(version)) || mosaicIndexes.hasVersion(version);
}
