/** Changes features in the data of a store, all of them or none. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import type { FeatureEdits } from '../../vector/port/port.ts';
import type { SourceWork } from '../../vector/sources.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';
import type { StoreData } from './store-data.ts';
import { convertMissingFileError, formatFileUrl, resolveInsideFiles } from './uploaded-files.ts';
import { writeInSession } from './write-in-session.ts';

export interface FeatureEditContext {
  readonly catalog: Catalog;
  readonly data: Pick<StoreData, 'useForWriting' | 'useCopy'>;
  readonly files: Pick<Files, 'exportSet' | 'copySet' | 'createStaging'>;
  readonly dataDir: string;
}

type EditWork<T> = (edits: FeatureEdits, signal: AbortSignal) => Promise<T>;

/** What the work has done is there when this resolves, and nothing of it if it throws, or was only tried. */
export async function editFeatures<T>(
  editing: FeatureEditContext,
  principal: Principal,
  store: DataStore,
  work: EditWork<T>,
): Promise<T> {
  const createReadOnlyProblem = () =>
    problem('features-not-writable', { name: store.name, reason: `a ${store.type} store is only read` });
  const isWritable = await editing.data.useForWriting(store, async (source) => source.startWriting !== undefined);
  if (!isWritable) {
    throw createReadOnlyProblem();
  }
  if (editing.catalog.isDryRun) {
    return runDryEdits(editing, store, (source, signal) =>
      writeInSession(source, signal, createReadOnlyProblem, (session) => work(session, signal)),
    );
  }
  const live = await copyUploadedFiles(editing, principal, store);
  return editing.data.useForWriting(live, (source, signal) =>
    writeInSession(source, signal, createReadOnlyProblem, async (session, { commit }) => {
      const result = await work(session, signal);
      signal.throwIfAborted();
      await commit();
      return result;
    }),
  );
}

/** Nothing is committed; what would be written into a copy of uploaded files is tried in one that is gone afterwards. */
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
 * Uploaded files are never written. A store whose features are changed gets a copy of them, once: where clients have seen
 * them all along, in the data directory. From then on it points at that file like at any other of the server.
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
    now = await catalog.change(principal, `let features of the store ${store.name} be changed`, async (transaction) => {
      const current = await transaction.get(dataStoreKind, known.id);
      if (current === undefined) {
        throw problem('features-not-writable', { name: known.name, reason: 'their store is gone' });
      }
      // Somebody has given it other files in the meantime, or these to be changed.
      isTaken = current.version === known.version;
      if (!isTaken) {
        return current;
      }
      return transaction.update(dataStoreKind, { ...current, parameters, fileSet: null, filePlace: null });
    });
    if (!isTaken) {
      await rm(join(dataDir, place), { recursive: true, force: true });
    }
  }
}

/** Its own place, unless a store of that name was there before and has left its files: then one beside it. */
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
