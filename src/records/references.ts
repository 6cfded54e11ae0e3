/**
 * References between records. Each kind declares its own. From these declarations this module finds the users of a
 * record and the blockers of its deletion, cascades deletions, releases references and propagates renames.
 */
import type { CatalogReader, CatalogTransaction } from './catalog.ts';
import type { DraftOf, RecordBase, RecordKind } from './record.ts';
import { workspaceKind } from './workspace.ts';

type AnyRecord = RecordBase & { readonly kind: string };

/** A record that others may refer to. */
type Target = Pick<AnyRecord, 'id' | 'kind'>;

/** One or more fields with the ids of records of another kind. */
export interface Reference<R extends AnyRecord> {
  /** The kind of the target. */
  readonly to: string;
  readonly ids: (record: DraftOf<R>) => readonly string[];
  /** The key that finds the holders of an id. Absent for a top-level kind with so few records that all are read. */
  readonly key?: string;
  /** Describes the holder in an error. Absent if it does not block the deletion of the target. */
  readonly blocker?: (reader: CatalogReader, holder: R) => Promise<string>;
  /**
   * After the deletion of the target, the holder is deleted too, or this function returns it without the reference;
   * null if nothing remains, so that it is deleted as well.
   */
  readonly onDelete: 'cascades' | ((reader: CatalogReader, holder: R, goneId: string) => Promise<R | null>);
}

export interface Links<R extends AnyRecord> {
  /** The kinds of its parents. It blocks the deletion of a parent or is deleted with it. */
  readonly livesIn: readonly string[];
  /** It never blocks the deletion of its parent and is always deleted with it. */
  readonly goesAlong?: true;
  readonly references: readonly Reference<R>[];
}

export interface LinkedKind<R extends AnyRecord> extends RecordKind<R>, Links<R> {}

/** Adds the declared links to a kind, and the index keys of its references. */
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

/** Erases the record type. Safe as long as records are written with the kind they were read with. */
export function toAnyLinkedKind<R extends AnyRecord>(kind: LinkedKind<R>): LinkedKind<AnyRecord> {
  return kind as unknown as LinkedKind<AnyRecord>;
}

/** A rename, or a deletion (null). */
export interface NameChange {
  readonly kind: 'workspace' | 'layer';
  /** The names of its ancestors and its own name: `['topp', 'states']`. */
  readonly from: readonly string[];
  readonly to: readonly string[] | null;
}

/** Called for kinds that store names instead of ids. */
export type NameFollower = (transaction: CatalogTransaction, changes: readonly NameChange[]) => Promise<void>;

export interface Blockers {
  /** The first blockers, as messages describe them. */
  readonly first: readonly string[];
  readonly total: number;
}

export interface References {
  /** Finds the contents and the holders that block the deletion of a record. `counts` restricts the holders. */
  findBlockers(reader: CatalogReader, record: AnyRecord, counts?: (holder: AnyRecord) => boolean): Promise<Blockers>;
  /** Deletes a record with its contents and cascades, and releases the other references. */
  remove(transaction: CatalogTransaction, record: AnyRecord): Promise<void>;
  /** Propagates renames to kinds that store names. */
  followNameChanges: NameFollower;
  /** Returns the first holders of references to a record, even if the record does not exist. */
  findHolders(reader: CatalogReader, target: Target, limit: number): Promise<readonly AnyRecord[]>;
  /** Returns the ids of the records that a record refers to. */
  listTargets(record: AnyRecord): readonly string[];
}

/** The number of blockers that an error lists. */
const MAX_REPORTED_BLOCKERS = 10;

/** Holders above this number are not counted unless `counts` excludes some. */
const MAX_COUNTED_HOLDERS = 1_000;

const NO_HOLDER_LIMIT = Number.MAX_SAFE_INTEGER;

/** The number of holders that are released at a time. */
const RELEASE_BATCH = 200;

export function createReferences(
  kinds: readonly LinkedKind<AnyRecord>[],
  followers: readonly NameFollower[],
): References {
  return new CatalogReferences(kinds, followers);
}

class CatalogReferences implements References {
  readonly #kinds: readonly LinkedKind<AnyRecord>[];
  readonly #followers: readonly NameFollower[];
  readonly #referring: { kind: LinkedKind<AnyRecord>; reference: Reference<AnyRecord> }[];
  readonly #referringTo: Map<string, { kind: LinkedKind<AnyRecord>; reference: Reference<AnyRecord> }[]>;

  constructor(kinds: readonly LinkedKind<AnyRecord>[], followers: readonly NameFollower[]) {
    this.#kinds = kinds;
    this.#followers = followers;
    this.#referring = this.#kinds.flatMap((kind) => kind.references.map((reference) => ({ kind, reference })));
    this.#referringTo = Map.groupBy(this.#referring, ({ reference }) => reference.to);
  }

  async findHolders(
    reader: CatalogReader,
    { id, kind: targetKind }: Target,
    limit: number,
  ): Promise<readonly AnyRecord[]> {
    const found: AnyRecord[] = [];
    for (const { kind, reference } of this.#referringTo.get(targetKind) ?? []) {
      found.push(...(await findHolders(reader, { kind, reference }, id, limit - found.length)));
      if (found.length >= limit) break;
    }
    return found;
  }

