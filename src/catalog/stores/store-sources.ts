/** Opens the sources of data stores with their decrypted parameters and their files. */
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { DriverContext } from '../../vector/port/driver.ts';
import type { DetailedTypeSummary, TypeSummary } from '../../vector/port/port.ts';
import {
  type AcquiredSource,
  type OpenableStore,
  openVectorSources,
  type SourceWork,
  type VectorSources,
} from '../../vector/sources.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';
import type { StoreFiles } from '../kinds/store.ts';
import { decryptStoreParameters, type ParameterCheckContext } from './accept-parameters.ts';
import { createServerContext, createStoreContext, type DriverContextOptions } from './driver-contexts.ts';
import type { NodeFiles } from './node-files.ts';
import type { AcceptedParameters } from './store-parameters.ts';
import type { UnreachableStores } from './unreachable-stores.ts';

export interface StoreSourcesOptions extends ParameterCheckContext, DriverContextOptions {
  readonly catalog: Catalog;
  readonly deadlineMs: number;
  readonly maxOpenSources: number;
  readonly unreachable: UnreachableStores;
  readonly nodeFiles: Pick<NodeFiles, 'warnIfMissing'>;
}

/** Handles the failure to use the data of a store. */
export type OnFailure = (store: DataStore | undefined, error: unknown) => Promise<void>;

/** Parameters in their stored form, with the uploaded files that they refer to. */
type StoredParameters = Pick<AcceptedParameters, 'parameters' | 'sealedParameters'> & Partial<StoreFiles>;

export class StoreSources {
  readonly open: VectorSources;
  readonly #options: StoreSourcesOptions;

  constructor(options: StoreSourcesOptions) {
    this.#options = options;
    this.open = openVectorSources({
      drivers: options.drivers,
      context: createServerContext(options),
      deadlineMs: options.deadlineMs,
      maxOpen: options.maxOpenSources,
    });
  }

  async use<T>(store: DataStore, work: SourceWork<T>): Promise<T> {
    const { nodeFiles, unreachable } = this.#options;
    await nodeFiles.warnIfMissing(store);
    const result = await this.open.use(this.#toOpenableStore(store), work);
    unreachable.recordSuccess(store.id);
    return result;
  }

  /** Retries with the current record if the store was changed during the read. */
  async useCurrent<T>(store: DataStore, work: SourceWork<T>, onFailure: OnFailure): Promise<T> {
    try {
      return await this.use(store, work);
    } catch (error) {
      // The files may have been replaced during the read: retry with the new ones.
      const current = await this.#options.catalog.get(dataStoreKind, store.id);
      if (!(error instanceof Problem) || current === undefined || current.version === store.version) {
        await onFailure(current, error);
        throw error;
      }
      return this.use(current, work);
    }
  }

  async acquire(store: DataStore): Promise<AcquiredSource> {
    await this.#options.nodeFiles.warnIfMissing(store);
    return this.open.acquire(this.#toOpenableStore(store));
  }

  /** Runs work with a separate source, also of a disabled store. */
  useOnce<T>(store: DataStore, context: DriverContext, work: SourceWork<T>, deadlineMs?: number): Promise<T> {
    const { name } = store;
    const parameters = decryptStoreParameters(this.#options.sealer, name, store);
    return this.open.useOnce({ name, parameters }, context, work, deadlineMs);
  }

  /** Lists the types with a separate source; the parameters may belong to no store yet. */
  listTypes(
    name: string,
    accepted: StoredParameters,
    deadlineMs = this.#options.deadlineMs,
  ): Promise<readonly TypeSummary[]> {
    return this.#useStored(name, accepted, (source, signal) => source.listTypes(signal), deadlineMs);
  }

  listDetailedTypes(name: string, accepted: StoredParameters): Promise<readonly DetailedTypeSummary[]> {
    return this.#useStored(
      name,
      accepted,
      (source, signal) => source.listDetailedTypes?.(signal) ?? source.listTypes(signal),
      this.#options.deadlineMs,
    );
  }

  #useStored<T>(name: string, accepted: StoredParameters, work: SourceWork<T>, deadlineMs: number): Promise<T> {
    const { fileSet = null, filePlace = null } = accepted;
    const parameters = decryptStoreParameters(this.#options.sealer, name, accepted);
    return this.open.useOnce(
      { name, parameters },
      createStoreContext(this.#options, { fileSet, filePlace }),
      work,
      Math.min(deadlineMs, this.#options.deadlineMs),
    );
  }

  #toOpenableStore(store: DataStore): OpenableStore {
    if (!store.enabled) {
      throw problem('store-disabled', { name: store.name });
    }
    const { sealer, files } = this.#options;
    const { id, version, name } = store;
    return {
      id,
      version,
      filesVersion: store.fileSet === null ? 0 : files.noteUse(store.fileSet),
      name,
      // Decrypt only when a source is opened; usually it is open already.
      get parameters() {
        return decryptStoreParameters(sealer, name, store);
      },
      context: createStoreContext(this.#options, store),
    };
  }
}
