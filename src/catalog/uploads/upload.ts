/** The types of an upload in progress: its dependencies, its state and its result. */

import type { KeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { FileStoreWriter } from '../../records/files/file-store-writer.ts';
import type { VectorDriver } from '../../vector/port/driver.ts';
import type { FeatureTypeView } from '../feature-types/feature-type-view.ts';
import type { DataStoreView } from '../stores/data-stores.ts';
import type { VectorData } from '../stores/vector-data.ts';
import type { TypeDetails } from './describe-upload.ts';
import type { StagedData, StagingServices } from './stage-upload.ts';
import type { UploadRequest } from './upload-request.ts';

export interface UploadServices extends StagingServices {
  readonly data: VectorData;
  readonly drivers: readonly VectorDriver[];
  /** Serializes imports into the tables of one store. */
  readonly oneAtATime: KeyedMutex;
}

/** A published type of the data. */
export interface PublishedType {
  readonly view: FeatureTypeView;
  /** Whether this upload published it; otherwise the upload refreshed it. */
  readonly isNew: boolean;
  /** If the request asks for them. */
  readonly details?: TypeDetails | undefined;
}

export interface UploadResult {
  readonly view: DataStoreView;
  /** Set for an upload of a mapping, which defines how other data is read. */
  readonly mapping?: { readonly isNewStore: boolean; readonly isArchive: boolean };
  readonly types: readonly PublishedType[];
  /** The names of other types in the uploaded data. */
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
  /** The staging folder of the upload. */
  readonly staging: string;
  readonly keeper: FileStoreWriter;
}
