/** Opens the indexes of granules that mosaics name. */
import { setTimeout as wait } from 'node:timers/promises';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { EmbeddedGranules, FindNeededVersions } from '../../raster/granules/embedded/embedded-granules.ts';
import type { MosaicIndex } from '../../raster/granules/port/port.ts';
import type { PostgisMosaicIndex } from '../../raster/granules/postgis/postgis-granules.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { SealBroken, type Sealer } from '../../security/core/sealer.ts';
import type { ConnectionParameters } from '../../vector/port/driver.ts';
import { type CoverageStore, coverageStoreKind } from '../kinds/coverage-store.ts';
import { type IndexHolder, type Mosaic, parseVersionName } from '../kinds/mosaic.ts';
import { getUnreachableReason, isUnreachable } from '../stores/unreachable-stores.ts';
import type { PendingDrops } from './pending-drops.ts';

/** A coverage store that is a mosaic. */
export type MosaicStore = CoverageStore & { readonly mosaic: Mosaic };

export interface MosaicIndexes {
  getIndex(holder: IndexHolder): Promise<MosaicIndex>;
  /** A problem if the database of an index cannot be reached, or could not keep granules. */
  check(holder: IndexHolder, signal: AbortSignal): Promise<void>;
  /** Lets go of the connections of an index that nobody will ask for. */
  release(holder: IndexHolder): Promise<void>;
  /** Whether the granules of a version, by its name, are still there: what a database of others had before, nobody keeps. */
  hasVersion(name: string): Promise<boolean>;
  /** Clears embedded indexes of all that is in no version that is needed, one after the other. */
  collect(needed: FindNeededVersions): Promise<void>;
  /** Before a change after which no record names the index: it goes then, also if the server does not live to see it. */
  schedulePendingDrop(holder: IndexHolder): Promise<void>;
  /**
   * After that change: removes the index. One in a database is gone when this resolves, if the database answers; else the
   * next start removes it, and a sentence tells so. An embedded one, which nobody else sees, goes when no change needs it that
   * can be taken back; with `purged` in its own time from now on.
   */
  drop(holder: IndexHolder, purged?: 'purged'): Promise<readonly string[]>;
  /** At the start: goes on with what is remembered, in its own time. */
  resumeDrops(catalog: CatalogReader): Promise<void>;
  close(): Promise<void>;
}

export interface MosaicIndexesOptions {
  /** Opened when the first mosaic is looked at. */
  readonly openEmbedded: () => Promise<EmbeddedGranules>;
  readonly sealer: Sealer;
  readonly drops: PendingDrops;
  /** Where filters are evaluated that databases leave to the server. */
  readonly filterRunner: FilterRunner;
  /** Hears of what could not be cleared away. */
  readonly reportFailure: (reason: unknown) => void;
}

/** A million granules take some seconds, in small steps. */
const DROP_TIMEOUT_MS = 600_000;

/** How long whoever deletes a mosaic waits for its database. */
const DROP_WAIT_MS = 10_000;

