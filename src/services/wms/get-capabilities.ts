/** GetCapabilities: what the service offers to whoever asks. */
import type { Bounds } from '../../data/crs/bounds.ts';
import { mergeBounds } from '../../data/vector/geometry-bounds.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import type { PublishedMap } from '../door/published-map.ts';
import { checkUpdateSequence } from '../ows/capabilities-parts.ts';
import { keptCapabilities, type MadeCapabilities } from '../ows/kept-capabilities.ts';
import { type ListedMap, writeCapabilities } from './capabilities.ts';
import type { WmsContext } from './context.ts';
import { infoFormatNames } from './info-formats.ts';
import { legendFormatNames } from './legend-formats.ts';
import { dimensionsTold, noteDimensions } from './list-dimensions.ts';
import { listedMap } from './list-maps.ts';
import { mapFormatNames } from './map-formats.ts';
import type { GetCapabilitiesRequest, WmsVersion } from './request.ts';

/** Everything can be had in every system that is known; a list of them all would fill a book, and nobody could choose. */
const usualCrs = ['EPSG:4326', 'CRS:84', 'EPSG:3857', 'EPSG:900913'];

const everywhere: Bounds = { minX: -180, minY: -90, maxX: 180, maxY: 90 };

const mediaTypes: Readonly<Record<WmsVersion, string>> = {
  '1.1.1': 'application/vnd.ogc.wms_xml',
  '1.3.0': 'text/xml;charset=utf-8',
};

export async function getCapabilities(context: WmsContext, request: GetCapabilitiesRequest): Promise<ServiceReply> {
  const { services, address, door } = context;
  const { version, namespace } = request;
  checkUpdateSequence(request.updateSequence, services.catalog.position());
  return keptCapabilities(context, {
    contentType: mediaTypes[version],
    question: ['WMS', version, address, door.workspace?.name, door.layer, namespace],
    make: () => made(context, request),
    toldOf: (layers) => dimensionsTold(context, layers),
  });
}

async function made(context: WmsContext, { version, namespace }: GetCapabilitiesRequest): Promise<MadeCapabilities> {
  const { services, settings, publication, address, door } = context;
  const crs = settings.crs ?? usualCrs;
  const dimensions = noteDimensions(context);
  // All of them are read before anything is written, since the root tells the box around them; little is kept of each.
  const layers: ListedMap[] = [];
  let geographic: Bounds | undefined;
  for await (const map of door.each()) {
    if (!isWithin(map, namespace)) continue;
    const listed = await listedMap(context, map, { rootCrs: crs, dimensions });
    geographic = mergeBounds(geographic, listed.geographic);
    layers.push(listed);
  }
  const pieces = writeCapabilities(version, {
    address,
    service: settings.facts,
    contact: publication.contact,
    updateSequence: services.catalog.position(),
    mapFormats: mapFormatNames(settings),
    infoFormats: infoFormatNames(settings),
    legendFormats: legendFormatNames,
    takesStyles: settings.takesStyles,
    maxSide: Math.floor(Math.sqrt(settings.maxPixels)),
    root: { title: settings.rootTitle, abstract: settings.rootAbstract, crs, geographic: geographic ?? everywhere },
    layers,
  });
  return { pieces, byData: dimensions.noted() };
}

function isWithin({ workspace }: PublishedMap, namespace: string | undefined): boolean {
  return namespace === undefined || workspace?.name === namespace;
}
