/** A collection as plain data and a stream of events, so that another thread can encode it. */
import type { Feature } from '../vector/port/port.ts';
import { createShape, type ShapePlan, shapeBatches } from '../vector/query/shape-features.ts';
import type { DocumentLink, FeatureCollection, FeatureSet } from './port/port.ts';

/** Everything that is known before the features are read. */
export interface CollectionHead extends Pick<FeatureCollection, 'timeStamp' | 'schemaLocations' | 'options'> {
  readonly sets: readonly SetHead[];
  readonly late: TrailingValues;
}

interface SetHead extends Pick<FeatureSet, 'typeName' | 'description' | 'tuple' | 'crs' | 'numberReturned' | 'bounds'> {
  /** The pending transformation of its features. */
  readonly plan?: ShapePlan;
}

/** Values that change as sets are read. */
export interface TrailingValues {
  readonly numberMatched: readonly (number | undefined)[];
  readonly links: readonly DocumentLink[];
}

/** The features of the sets in order; each set ends with the values known then. */
export type CollectionEvent = { readonly batch: readonly Feature[] } | { readonly end: TrailingValues };

export function toCollectionHead(collection: FeatureCollection): CollectionHead {
  const { sets, timeStamp, schemaLocations, options } = collection;
  return {
    sets: sets.map(({ typeName, description, tuple, crs, numberReturned, bounds, unshaped }) => ({
      typeName,
      description,
      ...(tuple === undefined ? {} : { tuple }),
      crs,
      ...(numberReturned === undefined ? {} : { numberReturned }),
      ...(bounds === undefined ? {} : { bounds }),
      ...(unshaped === undefined ? {} : { plan: unshaped.plan }),
    })),
    timeStamp,
    schemaLocations,
    options,
    late: collectTrailingValues(collection),
  };
}

function collectTrailingValues({ sets, links }: FeatureCollection): TrailingValues {
  return { numberMatched: sets.map(({ numberMatched }) => numberMatched), links: links() };
}

export async function* readEvents(collection: FeatureCollection): AsyncGenerator<CollectionEvent, undefined> {
  for (const { batches, unshaped } of collection.sets) {
    for await (const batch of unshaped?.batches ?? batches) yield { batch };
    yield { end: collectTrailingValues(collection) };
  }
}

/** Rebuilds the collection. Encoders read its sets in order, each to its end. */
export function buildCollection(
  head: CollectionHead,
  events: AsyncIterator<CollectionEvent, undefined>,
): FeatureCollection {
  let { late } = head;
  async function* readNextSet(): AsyncGenerator<readonly Feature[]> {
    for (;;) {
      const { done, value } = await events.next();
      if (done === true) return;
      if ('end' in value) {
        late = value.end;
        return;
      }
      yield value.batch;
    }
  }
  return {
    ...head,
    sets: head.sets.map(({ plan, ...set }, index) => ({
      ...set,
      get numberMatched() {
        return late.numberMatched[index];
      },
      batches: plan === undefined ? readNextSet() : createShapedBatches(plan, readNextSet()),
    })),
    links: () => late.links,
  };
}

async function* createShapedBatches(
  plan: ShapePlan,
  batches: AsyncIterable<readonly Feature[]>,
): AsyncGenerator<readonly Feature[]> {
  yield* shapeBatches(batches, await createShape(plan));
}
