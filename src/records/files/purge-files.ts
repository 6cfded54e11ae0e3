/** Deletes stored bytes immediately unless they are needed: single ones, or all bytes of a file set. */
import { allSettled } from '../../lib/async/all-settled.ts';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import { BlobMissing, type Blobs, type Hash, isHash } from '../../storage/blobs/port.ts';
import type { FileSetId, SetFile } from './file-sets.ts';
import type { Pins } from './pins.ts';
import type { IsReferenced, PurgeTarget } from './purges.ts';

export interface PurgeContext {
  readonly blobs: Blobs;
  readonly sets: Blobs;
  readSetFiles(set: FileSetId): Promise<readonly SetFile[]>;
  listOpenedSets(): Promise<readonly string[]>;
  closeSet(set: string): Promise<void>;
  readonly pins: Pins;
  /** Called with purged files, so that every copy is removed. */
  forgetCopies(files: readonly Hash[]): Promise<void>;
}

/** The number of files that are deleted concurrently, so that the disk syncs them together. */
const FILES_AT_ONCE = 8;

/**
 * Single bytes are kept if any set contains them. The bytes of a set are kept if a record refers to another set that
 * contains them; references in the history do not count. Returns false if it is unknown whether they are needed.
 */
export async function purgeFiles(places: PurgeContext, target: PurgeTarget, isNamed: IsReferenced): Promise<boolean> {
  const watch = await places.pins.watch();
  let isPinned = false;
  const isNeeded = async (file: Hash) => {
    const isInDoubt = await watch.has(file);
    isPinned ||= isInDoubt;
    return isInDoubt || isNamed(file);
  };
  try {
    const isClear = await (target.kind === 'set' ? purgeSet : purgeBytes)(places, target.hash, isNeeded);
    return isClear && !isPinned;
  } finally {
    watch.end();
  }
}

/** Deletes the sets and bytes of a failed operation unless something else needs them. */
export async function removeUnused(places: PurgeContext, files: readonly Hash[], isNamed: IsReferenced): Promise<void> {
  const watch = await places.pins.watch();
  const isNeeded = async (file: Hash) => (await watch.has(file)) || isNamed(file);
  try {
    const own = new Set<FileSetId>();
    const bytes = new Set<Hash>();
    for (const file of files) {
      if (await isNeeded(file)) continue;
      bytes.add(file);
      if ((await places.sets.findSize(file)) === undefined) continue;
      own.add(file);
      const list = await readSetList(places, file);
      for (const { hash } of list === 'damaged' ? [] : list) if (!(await isNeeded(hash))) bytes.add(hash);
    }
    if (bytes.size === 0) return;
    const gone = await findUnusedBySets(places, [...bytes], async (set) => !own.has(set));
    if (gone !== undefined) await deleteBlobs(places, gone, isNeeded);
    for (const set of own) await places.sets.delete(set, { purged: false, unless: () => isNeeded(set) });
  } finally {
    watch.end();
  }
}

/** Called again once the bytes can no longer be stored concurrently. */
type IsNeeded = (file: Hash) => Promise<boolean>;

async function purgeBytes(places: PurgeContext, hash: Hash, isNeeded: IsNeeded): Promise<boolean> {
  let isClear = true;
  const shouldSkip = async () => {
    if (await isNeeded(hash)) return true;
    const left = await findUnusedBySets(places, [hash], async () => true);
    isClear = left !== undefined;
    return left === undefined || left.size === 0;
  };
  await places.blobs.delete(hash, { purged: true, unless: shouldSkip });
  // Also if they were already deleted: the node that deleted them may have stopped before the announcement.
  if ((await places.blobs.getState(hash)) !== 'present') await places.forgetCopies([hash]);
  return isClear;
}

async function purgeSet(places: PurgeContext, set: FileSetId, isNeeded: IsNeeded): Promise<boolean> {
  if (await isNeeded(set)) return true;
  const files = await readSetList(places, set);
  if (files === 'damaged') return false;
  const gone = await findUnusedBySets(
    places,
    files.map(({ hash }) => hash),
    isNeeded,
  );
  if (gone === undefined) return false;
  await deleteBlobs(places, gone, isNeeded);
  await places.forgetCopies([...gone]);
  // Deleted last, because the list tells a restarted server which bytes to purge.
  await places.sets.delete(set, { purged: true, unless: () => isNeeded(set) });
  // The set may have been opened again while its bytes still existed.
  await closeSetsContaining(places, gone, isNeeded);
  await places.forgetCopies([set, ...gone]);
  return true;
}

async function deleteBlobs(places: PurgeContext, gone: ReadonlySet<Hash>, isNeeded: IsNeeded): Promise<void> {
  await closeSetsContaining(places, gone, isNeeded);
  const atOnce = createConcurrencyLimiter(FILES_AT_ONCE);
  const remove = (hash: Hash) => places.blobs.delete(hash, { purged: false, unless: () => isNeeded(hash) });
  await allSettled([...gone].map((hash) => atOnce(() => remove(hash))));
}

/** Returns the hashes that no relevant set contains; undefined if an unreadable set may contain them. */
async function findUnusedBySets(
  places: PurgeContext,
  hashes: readonly Hash[],
  counts: IsNeeded,
): Promise<ReadonlySet<Hash> | undefined> {
  // Purges are rare and lists are short, so there is no index.
  const left = new Set(hashes);
  let isClear = true;
  for await (const part of places.sets.list()) {
    for (const { hash: set } of part) {
      if (left.size === 0) return left;
      if (!(await counts(set))) continue;
      const files = await readSetList(places, set);
      if (files === 'damaged') isClear = false;
      else for (const { hash } of files) left.delete(hash);
    }
  }
  return isClear || left.size === 0 ? left : undefined;
}

/**
 * The folder of an opened set has links to its bytes. A file that is still open remains readable until it is closed.
 */
export async function closeSetsContaining(
  places: Pick<PurgeContext, 'readSetFiles' | 'listOpenedSets' | 'closeSet'>,
  gone: ReadonlySet<Hash>,
  isNeeded: IsNeeded = async () => false,
): Promise<void> {
  for (const name of await places.listOpenedSets()) {
    if (!isHash(name) || (await isNeeded(name))) continue;
    const files = await readSetList(places, name);
    // The contents of a folder without a list are unknown. The folder is created again when it is needed.
    if (files === 'damaged' || files.length === 0 || files.some(({ hash }) => gone.has(hash))) {
      await places.closeSet(name);
    }
  }
}

/** A set that was just collected has no files. */
async function readSetList(
  { readSetFiles: filesOf }: Pick<PurgeContext, 'readSetFiles'>,
  set: FileSetId,
): Promise<readonly SetFile[] | 'damaged'> {
  try {
    return await filesOf(set);
  } catch (error) {
    return error instanceof BlobMissing ? [] : 'damaged';
  }
}
