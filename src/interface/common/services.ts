/** The dependencies of all route handlers. */

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
import type { Principal } from '../../lib/identity/principal.ts';
import type { FeatureLocks } from '../../lib/locks/feature-locks.ts';
import type { Backups } from '../../operations/backup/backups.ts';
import type { Operations } from '../../operations/operations.ts';
import type { TranslateDirectory } from '../../operations/translate-directory.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import type { SentFiles } from '../../records/files/sent-files.ts';
import type { MapRenderer } from '../../rendering/map-renderer.ts';
import type { Access } from '../../security/access-rules/access.ts';
import type { Security } from '../../security/core/security.ts';
import type { BrowserSignIn } from '../../security/external-login/browser-sign-in.ts';
import type { TestProvider } from '../../security/external-login/test-provider.ts';
import type { Keystore } from '../../security/keystore/keystore.ts';
import type { TokenServices } from '../../security/tokens/tokens.ts';
import type { KindRules } from '../../storage/port/port.ts';
import type { TileCache } from '../../tiles/cache/tile-cache.ts';
import type { ExportOrder, ExportRequest } from '../../tiles/exports/export-job.ts';
import type { TileExports } from '../../tiles/exports/tile-exports.ts';
import type { TileSeeding } from '../../tiles/seeding/seeding.ts';
import type { TileBytes } from '../../tiles/tile-matrix-set.ts';
import type { JoinServices } from '../../vector/join/join-size.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { Events } from '../changes/events.ts';

export interface Services {
  readonly catalog: Catalog;
  readonly operations: Operations;
  readonly keystore: Keystore;
  /** The only outbound HTTP client; every URL that a client supplies is opened through it. */
  readonly urlGate: UrlGate;
  readonly access: Access;
  readonly security: Security;
  readonly tokens: TokenServices;
  readonly testProvider: TestProvider;
  readonly browserSignIn: BrowserSignIn;
  readonly files: Files;
  /** Files that clients send before the configuration that refers to them. */
  readonly sentFiles: SentFiles;
  readonly vectorData: VectorData;
  readonly featureLocks: FeatureLocks;
  /** The changes, for followers. */
  readonly events: Events;
  /** Delivery state of the webhooks. */
  readonly deliveryStates: DeliveryStates;
  /** Writes features to files. */
  readonly encoding: EncodingEnvironment;
  readonly joins: JoinServices;
  /** Draws maps. */
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
  /** Earlier versions of files, for undo. */
  readonly undoFiles: UndoFiles;
  /** The storage codecs of every record kind, for restoring records. */
  readonly recordKinds: ReadonlyMap<string, KindRules>;
  /** Serializes table creation in each store. */
  readonly tableCreation: KeyedMutex;
  /** The tile cache. */
  readonly tileCache: TileCache;
  /** Tiles being rendered; neighbouring ones can share one rendering. */
  readonly tilesUnderWay: SharedWork<readonly TileBytes[]>;
  /** The time limit for reading the features of a layer of a vector tile. */
  readonly tileReadingMs: number;
  /** Jobs that fill the tile cache in advance. */
  readonly tileSeeding: TileSeeding;
  /** Jobs that write tiles to archives. */
  readonly tileExports: TileExports;
  /** Checks a request for an export. It belongs to the services, which know which tiles a layer has. */
  readonly prepareTileExport: (
    services: Services,
    principal: Principal,
    request: ExportRequest,
  ) => Promise<ExportOrder>;
  readonly backups: Backups;
  /** Translates data directories of GeoServer in a worker. */
  readonly translateDirectory: TranslateDirectory;
  /** Checks geometries that are too large for the main thread. */
  readonly filterWorkers: WorkerPool;
  /** Applies settings to the running server. */
  readonly inForce: ActiveSettings;
}

/** Route constructors of the families. */
export const {
  act,
  batch,
  del,
  family,
  get,
  getContent,
  getOpenFile,
  getStream,
  list,
  post,
  postQuery,
  put,
  putOrCreate,
  upload,
} = createRouteBuilders<Services>();
