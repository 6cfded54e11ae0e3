/** A connection to vector data: a shapefile, a folder of them, or a spatial database. */
import type { RecordBase, RecordKind } from '../../records/record.ts';

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
  files: ({ fileSet }) => (fileSet === null ? [] : [fileSet]),
};
