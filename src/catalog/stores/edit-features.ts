/** Edits features in the data of a store, all or nothing. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Principal } from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import { formatFileUrl } from '../../lib/text/file-place.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import type { FeatureEdits } from '../../vector/port/port.ts';
import type { SourceWork } from '../../vector/sources.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';
import type { StoreData } from './store-data.ts';
import { convertMissingFileError, resolveInsideFiles } from './uploaded-files.ts';
import { writeInSession } from './write-in-session.ts';

export interface FeatureEditContext {
  readonly catalog: Catalog;
  readonly data: Pick<StoreData, 'useForWriting' | 'useCopy'>;
  readonly files: Pick<Files, 'exportSet' | 'copySet' | 'createStaging'>;
  readonly dataDir: string;
}

type EditWork<T> = (edits: FeatureEdits, signal: AbortSignal) => Promise<T>;

/**
 * Runs the work and commits it. Nothing is changed if the work throws, or in a dry run. The work runs twice for the
 * first change of uploaded files.
 */
export async function editFeatures<T>(
  editing: FeatureEditContext,
  principal: Principal,
  store: DataStore,
  work: EditWork<T>,
): Promise<T> {
  const refuse = () => createReadOnlyProblem(store);
  await requireWritable(editing, store);
  const rehearse = () =>
    runDryEdits(editing, store, (source, signal) =>
      writeInSession(source, signal, refuse, (session) => work(session, signal)),
    );
  if (editing.catalog.isDryRun) return rehearse();
  // A refused change must leave the store as it is: tiles of uploaded files are cached, those of editable files are not.
  if (store.fileSet !== null) await rehearse();
  const live = await copyUploadedFiles(editing, principal, store);
  return editing.data.useForWriting(live, (source, signal) =>
    writeInSession(source, signal, refuse, async (session, { commit }) => {
      const result = await work(session, signal);
      signal.throwIfAborted();
      await commit();
      return result;
    }),
  );
}

interface HeldWork<T> {
  /** Receives the store whose data it reads. */
  work(edits: FeatureEdits, store: DataStore): Promise<T>;
  discard(result: T): Promise<void>;
}

/**
 * Runs work over features that no other client changes until it ends, and changes nothing. Features of uploaded files are
 * found in a copy: `work` runs again if the files have become editable meanwhile, after `discard`.
 */
export async function holdFeatures<T>(
  editing: FeatureEditContext,
  principal: Principal,
  store: DataStore,
  { work, discard }: HeldWork<T>,
): Promise<T> {
  await requireWritable(editing, store);
  const result = await runDryEdits(editing, store, (source, signal) =>
    writeInSession(
      source,
      signal,
      () => createReadOnlyProblem(store),
      (session) => work(session, store),
    ),
  );
  if (store.fileSet === null) return result;
  const current = await editing.catalog.rehearse(principal, `lock features of the store ${store.name}`, (transaction) =>
    transaction.get(dataStoreKind, store.id),
  );
  if (current?.fileSet === store.fileSet) return result;
  await discard(result);
  if (current === undefined) {
    throw problem('features-not-writable', { name: store.name, reason: 'their store was deleted' });
  }
  return holdFeatures(editing, principal, current, { work, discard });
}

async function requireWritable({ data }: Pick<FeatureEditContext, 'data'>, store: DataStore): Promise<void> {
  const isWritable = await data.useForWriting(store, async (source) => source.startWriting !== undefined);
  if (!isWritable) throw createReadOnlyProblem(store);
}

function createReadOnlyProblem(store: DataStore): Problem {
  const reason = `stores of the type ${store.type} are read-only; upload the data as a GeoPackage or import it into PostGIS to edit it`;
  return problem('features-not-writable', { name: store.name, reason });
}

/** Commits nothing. Edits of uploaded files run in a temporary copy. */
async function runDryEdits<T>({ data, files }: FeatureEditContext, store: DataStore, work: SourceWork<T>): Promise<T> {
  const { fileSet, filePlace } = store;
  if (fileSet === null || filePlace === null) {
    return data.useForWriting(store, work);
  }
  const staging = await files.createStaging('tried');
  try {
    const copy = join(staging.path, 'copy');
    await convertMissingFileError(files.copySet(fileSet, copy), filePlace);
    return await data.useCopy(store, copy, work);
  } finally {
    await staging.discard();
  }
}

/**
 * Uploaded files are immutable. On the first edit a store gets a copy of them in the data directory, at the path that
 * clients already see. From then on it refers to that file like to any other file of the server.
 */
async function copyUploadedFiles(
  { catalog, files, dataDir }: FeatureEditContext,
  principal: Principal,
  store: DataStore,
): Promise<DataStore> {
  for (let now = store; ; ) {
    const { fileSet, filePlace } = now;
    if (fileSet === null || filePlace === null) {
      return now;
    }
    const place = await copyToFreeFolder(files, dataDir, { fileSet, filePlace });
    const moved = Object.entries(now.parameters).map(([name, value]): [string, string] => {
      const inside = resolveInsideFiles(now, dataDir, value);
      return [name, inside === undefined ? value : formatFileUrl([...place.split('/'), ...inside])];
    });
    const parameters = Object.fromEntries(moved);
    const known = now;
    let isTaken = false;
    now = await catalog.change(
      principal,
      `make the features of the store ${store.name} editable`,
      async (transaction) => {
        const current = await transaction.get(dataStoreKind, known.id);
        if (current === undefined) {
          throw problem('features-not-writable', { name: known.name, reason: 'their store was deleted' });
        }
        // Another request has replaced the files in the meantime, or has already made them editable.
        isTaken = current.version === known.version;
        if (!isTaken) {
          return current;
        }
        return transaction.update(dataStoreKind, { ...current, parameters, fileSet: null, filePlace: null });
      },
    );
    if (!isTaken) {
      await rm(join(dataDir, place), { recursive: true, force: true });
    }
  }
}

/** Copies to the store's own path, or to a path beside it if files of an earlier store are there. */
async function copyToFreeFolder(
  files: Pick<Files, 'exportSet'>,
  dataDir: string,
  { fileSet, filePlace }: { readonly fileSet: string; readonly filePlace: string },
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const place = number === 1 ? filePlace : `${filePlace.replace(/\/[^/]*$/, '')}/${number}`;
    if (await convertMissingFileError(files.exportSet(fileSet, join(dataDir, place)), filePlace)) {
      return place;
    }
  }
}