export function openMosaicIndexes(options: MosaicIndexesOptions): MosaicIndexes {
  const { openEmbedded, sealer, drops, filterRunner, reportFailure: failed } = options;
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  /** By their keys: what they are reached by stays the same as long as the key does. */
  const opened = new Map<string, PostgisMosaicIndex>();
  let embedded: Promise<EmbeddedGranules> | undefined;

  function openEmbeddedIndexes(): Promise<EmbeddedGranules> {
    embedded ??= openEmbedded();
    return embedded;
  }

  async function openDatabaseIndex(holder: IndexHolder, parameters: ConnectionParameters): Promise<PostgisMosaicIndex> {
    const { openPostgisGranules } = await import('../../raster/granules/postgis/postgis-granules.ts');
    const { readPostgisSettings } = await import('../../vector/postgis/connection/parameters.ts');
    const { key } = holder.mosaic.index;
    const known = opened.get(key);
    const readSettings = () => readPostgisSettings(decryptParameters(sealer, holder, parameters));
    const index = known ?? openPostgisGranules(readSettings(), key, filterRunner);
    opened.set(key, index);
    return index;
  }

  const of = async (holder: IndexHolder): Promise<MosaicIndex> => {
    const { index } = holder.mosaic;
    return index.kind === 'embedded'
      ? (await openEmbeddedIndexes()).openMosaic(index.key)
      : openDatabaseIndex(holder, index.parameters);
  };

  /** Resolves when it has ended, with the reason if that was a failure. */
  function runInBackground(
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<{ readonly reason: unknown } | undefined> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(DROP_TIMEOUT_MS)]);
    const done = work(signal).then(
      () => undefined,
      (reason: unknown) => {
        if (!closing.signal.aborted) {
          failed(reason);
        }
        return { reason };
      },
    );
    const ended = done.then(() => void underWay.delete(ended));
    underWay.add(ended);
    return done;
  }

  async function release({ mosaic }: IndexHolder): Promise<void> {
    const index = opened.get(mosaic.index.key);
    opened.delete(mosaic.index.key);
    await index?.close();
  }

  const dropNow = (holder: IndexHolder) =>
    runInBackground(async (signal) => {
      await (await of(holder)).drop(signal);
      await release(holder);
      await drops.remove(holder.mosaic.index.key);
    });

  return {
    getIndex: of,
    async check(holder, signal) {
      const { index } = holder.mosaic;
      if (index.kind === 'postgis') {
        await (await openDatabaseIndex(holder, index.parameters)).check(signal);
      }
    },
    release,
    async hasVersion(name) {
      const named = parseVersionName(name);
      return named !== undefined && (await openEmbeddedIndexes()).openMosaic(named.key).has(named.version);
    },
    async collect(needed) {
      await (await openEmbeddedIndexes()).collect(needed, closing.signal);
    },
    async schedulePendingDrop(holder) {
      if (holder.mosaic.index.kind === 'postgis') {
        await drops.add(holder);
      }
    },
    async drop(holder, purged) {
      const isEmbedded = holder.mosaic.index.kind === 'embedded';
      const dropped = isEmbedded && purged === undefined ? undefined : dropNow(holder);
      if (dropped === undefined || isEmbedded) {
        return [];
      }
      const outcome = await Promise.race([dropped, wait(DROP_WAIT_MS, 'late' as const, { ref: false })]);
      return outcome === undefined
        ? []
        : [formatPendingDropWarning(holder, outcome === 'late' ? undefined : outcome.reason)];
    },
    async resumeDrops(catalog) {
      const remembered = await drops.list();
      const named = remembered.length === 0 ? new Set() : await listIndexKeys(catalog);
      for (const holder of remembered) {
        const { key } = holder.mosaic.index;
        if (named.has(key)) {
          await drops.remove(key);
        } else {
          void dropNow(holder);
        }
      }
    },
    async close() {
      closing.abort();
      await Promise.all(underWay);
      await Promise.all([...opened.values()].map((index) => index.close()));
      await (await embedded)?.close();
    },
  };
}

async function listIndexKeys(catalog: CatalogReader): Promise<ReadonlySet<string>> {
  const keys: string[] = [];
  for (const { id } of await catalog.list(workspaceKind, null)) {
    const stores = await catalog.list(coverageStoreKind, id);
    keys.push(...stores.filter(isMosaic).map(({ mosaic }) => mosaic.index.key));
  }
  return new Set(keys);
}

function formatPendingDropWarning({ name }: IndexHolder, reason: unknown): string {
  const why = isUnreachable(reason) ? getUnreachableReason(reason) : 'its database has not answered';
  return `The tables of the index of '${name}' may still be there (${why}). The server removes them when it starts next.`;
}

function decryptParameters(sealer: Sealer, { name, sealedParameters }: IndexHolder, parameters: ConnectionParameters) {
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
