/** What the handlers of every family are given. */

import type { RemoteServers } from '../../catalog/cascaded/remote-servers.ts';
import type { RasterData } from '../../catalog/coverage-stores/raster-data.ts';
import type { UndoFiles } from '../../catalog/history/undo.ts';
import type { MosaicIndexes } from '../../catalog/mosaic-indexes/mosaic-indexes.ts';
import type { MosaicServices } from '../../catalog/mosaics/upload-mosaic.ts';
import type { DataFolder } from '../../catalog/resource-files/data-folder.ts';
import type { ActiveSettings } from '../../catalog/settings/active-settings.ts';
import type { NodeFiles } from '../../catalog/stores/node-files.ts';
import type { VectorData } from '../../catalog/stores/vector-data.ts';
import type { StyleServices } from '../../catalog/styles/style-services.ts';
import type { UploadServices } from '../../catalog/uploads/upload.ts';
import type { RasterUploadServices } from '../../catalog/uploads/upload-raster.ts';
import type { DeliveryStates } from '../../catalog/webhooks/delivery-state.ts';
import type { EncodingEnvironment } from '../../formats/in-thread/encode-collection.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import { createRouteBuilders } from '../../http/route-table/route-table.ts';
import type { KeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { SharedWork } from '../../lib/async/shared-work.ts';
import type { Operations } from '../../operations/operations.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import type { MapRenderer } from '../../rendering/map-renderer.ts';
import type { Access } from '../../security/access-rules/access.ts';
import type { Security } from '../../security/core/security.ts';
import type { Keystore } from '../../security/keystore/keystore.ts';
import type { KindRules } from '../../storage/port/port.ts';
import type { TileCache } from '../../tiles/cache/tile-cache.ts';
import type { TileSeeding } from '../../tiles/seeding/seeding.ts';
import type { TileBytes } from '../../tiles/tile-matrix-set.ts';
import type { Events } from '../changes/events.ts';

export interface Services {
  readonly catalog: Catalog;
  readonly operations: Operations;
  readonly keystore: Keystore;
  /** The one way out: whatever opens a URL for a client does it here. */
  readonly urlGate: UrlGate;
  readonly access: Access;
  readonly security: Security;
  readonly files: Files;
  readonly vectorData: VectorData;
  /** The changes, for whoever follows them. */
  readonly events: Events;
  /** How far the deliveries to webhooks have got. */
  readonly deliveryStates: DeliveryStates;
  /** What features are written into files with. */
  readonly encoding: EncodingEnvironment;
  /** What maps are drawn with. */
  readonly renderer: MapRenderer;
  readonly styles: StyleServices;
  readonly uploads: UploadServices;
  readonly rasterData: RasterData;
  readonly rasterUploads: RasterUploadServices;
  readonly mosaicIndexes: MosaicIndexes;
  readonly remoteServers: RemoteServers;
  /** The files below `data` that clients read and write by path. */
  readonly dataFolder: DataFolder;
  readonly nodeFiles: NodeFiles;
  readonly mosaics: MosaicServices;
  /** Files of how things were, for whoever takes a change back. */
  readonly undoFiles: UndoFiles;
  /** What the storage knows of every kind of record, to put them back. */
  readonly recordKinds: ReadonlyMap<string, KindRules>;
  /** Tables are made one at a time in each store. */
  readonly tableCreation: KeyedMutex;
  /** Tiles that were made. */
  readonly tileCache: TileCache;
  /** Tiles that are being made, some of them together. */
  readonly tilesUnderWay: SharedWork<readonly TileBytes[]>;
  /** Jobs that have tiles made before anybody asks for them. */
  readonly tileSeeding: TileSeeding;
  /** What settings do to the running server. */
  readonly inForce: ActiveSettings;
}

/** The row constructors of our families' tables. */
export const {
  add,
  get,
  getFile,
  getFollowed,
  getOpenFile,
  getPrinted,
  getText,
  list,
  post,
  postEchoed,
  postEither,
  postNamed,
  postChange,
  postTogether,
  uploadTogether,
  act,
  ask,
  askPrinted,
  put,
  putEchoed,
  putEither,
  putFile,
  actTold,
  del,
  family,
  upload,
} = createRouteBuilders<Services>();
