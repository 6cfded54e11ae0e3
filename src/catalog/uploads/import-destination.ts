/** The destination of imported features: new files, or the database of the store itself. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Principal } from '../../lib/identity/principal.ts';
import { formatFileUrl, toStoredName } from '../../lib/text/file-place.ts';
import type { Files } from '../../records/files/files.ts';
import type { ConnectionParameters, UploadDriver } from '../../vector/port/driver.ts';
import type { SourceWork } from '../../vector/sources.ts';
import { convertMissingFileError } from '../stores/uploaded-files.ts';
import type { VectorData } from '../stores/vector-data.ts';
import type { UploadTarget } from './upload-target.ts';

export interface ImportDestination {
  use<T>(work: SourceWork<T>): Promise<T>;
  /** The new files of the store; undefined if the import writes into its database. */
  readonly written?: {
    readonly folder: string;
    /** Returns the parameters of the store for files at this path. */
    parametersAt(place: string): ConnectionParameters;
  };
}

interface DestinationServices {
  readonly data: VectorData;
  readonly files: Files;
}

/** `staging` is a folder for this import alone, which need not exist. */
export async function prepareDestination(
  { data, files }: DestinationServices,
  staging: string,
  { existing, driver }: UploadTarget,
  author: { readonly storeName: string; readonly principal: Principal },
): Promise<ImportDestination> {
  await rm(staging, { recursive: true, force: true });
  if (existing === undefined) {
    if (driver?.uploads === undefined) {
      throw new Error('An import cannot create a store without files');
    }
    return createFileDestination(data, staging, { ...driver, uploads: driver.uploads }, author);
  }
  if (existing.fileSet === null) {
    return { use: (work) => data.useForWriting(existing, work) };
  }
  // Import into a copy: readers keep the current files, and a failed import leaves nothing.
  await convertMissingFileError(
    files.copySet(existing.fileSet, staging),
    existing.parameters['database'] ?? existing.name,
  );
  return {
    use: (work) => data.useCopy(existing, staging, work),
    written: { folder: staging, parametersAt: () => existing.parameters },
  };
}

async function createFileDestination(
  data: VectorData,
  folder: string,
  { uploads }: UploadDriver,
  { storeName, principal }: { readonly storeName: string; readonly principal: Principal },
): Promise<ImportDestination> {
  await mkdir(folder, { mode: 0o700 });
  const name = `${toStoredName(storeName)}.${uploads.format}`;
  const path = join(folder, name);
  const buildParameters = (location: string) => uploads.createParameters(location, { charset: undefined });
  return {
    use: (work) => data.useStaged(buildParameters(path), { path, root: folder, principal }, work),
    written: { folder, parametersAt: (place) => buildParameters(formatFileUrl([...place.split('/'), name])) },
  };
}
