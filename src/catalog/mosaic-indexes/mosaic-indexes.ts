/** Opens the granule indexes of mosaics. */
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
  /** Throws a problem if the database of an index is unreachable or unsuitable. */
  check(holder: IndexHolder, signal: AbortSignal): Promise<void>;
  /** Closes the connections of an index that is no longer needed. */
  release(holder: IndexHolder): Promise<void>;
  /** Returns whether the granules of a version still exist, by name; external databases keep no earlier versions. */
  hasVersion(name: string): Promise<boolean>;
  /** Removes everything from embedded indexes that belongs to no needed version, one index after the other. */
  collect(needed: FindNeededVersions): Promise<void>;
  /**
   * Must be called before a change that removes the last reference to the index, so that it is dropped even after a
   * crash.
   */
  schedulePendingDrop(holder: IndexHolder): Promise<void>;
  /**
   * Must be called after that change: drops the index. One in a database is dropped when this resolves, if the database
   * responds; otherwise the next start drops it, and a warning is returned. An embedded one is dropped when no undoable
   * change needs it; with `purged`, in the background from now on.
   */
  drop(holder: IndexHolder, purged?: 'purged'): Promise<readonly string[]>;
  /** Called at startup: continues pending drops in the background. */
  resumeDrops(catalog: CatalogReader): Promise<void>;
  close(): Promise<void>;
}

export interface MosaicIndexesOptions {
  /** Opened when the first mosaic is used. */
  readonly openEmbedded: () => Promise<EmbeddedGranules>;
  readonly sealer: Sealer;
  readonly drops: PendingDrops;
  /** Evaluates filters that databases do not support. */
  readonly filterRunner: FilterRunner;
  /** Receives cleanup failures. */
  readonly reportFailure: (reason: unknown) => void;
}

/** A million granules take some seconds, in small steps. */
const DROP_TIMEOUT_MS = 600_000;

/** How long the deletion of a mosaic waits for its database. */
const DROP_WAIT_MS = 10_000;

export function openMosaicIndexes(options: MosaicIndexesOptions): MosaicIndexes {
  return new OpenMosaicIndexes(options);
}

class OpenMosaicIndexes implements MosaicIndexes {
  readonly #options: MosaicIndexesOptions;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  /** By key: the connection of an index never changes under the same key. */
  readonly #opened = new Map<string, PostgisMosaicIndex>();
  #embedded: Promise<EmbeddedGranules> | undefined;

  constructor(options: MosaicIndexesOptions) {
    this.#options = options;
  }

  async check(holder: IndexHolder, signal: AbortSignal): Promise<void> {
    const { index } = holder.mosaic;
    if (index.kind === 'postgis') {
      await (await this.#openDatabaseIndex(holder, index.parameters)).check(signal);
    }
  }

  async hasVersion(name: string): Promise<boolean> {
    const named = parseVersionName(name);
    return named !== undefined && (await this.#openEmbeddedIndexes()).openMosaic(named.key).has(named.version);
  }

  async collect(needed: FindNeededVersions): Promise<void> {
    await (await this.#openEmbeddedIndexes()).collect(needed, this.#closing.signal);
  }

  async schedulePendingDrop(holder: IndexHolder): Promise<void> {
    if (holder.mosaic.index.kind === 'postgis') {
      await this.#options.drops.add(holder);
    }
  }

  async drop(holder: IndexHolder, purged?: 'purged'): Promise<readonly string[]> {
    const isEmbedded = holder.mosaic.index.kind === 'embedded';
    const dropped = isEmbedded && purged === undefined ? undefined : this.#dropNow(holder);
    if (dropped === undefined || isEmbedded) {
      return [];
    }
    const outcome = await Promise.race([dropped, wait(DROP_WAIT_MS, 'late' as const, { ref: false })]);
    return outcome === undefined
      ? []
      : [formatPendingDropWarning(holder, outcome === 'late' ? undefined : outcome.reason)];
  }

  async resumeDrops(catalog: CatalogReader): Promise<void> {
    const remembered = await this.#options.drops.list();
    const named = remembered.length === 0 ? new Set() : await listIndexKeys(catalog);
    for (const holder of remembered) {
      const { key } = holder.mosaic.index;
      if (named.has(key)) {
        await this.#options.drops.remove(key);
      } else {
        void this.#dropNow(holder);
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#underWay);
    await Promise.all([...this.#opened.values()].map((index) => index.close()));
    await (await this.#embedded)?.close();
  }

  #openEmbeddedIndexes(): Promise<EmbeddedGranules> {
    this.#embedded ??= this.#options.openEmbedded();
    return this.#embedded;
  }

  async #openDatabaseIndex(holder: IndexHolder, parameters: ConnectionParameters): Promise<PostgisMosaicIndex> {
    const { openPostgisGranules } = await import('../../raster/granules/postgis/postgis-granules.ts');
    const { readPostgisSettings } = await import('../../vector/postgis/connection/parameters.ts');
    const { key } = holder.mosaic.index;
    const known = this.#opened.get(key);
    const readSettings = () => readPostgisSettings(decryptParameters(this.#options.sealer, holder, parameters));
    const index = known ?? openPostgisGranules(readSettings(), key, this.#options.filterRunner);
    this.#opened.set(key, index);
    return index;
  }

  async getIndex(holder: IndexHolder): Promise<MosaicIndex> {
    const { index } = holder.mosaic;
    return index.kind === 'embedded'
      ? (await this.#openEmbeddedIndexes()).openMosaic(index.key)
      : this.#openDatabaseIndex(holder, index.parameters);
  }

  /** Resolves when the work has ended, with the reason if it failed. */
  #runInBackground(work: (signal: AbortSignal) => Promise<void>): Promise<{ readonly reason: unknown } | undefined> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(DROP_TIMEOUT_MS)]);
    const done = work(signal).then(
      () => undefined,
      (reason: unknown) => {
        if (!this.#closing.signal.aborted) {
          this.#options.reportFailure(reason);
        }
        return { reason };
      },
    );
    const ended = done.then(() => void this.#underWay.delete(ended));
    this.#underWay.add(ended);
    return done;
  }

  async release({ mosaic }: IndexHolder): Promise<void> {
    const index = this.#opened.get(mosaic.index.key);
    this.#opened.delete(mosaic.index.key);
    await index?.close();
  }

  #dropNow(holder: IndexHolder) {
    return this.#runInBackground(async (signal) => {
      await (await this.getIndex(holder)).drop(signal);
      await this.release(holder);
      await this.#options.drops.remove(holder.mosaic.index.key);
    });
  }
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
  const why = isUnreachable(reason) ? getUnreachableReason(reason) : 'its database has not responded';
  return `The index tables of '${name}' may still exist (${why}). The server removes them on its next start.`;
}

function decryptParameters(sealer: Sealer, { name, sealedParameters }: IndexHolder, parameters: ConnectionParameters) {
  try {
    const secrets = Object.entries(sealedParameters).map(([key, sealed]) => [key, sealer.open(sealed)]);
    return { ...parameters, ...Object.fromEntries(secrets) };
  } catch (error) {
    throw error instanceof SealBroken
      ? problem('store-unreachable', { name, reason: 'its password was encrypted with a keystore that is lost' })
      : error;
  }
}

export function isMosaic(store: CoverageStore): store is MosaicStore {
  return store.mosaic !== null;
}
