/** A request to OGC API Features: who asks where, behind the door, and how things are addressed there. */
import type { ServiceCall } from '../../../http/service-route.ts';
import { problem } from '../../../lib/problem.ts';
import { formatPrintableName } from '../../../records/names.ts';
import { type DoorServices, type FeatureDoor, type FeatureVisit, openDoor, type Wish } from '../../door/door.ts';
import type { PublishedType } from '../../door/published-type.ts';
import { pathPart } from '../common/link.ts';
import type { Parameters } from '../common/parameters.ts';

/** Below the context path or a workspace. */
export const FEATURES_PATH = '/ogc/features/v1';

/** The variables of a path, as far as it has them. */
export interface FeaturesPath {
  readonly workspace?: string;
  readonly collection?: string;
  readonly feature?: string;
}

export type FeaturesCall = ServiceCall<DoorServices, FeaturesPath>;

export interface ExtentTimes {
  /** So long a document waits for what is not known yet; what comes later is there for the next one. */
  readonly patienceMs: number;
  /** So long the data may take to tell it. */
  readonly budgetMs: number;
}

export interface FeaturesVisit {
  readonly call: FeaturesCall;
  readonly door: FeatureDoor;
  readonly parameters: Parameters;
  /** The address of the landing page. */
  readonly root: string;
  now(): Date;
  readonly extentTimes: ExtentTimes;
  /** Where the files of pages are. */
  readonly assets: string;
  /** The name of a collection here. */
  idOf(type: PublishedType): string;
  addressOf(type: PublishedType): string;
  /** A Problem for one that is not there, or may not be known. */
  collection(id: string, wish: Wish): Promise<PublishedType>;
}

/** Layers that have no WFS have no features here either. */
const SERVICE_NAMES = ['Features', 'WFS'];

/** What the service is told of the server it is in. */
export interface FeaturesWorld {
  readonly contextPath: string;
  readonly clock: () => number;
  readonly extentTimes: ExtentTimes;
}

export async function visitFeatures(
  call: FeaturesCall,
  { contextPath, clock, extentTimes }: FeaturesWorld,
  operation: FeatureVisit['operation'],
  parameters: Parameters,
): Promise<FeaturesVisit> {
  const { workspace } = call.params;
  const place = workspace === undefined ? {} : { workspace };
  const { principal } = call;
  const door = await openDoor(call.services, { principal, place, serviceNames: SERVICE_NAMES, operation });
  const context = `${call.baseUrl}${contextPath}`;
  const root = `${context}${workspace === undefined ? '' : `/${pathPart(workspace)}`}${FEATURES_PATH}`;
  const idOf = (type: PublishedType) => (workspace === undefined ? type.qualifiedName : type.name);
  return {
    call,
    door,
    parameters,
    root,
    now: () => new Date(clock()),
    extentTimes,
    assets: `${context}/ogc/assets`,
    idOf,
    addressOf: (type) => `${root}/collections/${pathPart(idOf(type))}`,
    async collection(id, wish) {
      const found = await door.find(id, wish);
      if (found === undefined) {
        throw problem('collection-unknown', { name: formatPrintableName(id) });
      }
      return found;
    },
  };
}
