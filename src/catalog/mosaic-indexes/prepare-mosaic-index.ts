/** Determines the index of a new mosaic: in the embedded database, or in the one that its definition names. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import type { Secret } from '../../lib/identity/secret.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { IndexRequest } from '../../raster/mosaic/definition.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { IndexHolder, IndexStorage } from '../kinds/mosaic.ts';
import { findDataStore } from '../stores/data-stores.ts';
import type { StoreParameters } from '../stores/store-parameters.ts';
import { getUnreachableReason, isUnreachable } from '../stores/unreachable-stores.ts';
import type { MosaicIndexes } from './mosaic-indexes.ts';

export interface IndexServices {
  readonly indexes: MosaicIndexes;
  /** Validates and encrypts the parameters of databases. */
  readonly parameters: Pick<StoreParameters, 'accept'>;
}

export interface NewIndex {
  readonly index: IndexStorage;
  readonly sealedParameters: Readonly<Record<string, Secret>>;
  readonly warnings: readonly string[];
}

/** How long an upload waits for the check of the database. */
const CHECK_TIMEOUT_MS = 30_000;

/** Throws a problem for an unusable database, before anything is created. */
export async function prepareMosaicIndex(
  catalog: CatalogReader,
  { indexes, parameters }: IndexServices,
  request: IndexRequest,
  where: {
    readonly principal: Principal;
    readonly workspace: string;
    readonly store: string;
    readonly isStrict: boolean;
    readonly signal: AbortSignal;
    /** The index of the mosaic that is replaced. */
    readonly current?: IndexStorage | undefined;
  },
): Promise<NewIndex> {
  const key = randomUUID();
  if (request.kind === 'embedded') {
    return { index: { kind: 'embedded', key }, sealedParameters: {}, warnings: [] };
  }
  const { principal, isStrict } = where;
  const accepted =
    request.kind === 'postgis'
      ? await parameters.accept(request.parameters, { principal, isStrict })
      : await getStoreParameters(catalog, request, where);
  if ('embedded' in accepted) {
    return { index: { kind: 'embedded', key }, sealedParameters: {}, warnings: [accepted.embedded] };
  }
  const { current } = where;
  // Tables are named after the coverages, so in the same database the mosaic keeps its tables.
  const isSame = current?.kind === 'postgis' && isDeepStrictEqual(current.parameters, accepted.parameters);
  const index = { kind: 'postgis', key: isSame ? current.key : key, parameters: accepted.parameters } as const;
  const holder: IndexHolder = { name: where.store, sealedParameters: accepted.sealedParameters, mosaic: { index } };
  try {
    await indexes.check(holder, AbortSignal.any([where.signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]));
  } catch (error) {
    if (!isSame) {
      await indexes.release(holder);
    }
    throw isUnreachable(error)
      ? problem('mosaic-index-unreachable', { name: where.store, reason: getUnreachableReason(error) })
      : error;
  }
  return { index, sealedParameters: accepted.sealedParameters, warnings: accepted.warnings };
}

/** Resolves `StoreName=acme:database`: copies the connection of that store into the mosaic. */
async function getStoreParameters(
  catalog: CatalogReader,
  { workspace, name }: Extract<IndexRequest, { kind: 'store' }>,
  where: { readonly principal: Principal; readonly workspace: string },
) {
  const home = workspace ?? where.workspace;
  if (home !== where.workspace && !isAdministrator(where.principal)) {
    throw problem('mosaic-index-store-refused', { store: `${home}:${name}`, reason: 'it is in another workspace' });
  }
  const { store } = await findDataStore(catalog, home, name);
  if (store.type === 'GeoPackage') {
    // Several nodes cannot write to one file.
    return {
      embedded: `The store '${home}:${name}' is a GeoPackage. The index is stored in the embedded database instead.`,
    };
  }
  if (store.type !== 'PostGIS') {
    const reason = `its type is ${store.type} instead of PostGIS`;
    throw problem('mosaic-index-store-refused', { store: `${home}:${name}`, reason });
  }
  return { parameters: store.parameters, sealedParameters: store.sealedParameters, warnings: [] };
}
