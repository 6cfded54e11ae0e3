/** Responds with the list of visible layers or the page of one layer. */

import type { ServiceCall } from '../../http/route-table/service-route.ts';
import { contentSecurityPolicy } from '../../http/serialization/html-page.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { type MapAccess, openMapAccess } from '../access/map-access.ts';
import { formatStyleName, listMapStyles } from '../access/map-styles.ts';
import type { PublishedMap } from '../access/published-map.ts';
import type { MapServices } from '../maps/map-services.ts';
import { readParameters } from '../ows/parameters.ts';
import { writeLayerPage } from './layer-page.ts';
import { writeListPage, writeUnknownPage } from './list-page.ts';

/**
 * Pages run a script of this server, which requests maps and feature information from it; other origins are blocked.
 */
const policy = contentSecurityPolicy
  .replace("style-src '", "style-src 'self' '")
  .replace("img-src 'self'", "img-src 'self' data:")
  .replace("form-action 'none'", "form-action 'self'")
  .concat("; script-src 'self'; connect-src 'self'");

/** The number of maps on a page. */
const PER_PAGE = 24;

export async function answerPreview(
  { services, principal, rawQuery }: ServiceCall<MapServices>,
  root: string,
): Promise<ServiceReply> {
  const parameters = readParameters(rawQuery);
  const visit = { principal, place: {}, service: 'wms', operation: 'GetCapabilities' } as const;
  const mapAccess = await openMapAccess(services, visit);
  const name = parameters.get('layer');
  if (name !== undefined) {
    const map = await mapAccess.find(name, 'read');
    if (map === undefined) return { ...createPageReply(writeUnknownPage(root, name)), status: 404 };
    const styles = map.kind === 'layer' ? (await listMapStyles(services.catalog, map)).map(formatStyleName) : [];
    return createPageReply(writeLayerPage({ root, map, styles }));
  }
  const search = (parameters.get('search') ?? '').trim();
  const number = Math.max(1, Math.min(MAX_PAGE, Math.trunc(Number(parameters.get('page')) || 1)));
  const found = await findPage(mapAccess, search, number);
  return createPageReply(writeListPage({ root, search, number, ...found }));
}

/** Bounds the cost of a request. */
const MAX_PAGE = 10_000;

/** Iterates over preceding pages too, because visibility decides which maps are on a page. */
async function findPage(
  mapAccess: MapAccess,
  search: string,
  number: number,
): Promise<{ readonly maps: readonly PublishedMap[]; readonly hasMore: boolean }> {
  const wanted = search.toLowerCase();
  const maps: PublishedMap[] = [];
  let before = 0;
  for await (const map of mapAccess.each()) {
    const isFound = `${map.qualifiedName} ${map.title}`.toLowerCase().includes(wanted);
    if (!isFound) continue;
    before += 1;
    if (before <= (number - 1) * PER_PAGE) continue;
    if (maps.length === PER_PAGE) return { maps, hasMore: true };
    maps.push(map);
  }
  return { maps, hasMore: false };
}

function createPageReply(body: string): ServiceReply {
  return { contentType: 'text/html; charset=utf-8', headers: { 'content-security-policy': policy }, body };
}
