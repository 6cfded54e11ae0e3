/** The context of WMS operations: access to maps, addresses and settings. */
import type { Principal } from '../../../lib/identity/principal.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { MapAccess } from '../../access/map-access.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import type { MapAccessMode } from '../../access/visible-maps.ts';
import type { MapServices } from '../../maps/map-services.ts';
import type { Parameters } from '../../ows/parameters.ts';
import type { PublicationSettings } from '../../ows/service-settings.ts';
import type { WmsSettings } from './settings.ts';

export interface WmsContext {
  readonly services: MapServices;
  readonly principal: Principal;
  readonly mapAccess: MapAccess;
  readonly settings: WmsSettings;
  readonly publication: PublicationSettings;
  /** The address of this service as the client sees it. */
  readonly address: string;
  /** The base address before the workspace, as the client sees it. */
  readonly root: string;
  /** The key-value pairs, from which addresses of other maps are built. */
  readonly parameters: Parameters;
  readonly now: () => Date;
  /** Sends a warning to the client with a successful response; duplicates are dropped. */
  readonly warn: (sentence: string) => void;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Returns a layer or group by name. Hidden ones are reported as unknown. */
export async function getPublishedMap(
  { mapAccess }: Pick<WmsContext, 'mapAccess'>,
  name: string,
  wish: MapAccessMode,
  field = 'layers',
): Promise<PublishedMap> {
  const found = await mapAccess.find(name, wish);
  if (found === undefined) throw problem('wms-layer-unknown', { name, field });
  return found;
}

/** Returns the name for responses: without a prefix in the service of a workspace. */
export function formatMapName({ mapAccess }: Pick<WmsContext, 'mapAccess'>, map: PublishedMap): string {
  return mapAccess.workspace === undefined ? map.qualifiedName : map.name;
}
