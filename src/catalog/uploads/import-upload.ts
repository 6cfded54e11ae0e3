/** Imports uploaded data into a store of another format: every type into a table of its name, all or nothing. */
import { join } from 'node:path';
import type { HeldLock } from '../../lib/async/keyed-mutex.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogTransaction } from '../../records/catalog.ts';
import { changeWithExternal, type ExternalTransaction } from '../../records/change-with-external.ts';
import { createFencedCatalog } from '../../records/fenced-catalog.ts';
import { listStagedFiles } from '../../records/files/staged-files.ts';
import type { ConnectionParameters } from '../../vector/port/driver.ts';
import type { Feature, VectorSource, WriteSession } from '../../vector/port/port.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';
import { featureTypeKind } from '../kinds/feature-type.ts';
import { insertDataStore, toDataStoreView } from '../stores/data-stores.ts';
import type { VectorData } from '../stores/vector-data.ts';
import { writeInSession } from '../stores/write-in-session.ts';
import {
  checkHasTypes,
  type DescribedType,
  prepareUploaded,
  summarizeType,
  type TypeDetails,
} from './describe-upload.ts';
import { type ImportDestination, prepareDestination } from './import-destination.ts';
import { collectUnusedWarnings } from './stage-upload.ts';
import type { UploadContext, UploadResult } from './upload.ts';
import type { UploadRequest } from './upload-request.ts';
import { findTarget, isSameTarget, resolveFilePlace, type UploadTarget } from './upload-target.ts';
import { isUpToDate, type PreparedTypes, prepareTypes, refreshTypeBounds, writeTypes } from './write-types.ts';

/**
 * Returns undefined if the store changed while the data was written: then nothing has changed, and the caller retries.
 */
export async function importUpload(unfenced: UploadContext, turn: HeldLock): Promise<UploadResult | undefined> {
  const context = { ...unfenced, catalog: createFencedCatalog(unfenced.catalog, turn) };
  const { catalog, services, request, staged } = context;
  const target = await findTarget(catalog, services.drivers, request);
  if (target.way !== 'import') {
    return undefined;
  }
  const destination = await findDestination(context, target);
  if (destination === undefined) {
    return undefined;
  }
  const { existing } = target;
  const known = existing === undefined ? [] : await catalog.list(featureTypeKind, existing.id);
  const published = new Set(known.map(({ nativeName }) => nativeName));
  const parameters = request.driver.uploads.createParameters(staged.path, { charset: request.charset ?? undefined });
  const place = { path: staged.path, root: staged.root, principal: context.principal };

  return destination.use((database, databaseSignal, deadline) =>
    services.data.useStaged(parameters, place, (source, sourceSignal, sourceDeadline) => {
      const signal = AbortSignal.any([databaseSignal, turn.signal]);
      const extend = () => {
        sourceDeadline.extend();
        deadline.extend();
      };
      const createReadOnlyProblem = () => problem('store-read-only', { name: existing?.name ?? request.store });
      return writeInSession(database, signal, createReadOnlyProblem, async (session, outside) => {
        const tables = await writeTables(source, sourceSignal, session, { request, extend });
        const names = tables.map(({ name }) => name);
        const described = await describeTables(session, tables, { request, published, extend });
        const upload = { described, names, warnings: collectUnusedWarnings(staged) };
        const types = await prepareTypes(catalog, existing, upload, refreshTypeBounds);
        const { written } = destination;
        const files = written === undefined ? undefined : await storeWrittenFiles(context, written, outside);
        sourceDeadline.cancel();
        deadline.cancel();
        // The client has received an error if one of these is aborted, so nothing may be published.
        sourceSignal.throwIfAborted();
        signal.throwIfAborted();
        return publishImport(context, target, types, files ?? outside);
      });
    }),
  );
}

/** Complete files, which the change only has to refer to. */
interface WrittenFiles {
  readonly fileSet: string;
  parametersAt(place: string): ConnectionParameters;
}

async function storeWrittenFiles(
  { keeper }: UploadContext,
  { folder, parametersAt }: NonNullable<ImportDestination['written']>,
  session: ExternalTransaction,
): Promise<WrittenFiles> {
  await session.commit();
  return { fileSet: await keeper.storeSet(await listStagedFiles(folder)), parametersAt };
}

/** Another request may replace the files during the copy: then retry with the new ones. */
async function findDestination(context: UploadContext, target: UploadTarget): Promise<ImportDestination | undefined> {
  const { catalog, services, request, staging, principal } = context;
  try {
    const author = { storeName: request.store, principal };
    return await prepareDestination(services, join(staging, 'target'), target, author);
  } catch (error) {
    if (isSameTarget(target, await findTarget(catalog, services.drivers, request))) {
      throw error;
    }
    return undefined;
  }
}

interface WrittenTable {
  readonly name: string;
  /** Warnings about the source data. */
  readonly warnings: readonly string[];
  /** Of the source data: the table may have had rows before, and other names. */
  readonly imported: Pick<TypeDetails, 'count' | 'attributes'>;
}

