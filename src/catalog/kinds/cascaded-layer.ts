/** A layer of another map server that is published here: what clients are told of it, and how the other is to be asked. */
import type { CascadedService } from '../../cascade/capabilities.ts';
import { problem } from '../../lib/problems/problem.ts';
import { createLinkedKind } from '../../records/references.ts';
import { cascadedStoreKinds } from './cascaded-store.ts';
import {
  defaultResourceSettings,
  type Resource,
  type ResourceKind,
  type ResourceSettings,
  resourceKeys,
} from './resource.ts';
import type { ResourceDraft, SettingsDraft } from './resource-draft.ts';

/** How the other server is asked for it, kept as given. */
interface RemoteSettings {
  /** The style of the other server that it is always drawn with; empty for its default one. */
  readonly forcedRemoteStyle: string | null;
  readonly preferredFormat: string | null;
  readonly minScale: number | null;
  readonly maxScale: number | null;
  /** Whether the other server is only asked for what lies in its boxes. */
  readonly metadataBBoxRespected: boolean;
  readonly vendorParameters: Readonly<Record<string, string>>;
}

/** Its native name is that on the other server. */
export interface CascadedLayer extends Resource, RemoteSettings {
  readonly kind: 'wmsLayer' | 'wmtsLayer';
}

/** What a client may say of it: absent stays, null clears. */
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
      { kind, keys: resourceKeys, secrets: {} },
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
