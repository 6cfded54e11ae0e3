/** Takes a format that is written as text through a collection: what is written where, in pieces, no further than asked. */
import type { Feature } from '../../vector/port/port.ts';
import type { FeatureCollection, FeatureSet } from '../port/port.ts';
import { TextWriter } from './text-writer.ts';

/** One document on its way, with what it has to remember of what it wrote. */
export interface TextDocument {
  begin(out: TextWriter): void;
  /** What writes the features of the set; called when it is the turn of the set. */
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

/** The first feature of a collection, with the set that it is from. */
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
