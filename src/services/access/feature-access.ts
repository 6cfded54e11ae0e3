/**
 * The door to all features: which types somebody may know of, read and change, whatever service they ask. What is hidden
 * from them is absent here, so that no service can tell of it.
 */

import { findResourceById } from '../../catalog/kinds/any-resource.ts';
import { dataStoreKind } from '../../catalog/kinds/data-store.ts';
import { type FeatureType, featureTypeKind } from '../../catalog/kinds/feature-type.ts';
import type { Resource } from '../../catalog/kinds/resource.ts';
import type { SettingValues } from '../../catalog/kinds/setting.ts';
import type { VectorData } from '../../catalog/stores/vector-data.ts';
import type { UploadServices } from '../../catalog/uploads/upload.ts';
import type { EncodingEnvironment } from '../../formats/in-thread/encode-collection.ts';
import { isAnonymous } from '../../lib/identity/principal.ts';
import type { Catalog } from '../../records/catalog.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { Access } from '../../security/access-rules/access.ts';
import { findLayerCandidates, findLayerInWorkspace, type LayerCandidate, listLayerNames } from './layer-candidates.ts';
import { createPublishedType, type PublishedType } from './published-type.ts';
import { authorizeRequest, createAccessProblem, type ServiceRequest } from './service-request.ts';

/** What the door needs of the server; the files of uploads are for those whose features are changed. */
export interface FeatureServices {
  readonly catalog: Catalog;
  readonly access: Access;
  readonly vectorData: VectorData;
  readonly uploads: Pick<UploadServices, 'files' | 'dataDir'>;
  readonly encoding: EncodingEnvironment;
}

/** Who asks for what: the operation is that of WFS that does the same, as service rules name it. */
export interface FeatureServiceRequest extends Omit<ServiceRequest, 'service'> {
  /** The names by which layers say that a service shall not have them. */
  readonly serviceNames: readonly string[];
  readonly operation: 'GetCapabilities' | 'DescribeFeatureType' | 'GetFeature' | 'Transaction' | (string & {});
}

/** What somebody wants with a type: to know what it is like, its features, or to change them. */
export type AccessMode = 'description' | 'read' | 'write';

export interface FeatureAccess {
  /** The types that lists name, ordered by workspace and name. */
  list(): Promise<readonly PublishedType[]>;
  /** The same one by one, for whoever needs little of each: there may be very many. */
  each(): AsyncIterable<PublishedType>;
  /**
   * The type of a name, `workspace:name` or without the workspace where that is clear. Undefined for what is not there or
   * is hidden; a Problem that asks for credentials or refuses, where they may know that it is there.
   */
  find(name: string, wish: AccessMode): Promise<PublishedType | undefined>;
  /** Of the WFS, here or else of the server; what is not set has its default. */
  readonly settings: SettingValues;
  /** The workspace that was asked, where one was. */
  readonly workspace: Workspace | undefined;
  /** The name of the layer that was asked, where one was. */
  readonly layer: string | undefined;
}

/** A Problem where there is nothing to be asked: no such workspace, no service, or not for them. */
export async function openFeatureAccess(
  services: Pick<FeatureServices, 'catalog' | 'access'>,
  visit: FeatureServiceRequest,
): Promise<FeatureAccess> {
  const { principal, place } = visit;
  const { catalog } = services;
  const { permissions, workspace, settings } = await authorizeRequest(services, { ...visit, service: 'wfs' });
  const only = place.layer;

  async function loadPublishedType({ layer, workspace: of }: LayerCandidate): Promise<PublishedType | undefined> {
    const resource = await findResourceById(catalog, layer.parent ?? '');
    const type = isFeatureType(resource) ? resource : undefined;
    const store = type && (await catalog.get(dataStoreKind, type.parent ?? ''));
    const isServed = layer.enabled && type?.enabled === true && store?.enabled === true;
    if (
      !isServed ||
      (type.serviceConfiguration && visit.serviceNames.some((each) => type.disabledServices.includes(each)))
    ) {
      return undefined;
    }
    return createPublishedType({ layer, type, store, workspace: of });
  }

  async function checkCandidateAccess(candidate: LayerCandidate, wish: AccessMode): Promise<PublishedType | undefined> {
    const { layer, workspace: of } = candidate;
    const found = await loadPublishedType(candidate);
    if (found === undefined || permissions.administers(of.name)) {
      return found;
    }
    const asked = { workspace: of.name, layer: layer.name };
    if (wish === 'description' && permissions.isListed(asked)) {
      return found;
    }
    // Whoever could write without reading would learn from how many features a condition has changed.
    const decisions = [
      permissions.decide(asked, 'read'),
      ...(wish === 'write' ? [permissions.decide(asked, 'write')] : []),
    ];
    if (decisions.includes('hide')) {
      return undefined;
    }
    // A rule that lets everybody write means everybody who is somebody.
    if (decisions.includes('challenge') || (wish === 'write' && isAnonymous(principal))) {
      throw createAccessProblem(principal);
    }
    return found;
  }

  /** Whether they may know that there is such a layer. */
  function canDiscover({ layer, workspace: of }: LayerCandidate): boolean {
    const asked = { workspace: of.name, layer: layer.name };
    return permissions.administers(of.name) || permissions.decide(asked, 'read') !== 'hide';
  }

  async function* each(): AsyncGenerator<PublishedType> {
    const workspaces =
      workspace === undefined
        ? (await catalog.list(workspaceKind, null)).filter(({ isolated }) => !isolated)
        : [workspace];
    for (const of of workspaces) {
      for await (const name of listLayerNames(catalog, of)) {
        if (
          (only !== undefined && only !== name) ||
          !(permissions.administers(of.name) || permissions.isListed({ workspace: of.name, layer: name }))
        ) {
          continue;
        }
        const [found] = await findLayerInWorkspace(catalog, of, name);
        const type = found && (await loadPublishedType(found));
        // Who asks for one layer knows of it.
        if (type !== undefined && (type.isAdvertised || only !== undefined)) {
          yield type;
        }
      }
    }
  }

  async function find(name: string, wish: AccessMode): Promise<PublishedType | undefined> {
    for (const group of await findLayerCandidates(catalog, workspace, name)) {
      const possible = group.filter(({ layer }) => only === undefined || layer.name === only).filter(canDiscover);
      const served = await Promise.all(possible.map(loadPublishedType));
      const [candidate, ...others] = possible.filter((_, index) => served[index] !== undefined);
      if (candidate !== undefined && others.length === 0) {
        return checkCandidateAccess(candidate, wish);
      }
    }
    return undefined;
  }

  async function list(): Promise<readonly PublishedType[]> {
    const types: PublishedType[] = [];
    for await (const type of each()) types.push(type);
    return types;
  }

  return { list, each, find, settings, workspace, layer: only };
}

/** Layers show rasters and maps of other servers as well. */
function isFeatureType(resource: Resource | undefined): resource is FeatureType {
  return resource?.kind === featureTypeKind.kind;
}
