/** Imports uploaded data into a store of another format: every type into a table of its name, all of it or nothing. */
import { join } from 'node:path';
import type { Feature, VectorSource, WriteSession } from '../../data/vector/port.ts';
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import { changeWithFiles } from '../../records/file-changes.ts';
import { featureTypeKind } from '../feature-types/feature-type.ts';
import { preparePublication } from '../feature-types/publish-feature-type.ts';
import { type DataStore, dataStoreKind } from '../stores/data-store.ts';
import { dataStoreView, insertDataStore } from '../stores/data-stores.ts';
import { type DescribedType, parametersOf, publishableName } from './describe-upload.ts';
import { type ImportDestination, prepareDestination } from './import-destination.ts';
import type { StagedData } from './stage-upload.ts';
import type { UploadRequest } from './upload-request.ts';
import { findTarget, isSameTarget, placeOf, type UploadTarget } from './upload-target.ts';
import type { Uploaded, UploadServices } from './upload-vector.ts';
import { refreshedBounds, writeTypes } from './write-types.ts';

export interface ImportContext {
  readonly catalog: Catalog;
  readonly services: UploadServices;
  readonly principal: Principal;
  readonly request: UploadRequest;
  readonly staged: StagedData;
  /** The folder of the upload. */
  readonly staging: string;
}

/** Undefined when the store became another while the data was written: nothing has happened then, and it has to be done anew. */
export async function importUpload(context: ImportContext): Promise<Uploaded | undefined> {
  const { catalog, services, request, staged } = context;
  const target = await findTarget(catalog, request);
  if (target.way !== 'import') {
    return undefined;
  }
  const destination = await destinationFor(context, target);
  if (destination === undefined) {
    return undefined;
  }
  const { existing } = target;
  const known = existing === undefined ? [] : await catalog.list(featureTypeKind, existing.id);
  const published = new Set(known.map(({ nativeName }) => nativeName));
  const parameters = parametersOf(request.format, staged.path, request.charset);
  const paths = new Map([[staged.path, staged.path]]);

  return destination.use((database, signal, deadline) =>
    services.data.useStaged(parameters, paths, async (source, sourceSignal, sourceDeadline) => {
      const extend = () => {
        sourceDeadline.extend();
        deadline.extend();
      };
      const session = await startWriting(database, signal, existing?.name ?? request.store);
      let uploaded: Uploaded | undefined;
      try {
        const tables = await writeTables(source, sourceSignal, session, request, extend);
        const described = await describeTables(session, tables, request, published, extend);
        if (destination.published !== undefined) {
          await session.commit();
          await services.files.sync(destination.published.folder);
        }
        sourceDeadline.lift();
        deadline.lift();
        // Whoever asked has been told of a failure if one of these is aborted: then nothing may come of it.
        sourceSignal.throwIfAborted();
        signal.throwIfAborted();
        uploaded = await publish(context, target, destination, described, session);
        return uploaded;
      } finally {
        if (uploaded === undefined) {
          await session.rollback();
        }
      }
    }),
  );
}

/** Files may go while they are copied, if somebody replaces them: then it is the new ones' turn. */
async function destinationFor(context: ImportContext, target: UploadTarget): Promise<ImportDestination | undefined> {
  const { catalog, services, request, staging } = context;
  try {
    return await prepareDestination(services, join(staging, 'target'), target, request.store);
  } catch (error) {
    if (isSameTarget(target, await findTarget(catalog, request))) {
      throw error;
    }
    return undefined;
  }
}

async function startWriting(source: VectorSource, signal: AbortSignal, name: string): Promise<WriteSession> {
  if (source.startWriting === undefined) {
    throw problem('store-read-only', { name });
  }
  return source.startWriting(signal);
}

async function writeTables(
  source: VectorSource,
  signal: AbortSignal,
  session: WriteSession,
  { format, mode }: UploadRequest,
  extend: () => void,
): Promise<readonly string[]> {
  const types = await source.listTypes(signal);
  if (types.length === 0 && format === 'shp') {
    throw problem('upload-without-data', { format, reason: 'there is no file that ends with .shp' });
  }
  const tables: string[] = [];
  for (const { name } of types) {
    extend();
    const described = await source.describe(name, signal);
    if (described !== undefined) {
      const batches = paced(source.read(name, {}, signal), extend);
      const table = await session.write({ name, attributes: described.attributes, batches, progress: extend }, mode);
      if (tables.includes(table)) {
        throw problem('import-refused', { name: table, reason: 'several types of the data go by its name' });
      }
      tables.push(table);
    }
  }
  return tables;
}

async function* paced(
  batches: AsyncIterable<readonly Feature[]>,
  extend: () => void,
): AsyncGenerator<readonly Feature[]> {
  for await (const batch of batches) {
    extend();
    yield batch;
    extend();
  }
}

async function describeTables(
  session: WriteSession,
  tables: readonly string[],
  { configure }: UploadRequest,
  published: ReadonlySet<string>,
  extend: () => void,
): Promise<readonly DescribedType[]> {
  const described: DescribedType[] = [];
  for (const [index, table] of tables.entries()) {
    const isWanted = configure === 'all' || (configure === 'first' && index === 0);
    if (isWanted || published.has(table)) {
      extend();
      const description = await session.describe(table);
      if (description !== undefined) {
        const publication = await preparePublication(description, {}, publishableName(table));
        described.push({ description, publication, isWanted });
      }
    }
  }
  extend();
  return described;
}

/**
 * Files come into place with the change of the catalog. A database is committed as the last thing before it: if the server
 * dies between the two, or the catalog cannot be written, the features are there and nothing of them is published yet; an
 * upload that is repeated then appends them once more, or with `update=overwrite` replaces them.
 */
function publish(
  { catalog, services, principal, request }: ImportContext,
  before: UploadTarget,
  { published }: ImportDestination,
  described: readonly DescribedType[],
  session: WriteSession,
): Promise<Uploaded | undefined> {
  let replaced = '';
  return changeWithFiles(
    catalog,
    services.files,
    { principal, what: `import into data store ${request.store} in ${request.workspace}` },
    async (transaction, changes) => {
      const target = await findTarget(transaction, request);
      if (!isSameTarget(before, target)) {
        return undefined;
      }
      const { workspace, existing } = target;
      let store = existing;
      if (published !== undefined) {
        const place = placeOf(target, request.store, transaction.sequence);
        await changes.publish(published.folder, place);
        if (existing !== undefined && existing.uploadedFolder !== null) {
          replaced = existing.id;
          await changes.remove([existing.uploadedFolder]);
        }
        const files = { parameters: published.parametersAt(place), uploadedFolder: place };
        const fresh = { name: request.store, draft: {}, sealedParameters: {}, ...files };
        store =
          existing === undefined
            ? await insertDataStore(transaction, workspace, { ...fresh, type: services.data.typeOf(files.parameters) })
            : await transaction.update<DataStore>(dataStoreKind, { ...existing, ...files });
      }
      if (store === undefined) {
        throw new Error('There is neither a store nor a file to import into');
      }
      const view = dataStoreView(store, workspace);
      const types = await writeTypes(transaction, view, described, refreshedBounds);
      if (published === undefined) {
        await session.commit();
      }
      return { view, types };
    },
    { beforeRemoval: () => services.data.reset(replaced) },
  );
}
