/** Where imported features are written: a file that nobody knows yet, or the database of the store itself. */
import { constants } from 'node:fs';
import { cp, mkdir, realpath, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ConnectionParameters } from '../../data/vector/driver.ts';
import type { SourceWork } from '../../data/vector/sources.ts';
import type { DataStore } from '../stores/data-store.ts';
import type { VectorData } from '../stores/vector-data.ts';
import { fileUrl } from './stage-upload.ts';
import { storedName } from './stored-name.ts';
import type { UploadTarget } from './upload-target.ts';

export interface ImportDestination {
  use<T>(work: SourceWork<T>): Promise<T>;
  /** What is put into the place of the store's files once all is written; undefined where the data itself is written. */
  readonly published?: {
    readonly folder: string;
    /** The store's parameters with the folder at a place. */
    parametersAt(place: string): ConnectionParameters;
  };
}

interface Services {
  readonly data: VectorData;
  readonly dataDir: string;
}

/** `staging` is a folder for this import alone, which need not be there. */
export async function prepareDestination(
  { data, dataDir }: Services,
  staging: string,
  { existing }: UploadTarget,
  storeName: string,
): Promise<ImportDestination> {
  await rm(staging, { recursive: true, force: true });
  if (existing === undefined) {
    await mkdir(staging, { mode: 0o700 });
    return fileDestination(data, staging, [`${storedName(storeName)}.gpkg`], { dbtype: 'geopkg' });
  }
  const inside = await ownFile(data, dataDir, existing);
  if (inside === undefined || existing.uploadedFolder === null) {
    return { use: (work) => data.change(existing, work) };
  }
  // Cloned where the file system can; readers keep what they have, and nothing is left of an import that fails.
  await cp(join(dataDir, existing.uploadedFolder), staging, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return fileDestination(data, staging, inside, existing.parameters);
}

function fileDestination(
  data: VectorData,
  folder: string,
  inside: readonly string[],
  parameters: ConnectionParameters,
): ImportDestination {
  const path = join(folder, ...inside);
  return {
    use: (work) => data.useStaged({ ...parameters, database: path }, new Map([[path, path]]), work),
    published: {
      folder,
      parametersAt: (place) => ({ ...parameters, database: fileUrl([...place.split('/'), ...inside]) }),
    },
  };
}

/** Where in the folder of uploaded files a GeoPackage is; undefined for one that is elsewhere, and for other databases. */
async function ownFile(data: VectorData, dataDir: string, store: DataStore): Promise<readonly string[] | undefined> {
  const { database, dbtype } = store.parameters;
  if (store.uploadedFolder === null || database === undefined || dbtype?.trim().toLowerCase() !== 'geopkg') {
    return undefined;
  }
  const parts = relative(await realpath(join(dataDir, store.uploadedFolder)), await data.pathOf(database)).split(sep);
  return parts[0] === '..' || parts[0] === '' ? undefined : parts;
}
