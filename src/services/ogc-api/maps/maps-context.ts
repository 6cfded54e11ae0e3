/** The context of a request to OGC API Maps or Styles: access to maps and addresses of resources. */
import type { ServiceCall } from '../../../http/route-table/service-route.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { formatPrintableName } from '../../../records/names.ts';
import { type MapAccess, openMapAccess } from '../../access/map-access.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import type { MapAccessMode } from '../../access/visible-maps.ts';
import type { MapServices } from '../../maps/map-services.ts';
import { isDrawn } from '../../tiles/possible-formats.ts';
import { encodePathPart } from '../common/link.ts';
import type { Parameters } from '../common/parameters.ts';

/** The path variables; each is present only in paths that contain it. */
export interface MapsPath {
  readonly workspace?: string;
  readonly collection?: string;
  readonly style?: string;
}

export type MapsCall = ServiceCall<MapServices, MapsPath>;

export interface MapsContext {
  readonly call: MapsCall;
  readonly parameters: Parameters;
  /** The address of the landing page. */
  readonly root: string;
  readonly mapAccess: MapAccess;
  getCollectionId(map: PublishedMap): string;
  formatCollectionUrl(map: PublishedMap): string;
  /** Returns the collection of the path; throws a Problem for missing, hidden and unmappable collections. */
  getCollection(wish: MapAccessMode): Promise<PublishedMap>;
}

export interface MapsEnvironment {
  readonly contextPath: string;
  /** The path of the API below the context path or a workspace. */
  readonly apiPath: string;
  readonly now: () => Date;
}

export async function openMapsContext(
  call: MapsCall,
  { contextPath, apiPath }: MapsEnvironment,
  operation: 'GetCapabilities' | 'GetMap',
  parameters: Parameters,
): Promise<MapsContext> {
  const { services, principal, params } = call;
  const { workspace, collection: id = '' } = params;
  const place = workspace === undefined ? {} : { workspace };
  const mapAccess = await openMapAccess(services, { principal, place, service: 'wms', operation });
  const root = `${call.baseUrl}${contextPath}${workspace === undefined ? '' : `/${encodePathPart(workspace)}`}${apiPath}`;
  const idOf = ({ name, qualifiedName }: PublishedMap) => (workspace === undefined ? qualifiedName : name);
  return {
    call,
    parameters,
    root,
    mapAccess,
    getCollectionId: idOf,
    formatCollectionUrl: (map) => `${root}/collections/${encodePathPart(idOf(map))}`,
    async getCollection(wish) {
      const found = await mapAccess.find(id, wish);
      if (found === undefined || !isDrawn(found))
        throw problem('collection-unknown', { name: formatPrintableName(id) });
      return found;
    },
  };
}
