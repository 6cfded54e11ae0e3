/** A request to OGC API Tiles: who asks where, behind the door, and how things are addressed there. */
import type { ServiceCall } from '../../../http/service-route.ts';
import { problem } from '../../../lib/problem.ts';
import { printableName } from '../../../records/names.ts';
import { type FeatureDoor, type FeatureVisit, openDoor, type Wish } from '../../door/door.ts';
import type { PublishedType } from '../../door/published-type.ts';
import type { TileServices } from '../../tiles/map-tile.ts';
import { pathPart } from '../common/link.ts';
import type { Parameters } from '../common/parameters.ts';

/** Below the context path or a workspace. */
export const TILES_PATH = '/ogc/tiles/v1';

/** The variables of a path, as far as it has them. */
export interface TilesPath {
  readonly workspace?: string;
  readonly collection?: string;
  readonly set?: string;
  readonly level?: string;
  readonly row?: string;
  readonly column?: string;
}

export type TilesCall = ServiceCall<TileServices, TilesPath>;

export interface TilesVisit {
  readonly call: TilesCall;
  readonly door: FeatureDoor;
  readonly parameters: Parameters;
  /** The address of the landing page. */
  readonly root: string;
  /** The name of a collection here. */
  idOf(type: PublishedType): string;
  addressOf(type: PublishedType): string;
  /** The collection of the path; a Problem for one that is not there, may not be known, or has no place on a map. */
  collection(wish: Wish): Promise<PublishedType>;
}

/** Layers that have no WFS have no features here either: a tile is full of them. */
const SERVICE_NAMES = ['Tiles', 'WFS'];

export interface TilesWorld {
  readonly contextPath: string;
}

export async function visitTiles(
  call: TilesCall,
  { contextPath }: TilesWorld,
  operation: FeatureVisit['operation'],
  parameters: Parameters,
): Promise<TilesVisit> {
  const { workspace, collection: id = '' } = call.params;
  const place = workspace === undefined ? {} : { workspace };
  const { principal } = call;
  const door = await openDoor(call.services, { principal, place, serviceNames: SERVICE_NAMES, operation });
  const root = `${call.baseUrl}${contextPath}${workspace === undefined ? '' : `/${pathPart(workspace)}`}${TILES_PATH}`;
  const idOf = (type: PublishedType) => (workspace === undefined ? type.qualifiedName : type.name);
  return {
    call,
    door,
    parameters,
    root,
    idOf,
    addressOf: (type) => `${root}/collections/${pathPart(idOf(type))}`,
    async collection(wish) {
      const found = await door.find(id, wish);
      if (found === undefined || found.geometry === undefined) {
        throw problem('collection-unknown', { name: printableName(id) });
      }
      return found;
    },
  };
}
