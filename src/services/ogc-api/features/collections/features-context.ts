/** A request to OGC API Features: who asks where, behind the door, and how things are addressed there. */
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

/** Below the context path or a workspace. */
export const FEATURES_PATH = '/ogc/features/v1';

/** The variables of a path, as far as it has them. */
export interface FeaturesPath {
  readonly workspace?: string;
  readonly collection?: string;
  readonly feature?: string;
}

export type FeaturesCall = ServiceCall<FeatureServices, FeaturesPath>;

export interface ExtentTimes {
  /** So long a document waits for what is not known yet; what comes later is there for the next one. */
  readonly patienceMs: number;
  /** So long the data may take to tell it. */
  readonly budgetMs: number;
}

export interface FeaturesContext {
  readonly call: FeaturesCall;
  readonly featureAccess: FeatureAccess;
  readonly parameters: Parameters;
  /** The address of the landing page. */
  readonly root: string;
  now(): Date;
  readonly extentTimes: ExtentTimes;
  /** Where the files of pages are. */
  readonly assets: string;
  /** The name of a collection here. */
  getCollectionId(type: PublishedType): string;
  formatCollectionUrl(type: PublishedType): string;
  /** A Problem for one that is not there, or may not be known. */
  getCollection(id: string, wish: AccessMode): Promise<PublishedType>;
}

/** Layers that have no WFS have no features here either. */
const SERVICE_NAMES = ['Features', 'WFS'];

/** What the service is told of the server it is in. */
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
