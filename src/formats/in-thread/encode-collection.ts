/** Encodes a small document immediately and any other in a thread, so that it does not block other requests. */
import { buildCollection, type CollectionEvent, readEvents, toCollectionHead } from '../collection-events.ts';
import type { OutputFormat } from '../formats.ts';
import type { FeatureCollection } from '../port/port.ts';
import type { ScratchFolders } from '../writing/scratch.ts';

import type { EncodeThreads } from './encode-threads.ts';
import { measureValue } from './measure-value.ts';

export interface EncodingEnvironment extends ScratchFolders {
  /** Threads for all but small documents. */
  readonly threads: EncodeThreads;
}

/** Encoding this many takes a few milliseconds, a transfer to another thread about one, and starting a thread 200. */
const SMALL_FEATURES = 1_000;
const SMALL_POSITIONS = 16_384;

/** A nested feature costs as much as this many flat features. */
const NESTED_WEIGHT = 20;

/** Yields the document in chunks, as an encoder does. Errors before the first chunk are thrown with it. */
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
    // Not awaited: a source that does not respond does not end either; the signal stops it.
    events.return(undefined).catch(() => undefined);
  }
}

/** Reads up to the size of a small document; also returns whether that is all. */
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
      for (const each of values) positions += measureValue(each);
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