async function writeTables(
  source: VectorSource,
  signal: AbortSignal,
  session: Pick<WriteSession, 'write'>,
  { request: { driver, mode }, extend }: { readonly request: UploadRequest; readonly extend: () => void },
): Promise<readonly WrittenTable[]> {
  const types = await source.listTypes(signal);
  checkHasTypes(types, driver.uploads);
  const tables: WrittenTable[] = [];
  for (const { name } of types) {
    extend();
    const described = await source.describe(name, signal);
    if (described !== undefined) {
      let count = 0;
      let first: Feature | undefined;
      const batches = watchBatches(source.read(name, {}, signal), extend, (batch) => {
        count += batch.length;
        first ??= batch[0];
      });
      const table = await session.write({ name, attributes: described.attributes, batches, progress: extend }, mode);
      if (tables.some((each) => each.name === table)) {
        throw problem('import-refused', { name: table, reason: 'several types of the data have its name' });
      }
      const { attributes } = summarizeType(described, first);
      tables.push({ name: table, warnings: described.warnings ?? [], imported: { count, attributes } });
    }
  }
  return tables;
}

async function* watchBatches(
  batches: AsyncIterable<readonly Feature[]>,
  extend: () => void,
  onBatch: (batch: readonly Feature[]) => void,
): AsyncGenerator<readonly Feature[]> {
  for await (const batch of batches) {
    extend();
    onBatch(batch);
    yield batch;
    extend();
  }
}

async function describeTables(
  session: Pick<WriteSession, 'describe'>,
  tables: readonly WrittenTable[],
  {
    request,
    published,
    extend,
  }: { readonly request: UploadRequest; readonly published: ReadonlySet<string>; readonly extend: () => void },
): Promise<readonly DescribedType[]> {
  const { configure, hasDetails } = request;
  const described: DescribedType[] = [];
  for (const [index, { name: table, warnings, imported }] of tables.entries()) {
    const isWanted = configure === 'all' || (configure === 'first' && index === 0);
    if (isWanted || published.has(table)) {
      extend();
      const description = await session.describe(table);
      if (description !== undefined) {
        const publication = await prepareUploaded(description, request);
        described.push({
          description: { ...description, warnings },
          publication,
          isWanted,
          ...(hasDetails ? { details: { ...summarizeType(description), ...imported } } : {}),
        });
      }
    }
  }
  extend();
  return described;
}

/** Returns undefined if the store or its types have changed: then nothing has been published. */
function publishImport(
  { catalog, services, principal, request }: UploadContext,
  before: UploadTarget,
  types: PreparedTypes,
  result: WrittenFiles | ExternalTransaction,
): Promise<UploadResult | undefined> {
  const what = `import into data store ${request.store} in ${request.workspace}`;
  if ('fileSet' in result) {
    return catalog.change(principal, what, async (transaction) => {
      const target = await findTarget(transaction, services.drivers, request);
      return isSameTarget(before, target) && (await isUpToDate(transaction, target.existing, types))
        ? writePublishedTypes(
            transaction,
            target,
            await writeStoreFiles(transaction, services.data, target, { request, written: result }),
            types,
          )
        : undefined;
    });
  }
  return changeWithExternal(
    catalog,
    { principal, what },
    async (transaction, phase) => {
      const target = await findTarget(transaction, services.drivers, request);
      const isSame = isSameTarget(before, target) && target.existing !== undefined;
      if (phase === 'rehearsal' && !(isSame && (await isUpToDate(transaction, target.existing, types)))) {
        return undefined;
      }
      if (!isSame) {
        const reason = 'the store was changed during the import; the features are in its database';
        throw problem('import-refused', { name: request.store, reason });
      }
      return writePublishedTypes(transaction, target, target.existing, types);
    },
    result,
  );
}

async function writeStoreFiles(
  transaction: CatalogTransaction,
  data: VectorData,
  target: UploadTarget,
  {
    request: { store: name },
    written: { fileSet, parametersAt },
  }: { readonly request: UploadRequest; readonly written: WrittenFiles },
): Promise<DataStore> {
  const { workspace, existing } = target;
  const filePlace = resolveFilePlace(target, name);
  const files = { fileSet, filePlace };
  if (existing !== undefined) {
    return transaction.update<DataStore>(dataStoreKind, { ...existing, ...files });
  }
  const parameters = parametersAt(filePlace);
  const type = data.getStoreType(parameters);
  return insertDataStore(transaction, workspace, { name, draft: {}, type, parameters, sealedParameters: {}, files });
}

async function writePublishedTypes(
  transaction: CatalogTransaction,
  { workspace }: UploadTarget,
  store: DataStore,
  types: PreparedTypes,
): Promise<UploadResult> {
  const view = toDataStoreView(store, workspace);
  return { view, ...(await writeTypes(transaction, view, types)) };
}
