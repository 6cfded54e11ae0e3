/** Opens the indexes of granules that mosaics name. */
import type { EmbeddedGranules } from '../../data/granules/embedded/embedded-granules.ts';
import type { MosaicIndex } from '../../data/granules/port.ts';
import type { PostgisMosaicIndex } from '../../data/granules/postgis/postgis-granules.ts';
import type { ConnectionParameters } from '../../data/vector/driver.ts';
import { problem } from '../../lib/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { SealBroken, type Sealer } from '../../security/keystore/sealer.ts';
import { type CoverageStore, coverageStoreKind } from '../coverage-stores/coverage-store.ts';
import type { Mosaic } from './mosaic.ts';

/** A coverage store that is a mosaic. */
export type MosaicStore = CoverageStore & { readonly mosaic: Mosaic };

/** What says where an index is. */
export type IndexHolder = Pick<CoverageStore, 'name' | 'sealedParameters'> & {
  readonly mosaic: Pick<Mosaic, 'index'>;
};

export interface MosaicIndexes {
  of(holder: IndexHolder): Promise<MosaicIndex>;
  /** A problem if the database of an index cannot be reached, or could not keep granules. */
  check(holder: IndexHolder, signal: AbortSignal): Promise<void>;
  /** Lets go of the connections of an index that nobody will ask for. */
  release(holder: IndexHolder): Promise<void>;
  /** Clears away what no version from this one on shows, in its own time: what is left of it the next one clears away. */
  cleanLater(holder: IndexHolder, version: number): void;
  /** Removes an index that no record names any more, in its own time. */
  dropLater(holder: IndexHolder): void;
  /** At the start, when nobody is about to make one: removes embedded indexes that no record names. */
  keepOnlyNamed(catalog: CatalogReader): Promise<void>;
  close(): Promise<void>;
}

export interface MosaicIndexesOptions {
  /** Opened when the first mosaic is looked at. */
  readonly openEmbedded: () => Promise<EmbeddedGranules>;
  readonly sealer: Sealer;
  /** Hears of what could not be cleared away. */
  readonly failed: (reason: unknown) => void;
}

/** A million granules take some seconds, in small steps. */
const CLEANING_MS = 600_000;

export function openMosaicIndexes({ openEmbedded, sealer, failed }: MosaicIndexesOptions): MosaicIndexes {
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  /** By their keys: what they are reached by stays the same as long as the key does. */
  const opened = new Map<string, PostgisMosaicIndex>();
  let embedded: Promise<EmbeddedGranules> | undefined;

  function inFile(): Promise<EmbeddedGranules> {
    embedded ??= openEmbedded();
    return embedded;
  }

  async function inDatabase(holder: IndexHolder, parameters: ConnectionParameters): Promise<PostgisMosaicIndex> {
    const { openPostgisGranules } = await import('../../data/granules/postgis/postgis-granules.ts');
    const { readPostgisSettings } = await import('../../data/vector/postgis/parameters.ts');
    const { key } = holder.mosaic.index;
    const known = opened.get(key);
    const index = known ?? openPostgisGranules(readPostgisSettings(clear(sealer, holder, parameters)), key);
    opened.set(key, index);
    return index;
  }

  const of = async (holder: IndexHolder): Promise<MosaicIndex> => {
    const { index } = holder.mosaic;
    return index.kind === 'embedded' ? (await inFile()).mosaic(index.key) : inDatabase(holder, index.parameters);
  };

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
    async check(holder, signal) {
      const { index } = holder.mosaic;
      if (index.kind === 'postgis') {
        await (await inDatabase(holder, index.parameters)).check(signal);
      }
    },
    async release({ mosaic }) {
      const index = opened.get(mosaic.index.key);
      opened.delete(mosaic.index.key);
      await index?.close();
    },
    cleanLater: (holder, version) => later(async (signal) => (await of(holder)).clean(version, signal)),
    dropLater(holder) {
      later(async (signal) => {
        await (await of(holder)).drop(signal);
        await this.release(holder);
      });
    },
    async keepOnlyNamed(catalog) {
      const keys: string[] = [];
      for (const { id } of await catalog.list(workspaceKind, null)) {
        const stores = await catalog.list(coverageStoreKind, id);
        keys.push(...stores.filter(isMosaic).map(({ mosaic }) => mosaic.index.key));
      }
      await (await inFile()).keepOnly(new Set(keys), closing.signal);
    },
    async close() {
      closing.abort();
      await Promise.all(underWay);
      await Promise.all([...opened.values()].map((index) => index.close()));
    },
  };
}

function clear(sealer: Sealer, { name, sealedParameters }: IndexHolder, parameters: ConnectionParameters) {
  try {
    const secrets = Object.entries(sealedParameters).map(([key, sealed]) => [key, sealer.open(sealed)]);
    return { ...parameters, ...Object.fromEntries(secrets) };
  } catch (error) {
    throw error instanceof SealBroken
      ? problem('store-unreachable', { name, reason: 'its password was sealed with a keystore that is lost' })
      : error;
  }
}

export function isMosaic(store: CoverageStore): store is MosaicStore {
  return store.mosaic !== null;
}
