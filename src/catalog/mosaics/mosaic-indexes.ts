/** Opens the indexes of granules that mosaics name. */
import type { EmbeddedGranules } from '../../data/granules/embedded/embedded-granules.ts';
import type { MosaicIndex } from '../../data/granules/port.ts';
import type { CoverageStore } from '../coverage-stores/coverage-store.ts';
import type { Mosaic } from './mosaic.ts';

/** A coverage store that is a mosaic. */
export type MosaicStore = CoverageStore & { readonly mosaic: Mosaic };

/** What says where an index is. */
export type IndexHolder = Pick<CoverageStore, 'name' | 'sealedParameters'> & {
  readonly mosaic: Pick<Mosaic, 'index'>;
};

export interface MosaicIndexes {
  of(holder: IndexHolder): MosaicIndex;
  /** Clears away what no version from this one on shows, in its own time: what is left of it the next one clears away. */
  cleanLater(holder: IndexHolder, version: number): void;
  /** Removes an index that no record names any more, in its own time. */
  dropLater(holder: IndexHolder): void;
  close(): Promise<void>;
}

export interface MosaicIndexesOptions {
  readonly embedded: EmbeddedGranules;
  /** Hears of what could not be cleared away. */
  readonly failed: (reason: unknown) => void;
}

/** A million granules take some seconds, in small steps. */
const CLEANING_MS = 600_000;

export function openMosaicIndexes({ embedded, failed }: MosaicIndexesOptions): MosaicIndexes {
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  const of = ({ mosaic }: IndexHolder) => embedded.mosaic(mosaic.index.key);

  function later(work: (signal: AbortSignal) => Promise<void>): void {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(CLEANING_MS)]);
    const done = work(signal)
      .catch((reason: unknown) => {
        if (!closing.signal.aborted) {
          failed(reason);
        }
      })
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }

  return {
    of,
    cleanLater: (holder, version) => later((signal) => of(holder).clean(version, signal)),
    dropLater: (holder) => later((signal) => of(holder).drop(signal)),
    async close() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

export function isMosaic(store: CoverageStore): store is MosaicStore {
  return store.mosaic !== null;
}