  listTargets(record: AnyRecord): readonly string[] {
    const kind = this.#kinds.find((each) => each.kind === record.kind);
    // Records without an owner have no references.
    return kind?.references.flatMap(({ ids }) => ids(record)).filter((id) => id !== '') ?? [];
  }

  async findBlockers(
    reader: CatalogReader,
    record: AnyRecord,
    counts?: (holder: AnyRecord) => boolean,
  ): Promise<Blockers> {
    const inside = await this.#readBlockingContents(reader, record);
    const first = inside.first.map(({ kind, name }) => `${kind} '${name}'`);
    let { total } = inside;
    for (const { kind, reference } of this.#referringTo.get(record.kind) ?? []) {
      const { blocker } = reference;
      if (blocker === undefined) {
        continue;
      }
      const limit = counts === undefined ? MAX_COUNTED_HOLDERS : NO_HOLDER_LIMIT;
      const found = await findHolders(reader, { kind, reference }, record.id, limit);
      const holders = counts === undefined ? found : found.filter(counts);
      for (const holder of holders.slice(0, MAX_REPORTED_BLOCKERS - first.length)) {
        first.push(await blocker(reader, holder));
      }
      total += holders.length;
    }
    return { first, total };
  }

  #listKindsIn(parentKind: string): readonly LinkedKind<AnyRecord>[] {
    return this.#kinds.filter(({ livesIn }) => livesIn.includes(parentKind));
  }

  /** Returns the kinds that any record currently refers to. Other kinds need no release. */
  async #findTargetKinds(reader: CatalogReader): Promise<ReadonlySet<string>> {
    const used = new Set<string>();
    for (const { kind, reference } of this.#referring) {
      const { key, to } = reference;
      if (key === undefined || (await reader.listKeyValues(kind, key, { limit: 1 })).length > 0) {
        used.add(to);
      }
    }
    return used;
  }

  /** Returns the record and its contents, as far as other records may refer to them. */
  async #collectTargets(reader: CatalogReader, record: AnyRecord): Promise<readonly Target[]> {
    const used = await this.#findTargetKinds(reader);
    const targets: Target[] = [];
    const hasTargets = (kind: string): boolean =>
      used.has(kind) || this.#listKindsIn(kind).some((each) => hasTargets(each.kind));
    const collect = async ({ id, kind }: Target): Promise<void> => {
      if (used.has(kind)) {
        targets.push({ id, kind });
      }
      for (const inner of this.#listKindsIn(kind).filter((each) => hasTargets(each.kind))) {
        for (const child of await reader.list(inner, id)) {
          await collect(child);
        }
      }
    };
    await collect(record);
    return targets;
  }

  async remove(transaction: CatalogTransaction, record: AnyRecord): Promise<void> {
    const gone = await this.#collectTargets(transaction, record);
    await transaction.removeDeep(record.id);
    // Release last: deleted holders need no release.
    for (const { id, kind: goneKind } of gone) {
      for (const { kind, reference } of this.#referringTo.get(goneKind) ?? []) {
        await this.#releaseHolders(transaction, kind, reference, id);
      }
    }
    if (record.kind === workspaceKind.kind) {
      await this.followNameChanges(transaction, [{ kind: 'workspace', from: [record.name], to: null }]);
    }
  }

  async #releaseHolders(
    transaction: CatalogTransaction,
    kind: LinkedKind<AnyRecord>,
    reference: Reference<AnyRecord>,
    goneId: string,
  ): Promise<void> {
    for (;;) {
      const holders = await findHolders(transaction, { kind, reference }, goneId, RELEASE_BATCH);
      if (holders.length === 0) {
        return;
      }
      for (const { id } of holders) {
        // A cascade of an earlier holder may have changed or deleted this one.
        const holder = await transaction.get(kind, id);
        if (holder === undefined || !reference.ids(holder).includes(goneId)) {
          continue;
        }
        const released =
          reference.onDelete === 'cascades' ? null : await reference.onDelete(transaction, holder, goneId);
        if (released === null) {
          await this.remove(transaction, holder);
          continue;
        }
        if (reference.ids(released).includes(goneId)) {
          throw new Error(`The ${kind.kind} '${holder.id}' still refers to '${goneId}' after its release.`);
        }
        await transaction.update(kind, released);
      }
    }
  }

  /** Returns the contents of a record that are not deleted with it automatically. */
  async #readBlockingContents(reader: CatalogReader, record: AnyRecord): ReturnType<CatalogReader['listContents']> {
    const inside = this.#listKindsIn(record.kind);
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

  async followNameChanges(transaction: CatalogTransaction, changes: readonly NameChange[]): Promise<void> {
    for (const follow of this.#followers) {
      await follow(transaction, changes);
    }
  }
}

async function findHolders(
  reader: CatalogReader,
  { kind, reference: { key, ids } }: { readonly kind: LinkedKind<AnyRecord>; readonly reference: Reference<AnyRecord> },
  id: string,
  limit: number,
): Promise<readonly AnyRecord[]> {
  return key === undefined
    ? (await reader.list(kind, null)).filter((record) => ids(record).includes(id))
    : reader.findByKey(kind, key, id, limit);
}
