/** What the operations of a WMS work with: who asks where, and what the server has. */
import type { Principal } from '../../../lib/identity/principal.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { MapAccess, MapAccessMode } from '../../access/map-access.ts';
import type { PublishedMap } from '../../access/published-map.ts';
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
  /** Where this service is asked, as the client knows it. */
  readonly address: string;
  /** Before the names of workspaces, as the client knows it. */
  readonly root: string;
  /** The pairs that were sent, from which addresses of other maps are made. */
  readonly parameters: Parameters;
  readonly now: () => Date;
  /** Has a sentence told to the client although all goes well, once. */
  readonly warn: (sentence: string) => void;
  /** Given when the client is gone. */
  readonly signal: AbortSignal;
}

/** The layer or group of a name. What is hidden is as unknown as what is not there. */
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

/** What something is called in the answers of this place: without its workspace where that was asked. */
export function formatMapName({ mapAccess }: Pick<WmsContext, 'mapAccess'>, map: PublishedMap): string {
  return mapAccess.workspace === undefined ? map.qualifiedName : map.name;
}
