/** Migrates the records of kinds whose format has changed, before anything is read. */
import type { ChangedState, JsonObject, KindRules } from '../port/port.ts';
import { createNewerStorageError, PROGRAM_VERSION_NOTE } from '../port/program-version.ts';
import type { KindShape, Rows, RowTransaction } from '../port/rows.ts';
import { formatBody } from '../port/storable-text.ts';

/** The number of records that are read at a time. */
const RECORDS_AT_ONCE = 500;

/** The body versions in the log by kind. */
export type BodyVersions = ReadonlyMap<string, readonly KindShape[]>;

/** Runs in one transaction: after a crash, the next start begins again. */
export async function adaptKinds(rows: Rows, kinds: readonly KindRules[]): Promise<BodyVersions> {
  const found = await rows.readShapes();
  await rejectNewerKinds(rows, kinds, found);
  if (findChangedKinds(kinds, found).length === 0) return found;
  const transaction = await rows.begin();
  try {
    // Another server may have migrated first.
    const known = await transaction.readShapes();
    await rejectNewerKinds(rows, kinds, known);
    const isNew = transaction.head.position === 0;
    for (const rules of findChangedKinds(kinds, known)) {
      const last = known.get(rules.kind)?.at(-1);
      // The first version was written before versions were recorded.
      if (!isNew) await adaptRecords(transaction, rules, last?.bodyVersion ?? 1);
      if (!isNew && last === undefined) await indexLog(transaction, rules);
      const { bodyVersion, keyNames } = rules;
      const since = last === undefined ? 0 : transaction.head.position + 1;
      await transaction.addShape(rules.kind, { bodyVersion, keyNames: keyNames.toSorted(), since });
    }
    const { shown } = await transaction.commit();
    await shown;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
  return rows.readShapes();
}

function findChangedKinds(
  kinds: readonly KindRules[],
  known: ReadonlyMap<string, readonly KindShape[]>,
): readonly KindRules[] {
  return kinds.filter((rules) => !isSameShape(known.get(rules.kind)?.at(-1), rules));
}

/** Throws if a newer version of the program has written records of one of the kinds. */
async function rejectNewerKinds(rows: Rows, kinds: readonly KindRules[], found: BodyVersions): Promise<void> {
  const findVersion = (kind: string) => found.get(kind)?.at(-1)?.bodyVersion ?? 0;
  const newer = kinds.find(({ kind, bodyVersion }) => findVersion(kind) > bodyVersion);
  if (newer === undefined) return;
  const { kind, bodyVersion } = newer;
  const snapshot = rows.snapshots.hold();
  try {
    throw createNewerStorageError(
      `The database contains records of kind '${kind}' in version ${findVersion(kind)}, but this program supports versions up to ${bodyVersion}`,
      await snapshot.readNote(PROGRAM_VERSION_NOTE),
    );
  } finally {
    snapshot.release();
  }
}

function isSameShape(shape: KindShape | undefined, { bodyVersion, keyNames }: KindRules): boolean {
  return shape?.bodyVersion === bodyVersion && shape.keyNames.join() === keyNames.toSorted().join();
}

async function adaptRecords(transaction: RowTransaction, rules: KindRules, fromVersion: number): Promise<void> {
  let piece = await transaction.listOfKind(rules.kind, undefined, RECORDS_AT_ONCE);
  while (piece.length > 0) {
    for (const record of piece) {
      const body = upgradeBody(rules, record.body, fromVersion);
      const { keys, files = [] } = rules.index({ ...record, body });
      await transaction.rewrite(record, { text: formatBody(body), keys, files });
    }
    piece = await transaction.listOfKind(rules.kind, piece.at(-1), RECORDS_AT_ONCE);
  }
}

function upgradeBody(rules: KindRules, body: JsonObject, fromVersion: number): JsonObject {
  return fromVersion === rules.bodyVersion ? body : rules.upgrade(body, fromVersion);
}

/** Indexes entries of the first version, which were written before files were recorded. */
async function indexLog(transaction: RowTransaction, rules: KindRules): Promise<void> {
  const listFiles = (state: ChangedState | null) =>
    state === null ? [] : (rules.index({ ...state, body: upgradeBody(rules, state.body, 1) }).files ?? []);
  let piece = await transaction.listItemsOfKind(rules.kind, undefined, RECORDS_AT_ONCE);
  while (piece.length > 0) {
    for (const { sequence, item } of piece) {
      await transaction.logFiles(sequence, [...listFiles(item.before), ...listFiles(item.after)]);
    }
    piece = await transaction.listItemsOfKind(rules.kind, piece.at(-1), RECORDS_AT_ONCE);
  }
}
