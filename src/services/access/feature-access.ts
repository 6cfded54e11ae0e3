/**
 * Access to features: the types that a principal can discover, read and change, for all services. Hidden types are
 * absent from the results, so that no service can disclose them.
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
import type { FeatureLocks } from '../../lib/locks/feature-locks.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { Access } from '../../security/access-rules/access.ts';
import type { JoinServices } from '../../vector/join/join-size.ts';
import { completeOrKeep, completePublishedType } from './complete-unverified.ts';
import { findLayerCandidates, findLayerInWorkspace, type LayerCandidate, listLayerNames } from './layer-candidates.ts';
import { createOtherLayers, createPublishedType, type PublishedType } from './published-type.ts';
import { authorizeRequest, createAccessProblem, type ServiceRequest } from './service-request.ts';

/** The dependencies of feature access. `uploads` and `featureLocks` are needed for changes only. */
export interface FeatureServices {
  readonly catalog: Catalog;
  readonly access: Access;
  readonly vectorData: VectorData;
  readonly uploads: Pick<UploadServices, 'files' | 'dataDir'>;
  readonly featureLocks: FeatureLocks;
  readonly encoding: EncodingEnvironment;
  readonly joins: JoinServices;
}

/** A request for features. The operation is the equivalent WFS operation, which service rules refer to. */
export interface FeatureServiceRequest extends Omit<ServiceRequest, 'service'> {
  /** The names under which a layer can disable this service. */
  readonly serviceNames: readonly string[];
  readonly operation: 'GetCapabilities' | 'DescribeFeatureType' | 'GetFeature' | 'Transaction' | (string & {});
}

/** The intended use of a type: read its description, read its features, or change them. */
export type AccessMode = 'description' | 'read' | 'write';

export interface FeatureAccess {
  /** Lists the advertised types, ordered by workspace and name. */
  list(): Promise<readonly PublishedType[]>;
  /** Iterates over the same types without loading all of them; there may be very many. */
  each(): AsyncIterable<PublishedType>;
  /**
   * Finds a type by `workspace:name`, or by name if that is unambiguous. Returns undefined for missing and hidden
   * types. Throws a Problem (401 or 403) if the principal can discover the type but not use it.
   */
  find(name: string, wish: AccessMode): Promise<PublishedType | undefined>;
  /** The WFS settings of the workspace, or else of the server, with defaults applied. */
  readonly settings: SettingValues;
  /** The requested workspace; undefined for the global service. */
  readonly workspace: Workspace | undefined;
  /** The requested layer name; undefined if the request is not limited to one layer. */
  readonly layer: string | undefined;
}

/** Throws a Problem if the workspace does not exist, the service is disabled or access is denied. */
export async function openFeatureAccess(
  services: Pick<FeatureServices, 'catalog' | 'access' | 'vectorData'>,
  visit: FeatureServiceRequest,
): Promise<FeatureAccess> {
  const { principal, place } = visit;
  const { catalog } = services;
  const { permissions, workspace, settings } = await authorizeRequest(services, { ...visit, service: 'wfs' });
  const only = place.layer;
  // Functions can read layers of other workspaces by their full names, and also in the service of one layer.
  const others = createOtherLayers(async (name) => {
    for (const home of new Set([workspace, name.includes(':') ? undefined : workspace])) {
      const found = await findCandidate(await findLayerCandidates(catalog, home, name));
      if (found !== undefined) return checkCandidateAccess(found, 'read');
    }
    return undefined;
  });

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
    const restriction = permissions.findRestriction(of.name, layer.name);
    return createPublishedType({ layer, type, store, workspace: of, restriction, others });
  }

  async function checkCandidateAccess(candidate: LayerCandidate, wish: AccessMode): Promise<PublishedType | undefined> {
    const { layer, workspace: of } = candidate;
    const found = await loadPublishedType(candidate);
    if (found === undefined || permissions.administers(of.name)) {
      return found;
    }
    const target = { workspace: of.name, layer: layer.name };
    if (wish === 'description' && permissions.isListed(target)) {
      return found;
    }
    // Writing requires reading: otherwise the number of changed features would disclose hidden values.
    const decisions = [
      permissions.decide(target, 'read'),
      ...(wish === 'write' ? [permissions.decide(target, 'write')] : []),
    ];
    if (decisions.includes('hide')) {
      return undefined;
    }
    // A rule that permits everyone to write still requires authentication.
    if (decisions.includes('challenge') || (wish === 'write' && isAnonymous(principal))) {
      throw createAccessProblem(principal);
    }
    if (wish === 'write' && found.records.restriction?.rules.length === 0) {
      throw problem('data-rule-violated', { reason: 'no rule of the layer applies to the user' });
    }
    return found;
  }

  /** Returns whether the principal can discover the layer. */
  function canDiscover({ layer, workspace: of }: LayerCandidate): boolean {
    const target = { workspace: of.name, layer: layer.name };
    return permissions.administers(of.name) || permissions.decide(target, 'read') !== 'hide';
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
        // A request for one layer lists it even if it is not advertised.
        if (type !== undefined && (type.isAdvertised || only !== undefined)) {
          yield type;
        }
      }
    }
  }

  async function find(name: string, wish: AccessMode): Promise<PublishedType | undefined> {
    const groups = await findLayerCandidates(catalog, workspace, name);
    const candidate = await findCandidate(
      groups.map((group) => group.filter(({ layer }) => only === undefined || layer.name === only)),
    );
    const found = candidate && (await checkCandidateAccess(candidate, wish));
    return found && completeOrKeep(found, wish, () => completePublishedType(services, found));
  }

  async function findCandidate(groups: readonly (readonly LayerCandidate[])[]): Promise<LayerCandidate | undefined> {
    for (const group of groups) {
      const possible = group.filter(canDiscover);
      const served = await Promise.all(possible.map(loadPublishedType));
      const [candidate, ...more] = possible.filter((_, index) => served[index] !== undefined);
      if (candidate !== undefined && more.length === 0) return candidate;
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

/** Layers can also be based on coverages and cascaded layers. */
function isFeatureType(resource: Resource | undefined): resource is FeatureType {
  return resource?.kind === featureTypeKind.kind;
}
