/** The context of a request to OGC API Tiles: access to collections and addresses of resources. */

import type { Attribution } from '../../../catalog/kinds/layer-metadata.ts';
import type { Bounds } from '../../../crs/bounds.ts';
import type { ServiceCall } from '../../../http/route-table/service-route.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { formatPrintableName } from '../../../records/names.ts';
import { type TileFormat, vectorFormat } from '../../../tiles/tile-format.ts';
import { type FeatureAccess, type FeatureServiceRequest, openFeatureAccess } from '../../access/feature-access.ts';
import { type MapAccess, openMapAccess } from '../../access/map-access.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import type { PublishedType } from '../../access/published-type.ts';
import type { TileServices } from '../../tiles/map-tile.ts';
import { listTileFormats, loadTileSettings, offersFormat } from '../../tiles/tile-offer.ts';
import { encodePathPart } from '../common/link.ts';
import type { Parameters } from '../common/parameters.ts';

/** The path below the context path or a workspace. */
export const TILES_PATH = '/ogc/tiles/v1';

/** The path variables; each is present only in paths that contain it. */
export interface TilesPath {
  readonly workspace?: string;
  readonly collection?: string;
  readonly set?: string;
  readonly level?: string;
  readonly row?: string;
  readonly column?: string;
  readonly style?: string;
}

export type TilesCall = ServiceCall<TileServices, TilesPath>;

/** A collection with vector tiles, map tiles or both. */
export interface TiledCollection {
  /** The collection id; it depends on the scope of the service. */
  readonly id: string;
  readonly title: string;
  readonly abstract: string;
  readonly latLonBounds: Bounds | null;
  readonly attribution: Attribution | undefined;
  readonly type: PublishedType | undefined;
  readonly map: PublishedMap | undefined;
  /** The formats of map tiles. */
  readonly pictures: readonly TileFormat[];
}

export interface TilesContext {
  readonly call: TilesCall;
  readonly parameters: Parameters;
  /** The address of the landing page. */
  readonly root: string;
  /** The name of the requested workspace; undefined for the global service. */
  readonly workspace: string | undefined;
  list(): Promise<readonly TiledCollection[]>;
  formatCollectionUrl(collection: Pick<TiledCollection, 'id'>): string;
  /** Returns the collection of the path; throws a Problem for missing, hidden and unmappable collections. */
  collection(wish: 'description' | 'read'): Promise<TiledCollection>;
}

/** A layer that disables WFS has no vector tiles either, because they contain its features. */
const SERVICE_NAMES = ['Tiles', 'WFS'];

export interface TilesEnvironment {
  readonly contextPath: string;
  readonly now: () => Date;
}

/** The environment of one request. */
export interface TilesRequestEnvironment extends TilesEnvironment {
  /** The cache key of the request. */
  readonly question: string | undefined;
}

/** Access to features or to maps is sufficient; each adds its collections. */
export async function openTilesContext(
  call: TilesCall,
  { contextPath }: TilesEnvironment,
  operation: FeatureServiceRequest['operation'],
  parameters: Parameters,
): Promise<TilesContext> {
  const { services, principal, params } = call;
  const { workspace, collection: id = '' } = params;
  const place = workspace === undefined ? {} : { workspace };
  const opened = await Promise.allSettled([
    openFeatureAccess(services, { principal, place, serviceNames: SERVICE_NAMES, operation, tokenScope: 'wmts' }),
    openMapAccess(services, {
      principal,
      place,
      service: 'wmts',
      operation: mapOperations.get(operation) ?? 'GetTile',
    }),
  ]);
  const [features, maps] = [opened[0], opened[1]].map((each) =>
    each.status === 'fulfilled' ? each.value : undefined,
  ) as [FeatureAccess | undefined, MapAccess | undefined];
  if (opened[0].status === 'rejected' && maps === undefined) throw opened[0].reason;
  const root = `${call.baseUrl}${contextPath}${workspace === undefined ? '' : `/${encodePathPart(workspace)}`}${TILES_PATH}`;
  const toCollectionId = ({ qualifiedName, name }: { readonly qualifiedName: string; readonly name: string }) =>
    workspace === undefined ? qualifiedName : name;
  const offersVectorTiles = async ({ records }: PublishedType) =>
    offersFormat(await loadTileSettings(services.catalog, records.layer.id), vectorFormat);
  const createTiledCollection = async (
    type: PublishedType | undefined,
    map: PublishedMap | undefined,
  ): Promise<TiledCollection | undefined> => {
    const hasShapes = type?.geometry !== undefined || type?.hasHiddenGeometry;
    const shown = type !== undefined && hasShapes && (await offersVectorTiles(type)) ? type : undefined;
    const formats = map === undefined ? [] : await listTileFormats(services.catalog, map);
    const pictures = formats.filter(({ isVector }) => !isVector);
    const drawn = pictures.length > 0 ? map : undefined;
    const either = shown ?? drawn;
    if (either === undefined) return undefined;
    const { title, abstract, latLonBounds } = either;
    return {
      id: toCollectionId(either),
      title,
      abstract,
      latLonBounds,
      attribution: map?.attribution ?? type?.records.layer.attribution,
      type: shown,
      map: drawn,
      pictures,
    };
  };
  return {
    call,
    parameters,
    root,
    workspace: features?.workspace?.name ?? maps?.workspace?.name,
    formatCollectionUrl: (collection) => `${root}/collections/${encodePathPart(collection.id)}`,
    async list() {
      const found = new Map<string, { type?: PublishedType; map?: PublishedMap }>();
      for await (const type of features?.each() ?? []) found.set(toCollectionId(type), { type });
      for await (const map of maps?.each() ?? [])
        found.set(toCollectionId(map), { ...found.get(toCollectionId(map)), map });
      const collections: TiledCollection[] = [];
      for (const { type, map } of found.values()) {
        const collection = await createTiledCollection(type, map);
        if (collection !== undefined) collections.push(collection);
      }
      return collections.sort((one, other) => (one.id < other.id ? -1 : 1));
    },
    async collection(wish) {
      const found = await createTiledCollection(await features?.find(id, wish), await maps?.find(id, wish));
      if (found === undefined) throw problem('collection-unknown', { name: formatPrintableName(id) });
      return found;
    },
  };
}

/** The WMTS operations that service rules refer to, by response function. */
const mapOperations: ReadonlyMap<string, string> = new Map([
  ['GetCapabilities', 'GetCapabilities'],
  ['DescribeFeatureType', 'GetCapabilities'],
]);
