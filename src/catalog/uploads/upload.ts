/** An upload on its way: what it needs of the world, what is known of it, and what comes of it. */

import type { KeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { FileStoreWriter } from '../../records/files/file-store-writer.ts';
import type { VectorDriver } from '../../vector/port/driver.ts';
import type { FeatureTypeView } from '../feature-types/feature-type-view.ts';
import type { DataStoreView } from '../stores/data-stores.ts';
import type { VectorData } from '../stores/vector-data.ts';
import type { StagedData, StagingServices } from './stage-upload.ts';
import type { UploadRequest } from './upload-request.ts';

export interface UploadServices extends StagingServices {
  readonly data: VectorData;
  readonly drivers: readonly VectorDriver[];
  /** Of those who write into the tables of one store, one at a time. */
  readonly oneAtATime: KeyedMutex;
}

/** A type of the data that is published now. */
export interface PublishedType {
  readonly view: FeatureTypeView;
  /** Whether it was published by this upload; otherwise it was so before, and is up to date now. */
  readonly isNew: boolean;
}

export interface UploadResult {
  readonly view: DataStoreView;
  /** Of an upload that is no data, but says how other data is read. */
  readonly mapping?: { readonly isNewStore: boolean; readonly isArchive: boolean };
  readonly types: readonly PublishedType[];
  /** The names of what else is in the uploaded data. */
  readonly unpublished: readonly string[];
  readonly warnings: readonly string[];
}

/** An upload whose data can be opened. */
export interface UploadContext {
  readonly catalog: Catalog;
  readonly services: UploadServices;
  readonly principal: Principal;
  readonly request: UploadRequest;
  readonly staged: StagedData;
  /** The folder of the upload. */
  readonly staging: string;
  readonly keeper: FileStoreWriter;
}
