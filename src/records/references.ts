/**
 * References between records. Each kind declares its own; who uses a record, what stands in the way of deleting it, what
 * goes or is released with it, and who follows its name, is worked out here from that.
 */
import type { CatalogReader, CatalogTransaction } from './catalog.ts';
import type { DraftOf, RecordBase, RecordKind } from './record.ts';
import { workspaceKind } from './workspace.ts';

type AnyRecord = RecordBase & { readonly kind: string };

/** A record that others may refer to. */
type Target = Pick<AnyRecord, 'id' | 'kind'>;

/** A field, or several, with the ids of records of another kind. */
export interface Reference<R extends AnyRecord> {
  /** The kind of what it refers to. */
  readonly to: string;
  readonly ids: (record: DraftOf<R>) => readonly string[];
  /** The key by which the holders of an id are found; absent for a kind of so few records at the top that each is looked at. */
  readonly key?: string;
  /** How a refusal names the holder; absent where it does not stand in the way of deleting the other. */
  readonly blocker?: (reader: CatalogReader, holder: R) => Promise<string>;
  /**
   * Once the other is gone, the holder goes too, or stays as this function makes it: without the reference; null where
   * nothing is left of it, so that it goes as well.
   */
  readonly onDelete: 'cascades' | ((reader: CatalogReader, holder: R, goneId: string) => Promise<R | null>);
}

export interface Links<R extends AnyRecord> {
  /** The kinds of record that it lives in: it stands in the way of deleting them, or goes with them. */
  readonly livesIn: readonly string[];
  /** It is never in the way of deleting what it lives in: it goes along without being asked for. */
  readonly goesAlong?: true;
  readonly references: readonly Reference<R>[];
}

export interface LinkedKind<R extends AnyRecord> extends RecordKind<R>, Links<R> {}

/** A kind with what it declares of others; the keys that its references are found by follow from that. */
export function createLinkedKind<R extends AnyRecord>(kind: RecordKind<R>, links: Links<R>): LinkedKind<R> {
  return {
    ...kind,
    ...links,
    keys: {
      ...kind.keys,
      ...Object.fromEntries(
        links.references.flatMap(({ key, ids }) =>
          key === undefined ? [] : [[key, (record: DraftOf<R>) => [...new Set(ids(record))]] as const],
        ),
      ),
    },
  };
}

/** A kind among others. Right as long as what is written with it was read with it. */
export function toAnyLinkedKind<R extends AnyRecord>(kind: LinkedKind<R>): LinkedKind<AnyRecord> {
  return kind as unknown as LinkedKind<AnyRecord>;
}

/** A record is called something else from now on, or is no more (null). */
export interface NameChange {
  readonly kind: 'workspace' | 'layer';
  /** Its name, after those of what it lives in: `['topp', 'states']`. */
  readonly from: readonly string[];
  readonly to: readonly string[] | null;
}

/** Told by those that keep names instead of ids. */
export type NameFollower = (transaction: CatalogTransaction, changes: readonly NameChange[]) => Promise<void>;

export interface Blockers {
  /** The first few, as messages name them. */
  readonly first: readonly string[];
  readonly total: number;
}

export interface References {
  /** What lives in a record or refers to it, and is not to be left without it; of the holders only those that count. */
  findBlockers(reader: CatalogReader, record: AnyRecord, counts?: (holder: AnyRecord) => boolean): Promise<Blockers>;
  /** Removes a record with all that lives in it and goes with it, and releases the rest. */
  remove(transaction: CatalogTransaction, record: AnyRecord): Promise<void>;
  /** Lets those follow that keep names. */
  followNameChanges: NameFollower;
  /** Who refers to a record, whether it is there or not: the first few. */
  findHolders(reader: CatalogReader, target: Target, limit: number): Promise<readonly AnyRecord[]>;
  /** The ids of what a record refers to. */
  listTargets(record: AnyRecord): readonly string[];
}

/** How many blockers a refusal names. */
const MAX_REPORTED_BLOCKERS = 10;

/** More holders than this are not counted, unless some of them do not count. */
const MAX_COUNTED_HOLDERS = 1_000;

const NO_HOLDER_LIMIT = Number.MAX_SAFE_INTEGER;

/** How many holders are released together. */
const RELEASE_BATCH = 200;

