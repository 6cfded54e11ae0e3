/** A connection to vector data: a shapefile, a folder of them, or a spatial database. */
import type { RecordBase, RecordKind } from '../../records/record.ts';
import { hashOfBytes } from '../../storage/blobs/port.ts';
import type { JsonObject } from '../../storage/port.ts';

export interface DataStore extends RecordBase {
  readonly kind: 'dataStore';
  readonly description: string | null;
  /** What kind of store it is, such as `PostGIS`. */
  readonly type: string;
  readonly enabled: boolean;
  /** Whether it was made the one that `default` means in its workspace. */
  readonly isDefault: boolean;
  /** As the client gave them, without secrets and without `namespace`, which follows the workspace. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The secret ones, each sealed. */
  readonly sealedParameters: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether the store switches itself off when its data cannot be reached. */
  readonly disableOnConnFailure: boolean;
  /** The set of its uploaded files; null for data that it only points at. */
  readonly fileSet: string | null;
  /** Where clients see its uploaded files, relative to the data directory. Nothing need be there: it is only a name. */
  readonly filePlace: string | null;
}

/** Its uploaded files. */
export type StoreFiles = Pick<DataStore, 'fileSet' | 'filePlace'>;

export const dataStoreKind: RecordKind<DataStore> = {
  kind: 'dataStore',
  keys: ({ parent, isDefault }) => ({
    // Records are found by keys in the order of their age.
    workspace: parent === null ? [] : [parent],
    defaultOf: isDefault && parent !== null ? [parent] : [],
  }),
  secrets: ['sealedParameters'],
  files: ({ fileSet }) => (fileSet == null ? [] : [fileSet]),
  upgrade: withFileSet,
};

/**
 * Until version 0.1.0 a store named the folder of its uploaded files. It still shows that to clients; the set is called
 * after the folder, since its files are not looked at here. Their first start makes it (`take-over-files.ts`).
 */
function withFileSet(body: JsonObject): JsonObject {
  if (!('uploadedFolder' in body)) {
    return body;
  }
  const { uploadedFolder: folder, ...rest } = body;
  return typeof folder === 'string'
    ? { ...rest, fileSet: hashOfBytes(Buffer.from(`uploaded folder ${folder}`)), filePlace: folder }
    : { ...rest, fileSet: null, filePlace: null };
}
