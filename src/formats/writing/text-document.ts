/** Streams a collection through a text format in chunks, only as far as they are read. */
import type { Feature } from '../../vector/port/port.ts';
import type { FeatureCollection, FeatureSet } from '../port/port.ts';
import { TextWriter } from './text-writer.ts';

/** The state of one document while it is written. */
export interface TextDocument {
  begin(out: TextWriter): void;
  /** Returns the feature writer of a set; called when the set is reached. */
  beginSet(out: TextWriter, set: FeatureSet): (feature: Feature) => void;
  endSet?(out: TextWriter, set: FeatureSet): void;
  end(out: TextWriter): void;
}

export async function* writeDocument(
  document: TextDocument,
  { sets, options }: FeatureCollection,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const out = new TextWriter(options.decimals);
  document.begin(out);
  for (const set of sets) {
    const write = document.beginSet(out, set);
    for await (const batch of set.batches) {
      for (const feature of batch) {
        write(feature);
        while (out.isFull) {
          signal.throwIfAborted();
          yield out.flush();
        }
      }
      signal.throwIfAborted();
    }
    document.endSet?.(out, set);
  }
  document.end(out);
  yield out.flush();
}

/** Returns the first feature of a collection with its set. */
export async function findFirstFeature(
  { sets }: FeatureCollection,
  signal: AbortSignal,
): Promise<{ readonly set: FeatureSet; readonly feature: Feature } | undefined> {
  for (const set of sets) {
    for await (const [feature] of set.batches) {
      signal.throwIfAborted();
      if (feature !== undefined) return { set, feature };
    }
  }
  return undefined;
}