export function createReferences(
  kinds: readonly LinkedKind<AnyRecord>[],
  followers: readonly NameFollower[],
): References {
  const referring = kinds.flatMap((kind) => kind.references.map((reference) => ({ kind, reference })));
  const referringTo = Map.groupBy(referring, ({ reference }) => reference.to);

  function listKindsIn(parentKind: string): readonly LinkedKind<AnyRecord>[] {
    return kinds.filter(({ livesIn }) => livesIn.includes(parentKind));
  }

  /** The kinds of record that somebody refers to now: where nobody does, nobody need look for what is to be released. */
  async function findTargetKinds(reader: CatalogReader): Promise<ReadonlySet<string>> {
    const used = new Set<string>();
    for (const { kind, reference } of referring) {
      const { key, to } = reference;
      if (key === undefined || (await reader.listKeyValues(kind, key, { limit: 1 })).length > 0) {
        used.add(to);
      }
    }
    return used;
  }

  /** The record and all that lives in it, as far as others may refer to it. */
  async function collectTargets(reader: CatalogReader, record: AnyRecord): Promise<readonly Target[]> {
    const used = await findTargetKinds(reader);
    const targets: Target[] = [];
    const hasTargets = (kind: string): boolean =>
      used.has(kind) || listKindsIn(kind).some((each) => hasTargets(each.kind));
    async function collect({ id, kind }: Target): Promise<void> {
      if (used.has(kind)) {
        targets.push({ id, kind });
      }
      for (const inner of listKindsIn(kind).filter((each) => hasTargets(each.kind))) {
        for (const child of await reader.list(inner, id)) {
          await collect(child);
        }
      }
    }
    await collect(record);
    return targets;
  }

  async function remove(transaction: CatalogTransaction, record: AnyRecord): Promise<void> {
    const gone = await collectTargets(transaction, record);
    await transaction.removeDeep(record.id);
    // Only now: what has gone as well need not be released.
    for (const { id, kind: goneKind } of gone) {
      for (const { kind, reference } of referringTo.get(goneKind) ?? []) {
        await releaseHolders(transaction, kind, reference, id);
      }
    }
    if (record.kind === workspaceKind.kind) {
      await followNameChanges(transaction, [{ kind: 'workspace', from: [record.name], to: null }]);
    }
  }

  async function releaseHolders(
    transaction: CatalogTransaction,
    kind: LinkedKind<AnyRecord>,
    reference: Reference<AnyRecord>,
    goneId: string,
  ): Promise<void> {
    for (;;) {
      const holders = await findHolders(transaction, kind, reference, goneId, RELEASE_BATCH);
      if (holders.length === 0) {
        return;
      }
      for (const { id } of holders) {
        // What went with one of them may have changed or taken the next.
        const holder = await transaction.get(kind, id);
        if (holder === undefined || !reference.ids(holder).includes(goneId)) {
          continue;
        }
        const released =
          reference.onDelete === 'cascades' ? null : await reference.onDelete(transaction, holder, goneId);
        if (released === null) {
          await remove(transaction, holder);
          continue;
        }
        if (reference.ids(released).includes(goneId)) {
          throw new Error(`The ${kind.kind} '${holder.id}' still refers to '${goneId}' after its release.`);
        }
        await transaction.update(kind, released);
      }
    }
  }

  /** What lives in a record and does not simply go along with it. */
  async function readBlockingContents(
    reader: CatalogReader,
    record: AnyRecord,
  ): ReturnType<CatalogReader['listContents']> {
    const inside = listKindsIn(record.kind);
    if (inside.length === 0) {
      return { first: [], total: 0 };
    }
    const along = inside.filter(({ goesAlong }) => goesAlong === true);
    const names = await Promise.all(along.map((kind) => reader.listNames(kind, record.id)));
    const uncounted = names.flat().length;
    const { first, total } = await reader.listContents(record.id, MAX_REPORTED_BLOCKERS + uncounted);
    const blocking = first.filter(({ kind }) => !along.some((each) => each.kind === kind));
    return { first: blocking.slice(0, MAX_REPORTED_BLOCKERS), total: total - uncounted };
  }

  async function followNameChanges(transaction: CatalogTransaction, changes: readonly NameChange[]): Promise<void> {
    for (const follow of followers) {
      await follow(transaction, changes);
    }
  }

  return {
    remove,
    followNameChanges,

    async findHolders(reader, { id, kind: targetKind }, limit) {
      const found: AnyRecord[] = [];
      for (const { kind, reference } of referringTo.get(targetKind) ?? []) {
        found.push(...(await findHolders(reader, kind, reference, id, limit - found.length)));
        if (found.length >= limit) break;
      }
      return found;
    },

    listTargets(record) {
      const kind = kinds.find((each) => each.kind === record.kind);
      // What belongs to nobody refers to no one.
      return kind?.references.flatMap(({ ids }) => ids(record)).filter((id) => id !== '') ?? [];
    },

    async findBlockers(reader, record, counts) {
      const inside = await readBlockingContents(reader, record);
      const first = inside.first.map(({ kind, name }) => `${kind} '${name}'`);
      let { total } = inside;
      for (const { kind, reference } of referringTo.get(record.kind) ?? []) {
        const { blocker } = reference;
        if (blocker === undefined) {
          continue;
        }
        const limit = counts === undefined ? MAX_COUNTED_HOLDERS : NO_HOLDER_LIMIT;
        const found = await findHolders(reader, kind, reference, record.id, limit);
        const holders = counts === undefined ? found : found.filter(counts);
        for (const holder of holders.slice(0, MAX_REPORTED_BLOCKERS - first.length)) {
          first.push(await blocker(reader, holder));
        }
        total += holders.length;
      }
      return { first, total };
    },
  };
}

async function findHolders(
  reader: CatalogReader,
  kind: LinkedKind<AnyRecord>,
  { key, ids }: Reference<AnyRecord>,
  id: string,
  limit: number,
): Promise<readonly AnyRecord[]> {
  return key === undefined
    ? (await reader.list(kind, null)).filter((record) => ids(record).includes(id))
    : reader.findByKey(kind, key, id, limit);
}
