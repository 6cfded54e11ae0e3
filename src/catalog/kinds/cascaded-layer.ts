/** A published layer of a remote map server: its metadata, and how the remote server is queried. */
import type { CascadedService } from '../../cascade/capabilities.ts';
import { problem } from '../../lib/problems/problem.ts';
import { createLinkedKind } from '../../records/references.ts';
import { cascadedStoreKinds } from './cascaded-store.ts';
import {
  defaultResourceSettings,
  publishedKeys,
  type Resource,
  type ResourceKind,
  type ResourceSettings,
} from './resource.ts';
import type { ResourceDraft, SettingsDraft } from './resource-draft.ts';

/** How the remote server is queried for the layer; stored as sent. */
interface RemoteSettings {
  /** The remote style that the layer is always drawn with; empty for the remote default style. */
  readonly forcedRemoteStyle: string | null;
  readonly preferredFormat: string | null;
  readonly minScale: number | null;
  readonly maxScale: number | null;
  /** Whether the remote server is only queried within the layer's bounding boxes. */
  readonly metadataBBoxRespected: boolean;
  readonly vendorParameters: Readonly<Record<string, string>>;
}

/** Its native name is the name on the remote server. */
export interface CascadedLayer extends Resource, RemoteSettings {
  readonly kind: 'wmsLayer' | 'wmtsLayer';
  /**
   * Whether the remote server returns features of the layer, as of the capabilities that were read when the layer was
   * published; undefined if they were not read, and for WMS layers.
   */
  readonly isQueryable?: boolean;
}

/** The fields that a client can set: an absent field stays unchanged, null clears it. */
export type CascadedLayerDraft = ResourceDraft & SettingsDraft<RemoteSettings>;

export const initialSettings: ResourceSettings & RemoteSettings = {
  ...defaultResourceSettings,
  forcedRemoteStyle: null,
  preferredFormat: null,
  minScale: null,
  maxScale: null,
  metadataBBoxRespected: false,
  vendorParameters: {},
};

function createLayerKind(service: CascadedService, kind: CascadedLayer['kind'], collection: string) {
  return {
    ...createLinkedKind<CascadedLayer>(
      { kind, keys: publishedKeys, secrets: {} },
      { livesIn: [cascadedStoreKinds[service].kind], references: [] },
    ),
    collection,
    layerType: service,
    selectDefaultStyle: () => 'raster' as const,
    createNameTakenProblem: (details) => problem('cascaded-layer-exists', details),
    createInUseProblem: (details) => problem('cascaded-layer-in-use', details),
  } satisfies ResourceKind<CascadedLayer>;
}

export const cascadedLayerKinds: Readonly<Record<CascadedService, ResourceKind<CascadedLayer>>> = {
  WMS: createLayerKind('WMS', 'wmsLayer', 'wmslayers'),
  WMTS: createLayerKind('WMTS', 'wmtsLayer', 'layers'),
};

export function isCascaded(resource: Resource): resource is CascadedLayer {
  return resource.kind === cascadedLayerKinds.WMS.kind || resource.kind === cascadedLayerKinds.WMTS.kind;
}
