/** Where the index of a new mosaic is: in the embedded database, or in the one that its definition names. */
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
  /** Checks and seals the parameters of databases. */
  readonly parameters: Pick<StoreParameters, 'accept'>;
}

export interface NewIndex {
  readonly index: IndexStorage;
  readonly sealedParameters: Readonly<Record<string, Secret>>;
  readonly warnings: readonly string[];
}

/** How long whoever uploads waits to hear whether the database can be reached. */
const CHECK_TIMEOUT_MS = 30_000;

/** A database that cannot be used is a problem here, before anything is made. */
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
    /** Where the index of the mosaic is that is about to be replaced. */
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
  const { current } = where;
  // Tables are called after the coverages: in the same database the mosaic goes on with those it has.
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

/** `StoreName=acme:database`: the database of a store, which the mosaic knows from then on by itself. */
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
  if (store.type !== 'PostGIS') {
    const reason = `it is of the type ${store.type}, and not PostGIS`;
    throw problem('mosaic-index-store-refused', { store: `${home}:${name}`, reason });
  }
  return { parameters: store.parameters, sealedParameters: store.sealedParameters, warnings: [] };
}
