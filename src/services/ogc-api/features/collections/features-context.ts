/** The context of a request to OGC API Features: access to features and addresses of resources. */
import type { ServiceCall } from '../../../../http/route-table/service-route.ts';
import { problem } from '../../../../lib/problems/problem.ts';
import { formatPrintableName } from '../../../../records/names.ts';
import {
  type AccessMode,
  type FeatureAccess,
  type FeatureServiceRequest,
  type FeatureServices,
  openFeatureAccess,
} from '../../../access/feature-access.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import { encodePathPart } from '../../common/link.ts';
import type { Parameters } from '../../common/parameters.ts';

/** The path below the context path or a workspace. */
export const FEATURES_PATH = '/ogc/features/v1';

/** The path variables; each is present only in paths that contain it. */
export interface FeaturesPath {
  readonly workspace?: string;
  readonly collection?: string;
  readonly feature?: string;
}

export type FeaturesCall = ServiceCall<FeatureServices, FeaturesPath>;

export interface ExtentTimes {
  /** How long a document waits for unknown extents; later results are used by the next document. */
  readonly patienceMs: number;
  /** How long the query for an extent may take. */
  readonly budgetMs: number;
}

export interface FeaturesContext {
  readonly call: FeaturesCall;
  readonly featureAccess: FeatureAccess;
  readonly parameters: Parameters;
  /** The address of the landing page. */
  readonly root: string;
  /** The address of the start page of the server. */
  readonly home: string;
  now(): Date;
  readonly extentTimes: ExtentTimes;
  /** The base address of the assets of pages. */
  readonly assets: string;
  /** Returns the collection id; it depends on the scope of the service. */
  getCollectionId(type: PublishedType): string;
  formatCollectionUrl(type: PublishedType): string;
  /** Throws a Problem for missing and hidden collections. */
  getCollection(id: string, wish: AccessMode): Promise<PublishedType>;
}

/** A layer that disables WFS is not available here either. */
const SERVICE_NAMES = ['Features', 'WFS'];

/** The server configuration that the service needs. */
export interface FeaturesEnvironment {
  readonly contextPath: string;
  readonly clock: () => number;
  readonly extentTimes: ExtentTimes;
}

export async function openFeaturesContext(
  call: FeaturesCall,
  { contextPath, clock, extentTimes }: FeaturesEnvironment,
  operation: FeatureServiceRequest['operation'],
  parameters: Parameters,
): Promise<FeaturesContext> {
  const { workspace } = call.params;
  const place = workspace === undefined ? {} : { workspace };
  const { principal } = call;
  const featureAccess = await openFeatureAccess(call.services, {
    principal,
    place,
    serviceNames: SERVICE_NAMES,
    operation,
  });
  const context = `${call.baseUrl}${contextPath}`;
  const root = `${context}${workspace === undefined ? '' : `/${encodePathPart(workspace)}`}${FEATURES_PATH}`;
  const idOf = (type: PublishedType) => (workspace === undefined ? type.qualifiedName : type.name);
  return {
    call,
    featureAccess,
    parameters,
    root,
    home: `${context}/`,
    now: () => new Date(clock()),
    extentTimes,
    assets: `${context}/ogc/assets`,
    getCollectionId: idOf,
    formatCollectionUrl: (type) => `${root}/collections/${encodePathPart(idOf(type))}`,
    async getCollection(id, wish) {
      const found = await featureAccess.find(id, wish);
      if (found === undefined) {
        throw problem('collection-unknown', { name: formatPrintableName(id) });
      }
      return found;
    },
  };
}
