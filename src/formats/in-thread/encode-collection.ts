/** Encodes a document: a small one at once, any other in a thread, so that it holds up no other request. */
import { buildCollection, type CollectionEvent, readEvents, toCollectionHead } from '../collection-events.ts';
import type { OutputFormat } from '../formats.ts';
import type { FeatureCollection } from '../port/port.ts';
import type { ScratchFolders } from '../writing/scratch.ts';
import { countPositions } from '../writing/writable-geometry.ts';
import type { EncodeThreads } from './encode-threads.ts';

export interface EncodingEnvironment extends ScratchFolders {
  /** Where all but small documents are encoded. */
  readonly threads: EncodeThreads;
}

/** Encoding this much takes some milliseconds, and handing it to another thread about one; starting a thread takes 200. */
const SMALL_FEATURES = 1_000;
const SMALL_POSITIONS = 16_384;

/** A nested feature takes as long as so many others. */
const NESTED_WEIGHT = 20;

/** The document in pieces, as an encoder makes them. What fails before the first of them is thrown with that. */
export async function* encodeCollection(
  format: OutputFormat,
  collection: FeatureCollection,
  world: EncodingEnvironment,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const head = toCollectionHead(collection);
  const events = readEvents(collection);
  try {
    const first = format.isBlocking === true ? { events: [], isAll: false } : await readSmallStart(events);
    if (first.isAll) {
      const encoder = await format.load(world);
      yield* encoder.encode(buildCollection(head, replayEvents(first.events)), signal);
    } else {
      yield* world.threads.encode({ format, head, events: replayEvents(first.events, events), folders: world }, signal);
    }
  } finally {
    // Not waited for: a source that does not answer does not end either, and the signal ends it.
    events.return(undefined).catch(() => undefined);
  }
}

/** As much as a small document has, and whether that is all. */
async function readSmallStart(
  events: AsyncIterator<CollectionEvent, undefined>,
): Promise<{ readonly events: readonly CollectionEvent[]; readonly isAll: boolean }> {
  const first: CollectionEvent[] = [];
  let features = 0;
  let positions = 0;
  while (features <= SMALL_FEATURES && positions <= SMALL_POSITIONS) {
    const { done, value } = await events.next();
    if (done === true) return { events: first, isAll: true };
    first.push(value);
    if ('end' in value) continue;
    for (const { values, content } of value.batch) {
      features += content === undefined ? 1 : NESTED_WEIGHT;
      for (const each of values) positions += countPositions(each);
    }
  }
  return { events: first, isAll: false };
}

async function* replayEvents(
  first: readonly CollectionEvent[],
  others?: AsyncIterable<CollectionEvent>,
): AsyncGenerator<CollectionEvent, undefined> {
  yield* first;
  if (others !== undefined) yield* others;
}
