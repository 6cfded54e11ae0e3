/** GetCapabilities: describes the service and the layers visible to the principal. */
import type { Bounds } from '../../../crs/bounds.ts';
import { mergeBounds } from '../../../geometry/geometry-bounds.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import { type CapabilitiesDocument, createCapabilitiesReply } from '../../ows/capabilities-cache.ts';
import { checkUpdateSequence } from '../../ows/capabilities-parts.ts';
import { formatMapName, type WmsContext } from '../context/context.ts';
import { listInfoFormatNames } from '../context/info-formats.ts';
import { legendFormatNames } from '../context/legend-formats.ts';
import { listMapFormatNames } from '../context/map-formats.ts';
import type { TileSetWriter } from '../context/tile-integration.ts';
import type { GetCapabilitiesRequest, WmsVersion } from '../request/request.ts';
import { type ListedMap, writeCapabilities } from './capabilities.ts';
import { computeDimensionFingerprint, createDimensionRecorder } from './list-dimensions.ts';
import { createListedMap } from './list-maps.ts';

/** Every known CRS is supported, but a list of all would be too long for documents and for users. */
const defaultCrsCodes = ['EPSG:4326', 'CRS:84', 'EPSG:3857', 'EPSG:900913'];

const worldBounds: Bounds = { minX: -180, minY: -90, maxX: 180, maxY: 90 };

const mediaTypes: Readonly<Record<WmsVersion, string>> = {
  '1.1.1': 'application/vnd.ogc.wms_xml',
  '1.3.0': 'text/xml;charset=utf-8',
};

export async function getCapabilities(
  context: WmsContext,
  request: GetCapabilitiesRequest,
  tileSets?: TileSetWriter,
): Promise<ServiceReply> {
  const { services, address, mapAccess } = context;
  const { version, namespace } = request;
  checkUpdateSequence(request.updateSequence, services.catalog.position());
  return createCapabilitiesReply(context, {
    contentType: mediaTypes[version],
    question: ['WMS', version, address, mapAccess.workspace?.name, mapAccess.layer, namespace, tileSets !== undefined],
    make: () => buildCapabilities(context, request, version === '1.1.1' ? tileSets : undefined),
    computeFingerprint: (layers) => computeDimensionFingerprint(context, layers),
  });
}

async function buildCapabilities(
  context: WmsContext,
  { version, namespace }: GetCapabilitiesRequest,
  tileSets: TileSetWriter | undefined,
): Promise<CapabilitiesDocument> {
  const { services, settings, publication, address, mapAccess } = context;
  const crs = settings.crs ?? defaultCrsCodes;
  const dimensions = createDimensionRecorder(context);
  // All layers are read before writing, because the root contains their common extent; only the listed properties are
  // kept.
  const layers: ListedMap[] = [];
  const sets: string[] = [];
  let geographic: Bounds | undefined;
  for await (const map of mapAccess.each()) {
    if (!isWithin(map, namespace)) continue;
    const listed = await createListedMap(context, map, { rootCrs: crs, dimensions });
    geographic = mergeBounds(geographic, listed.geographic);
    layers.push(listed);
    if (tileSets !== undefined) sets.push(await tileSets.write(map, (each) => formatMapName(context, each)));
  }
  const pieces = writeCapabilities(version, {
    address,
    service: settings.facts,
    contact: publication.contact,
    updateSequence: services.catalog.position(),
    mapFormats: listMapFormatNames(settings),
    infoFormats: listInfoFormatNames(settings),
    legendFormats: legendFormatNames,
    takesStyles: settings.takesStyles,
    maxSide: Math.floor(Math.sqrt(settings.maxPixels)),
    root: { title: settings.rootTitle, abstract: settings.rootAbstract, crs, geographic: geographic ?? worldBounds },
    layers,
    tileSets: tileSets && { declarations: tileSets.declarations, elements: sets },
  });
  return { pieces, byData: dimensions.getFingerprint() };
}

function isWithin({ workspace }: PublishedMap, namespace: string | undefined): boolean {
  return namespace === undefined || workspace?.name === namespace;
}
