/**
 * Copies large values between threads in steps. A structured clone of 100,000 objects occupies a thread for more than
 * 100 ms; here the lists of such a value are written and read in chunks, and other work continues between them.
 */
import { deserialize, serialize } from 'node:v8';
import { yieldIfDue } from '../lib/async/yield-if-due.ts';

/** A value whose long lists are replaced by references to chunks. */
export interface ChunkedValue {
  readonly skeleton: unknown;
  readonly chunks: readonly Uint8Array[];
}

/** Objects in one chunk. Writing or reading it takes about a millisecond. */
const CHUNK_PARTS = 1_000;

/** The key of a reference. Names of properties never contain this character. */
const REFERENCE = '\0chunks';

/** One chunk of a list. Only a chunk with a single large item can contain further references. */
interface ListChunk {
  readonly chunk: number;
  readonly isLarge: boolean;
}

/** Returns undefined for a small value, which is copied at once. The value contains only plain objects and lists. */
export async function splitIntoChunks(value: object): Promise<ChunkedValue | undefined> {
  if (countParts(value) <= CHUNK_PARTS) return undefined;
  const chunks: Uint8Array[] = [];
  return { skeleton: await splitPart(value, chunks), chunks };
}

/** Reads a value that `splitIntoChunks` has written. */
export async function joinChunks({ skeleton, chunks }: ChunkedValue): Promise<unknown> {
  return joinPart(skeleton, chunks);
}

/** Stops counting above the size of a chunk. */
function countParts(value: unknown, limit = CHUNK_PARTS): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 1;
  if (Array.isArray(value)) {
    // `for in` would first list the keys of all items.
    for (let index = 0; index < value.length && count <= limit; index += 1)
      count += countParts(value[index], limit - count);
    return count;
  }
  for (const key in value) {
    count += countParts(value[key as keyof typeof value], limit - count);
    if (count > limit) break;
  }
  return count;
}

async function splitPart(value: unknown, chunks: Uint8Array[]): Promise<unknown> {
  if (typeof value !== 'object' || value === null || countParts(value) <= CHUNK_PARTS) return value;
  if (Array.isArray(value)) return { [REFERENCE]: await splitList(value, chunks) };
  const copy: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) copy[key] = await splitPart(part, chunks);
  return copy;
}

async function splitList(list: readonly unknown[], chunks: Uint8Array[]): Promise<readonly ListChunk[]> {
  const references: ListChunk[] = [];
  let items: unknown[] = [];
  let partCount = 0;
  const store = async (stored: readonly unknown[], isLarge: boolean): Promise<void> => {
    if (stored.length > 0) references.push({ chunk: chunks.push(serialize(stored)) - 1, isLarge });
    items = [];
    partCount = 0;
    await yieldIfDue();
  };
  for (const item of list) {
    // Texts and numbers take space, too.
    const added = Math.max(1, countParts(item));
    if (partCount + added > CHUNK_PARTS) await store(items, false);
    if (added > CHUNK_PARTS) await store([await splitPart(item, chunks)], true);
    else {
      items.push(item);
      partCount += added;
    }
  }
  await store(items, false);
  return references;
}

async function joinPart(part: unknown, chunks: readonly Uint8Array[]): Promise<unknown> {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  if (REFERENCE in part) return joinList(part[REFERENCE] as readonly ListChunk[], chunks);
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(part)) {
    copy[key] = typeof inner === 'object' && inner !== null ? await joinPart(inner, chunks) : inner;
  }
  return copy;
}

async function joinList(references: readonly ListChunk[], chunks: readonly Uint8Array[]): Promise<readonly unknown[]> {
  const list: unknown[] = [];
  for (const { chunk, isLarge } of references) {
    await yieldIfDue();
    const bytes = chunks[chunk];
    if (bytes === undefined) throw new Error(`The value has no chunk ${chunk}.`);
    const items = deserialize(bytes) as readonly unknown[];
    for (const item of items) list.push(isLarge ? await joinPart(item, chunks) : item);
  }
  return list;
}
