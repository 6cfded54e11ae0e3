/** The responses of the tile administration API. */
import type { Bounds } from '../../../crs/bounds.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import type { ServiceCall } from '../../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { isAdministrator } from '../../../lib/identity/principal.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { escapeText } from '../../../lib/xml/escape.ts';
import type { TileSeeding } from '../../../tiles/seeding/seeding.ts';
import { findTilesInBounds, type TileMatrixSet, tileMatrixSets } from '../../../tiles/tile-matrix-set.ts';
import { type MapAccess, openMapAccess } from '../../access/map-access.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import { createAccessProblem } from '../../access/service-request.ts';
import { readParameters } from '../../ows/parameters.ts';
import { readParameter } from '../../ows/service-parameters.ts';
import { getMapId, listTileFormats, prepareTile, type TileServices } from '../../tiles/map-tile.ts';
import { selectTileFormat, selectTileStyle } from '../../tiles/select-tile.ts';
import { findTileFormat } from '../../tiles/tile-format.ts';
import { readTileOptions } from '../../tiles/tile-options.ts';
import { tmsParameters } from '../parameters.ts';
import { type Fields, readFields, readSeedRequest, type SeedRequest } from './seed-request.ts';

export interface SeedEnvironment {
  readonly limits: DocumentLimits;
}

export interface SeedServices extends TileServices {
  readonly tileSeeding: TileSeeding;
}

type GwcRestCall = ServiceCall<SeedServices>;

const createJsonReply = (value: unknown): ServiceReply => ({
  contentType: 'application/json',
  body: JSON.stringify(value),
});
const done: ServiceReply = { contentType: 'text/plain;charset=utf-8', body: '' };

/** Administering tiles requires the rights of a server administrator. */
async function openAdminAccess({ services, principal }: GwcRestCall): Promise<MapAccess> {
  if (!isAdministrator(principal)) throw createAccessProblem(principal);
  return openMapAccess(services, { principal, place: {}, service: 'wmts', operation: 'GetCapabilities' });
}

/** Paths may end in a format extension; a layer with exactly that name takes precedence. */
async function getPublishedMap(mapAccess: MapAccess, written: string): Promise<PublishedMap> {
  const found =
    (await mapAccess.find(written, 'read')) ?? (await mapAccess.find(written.replace(/\.(?:json|xml)$/, ''), 'read'));
  if (found === undefined) throw problem('tile-layer-unknown', { name: written });
  return found;
}

export async function listLayers(call: GwcRestCall, isJson: boolean): Promise<ServiceReply> {
  const names: string[] = [];
  for await (const map of (await openAdminAccess(call)).each()) {
    if (listTileFormats(map).length > 0) names.push(map.qualifiedName);
  }
  if (isJson) return createJsonReply(names);
  const items = names.map((name) => `<layer><name>${escapeText(name)}</name></layer>`).join('');
  return { contentType: 'application/xml', body: `<layers>${items}</layers>` };
}

export async function describeLayer(call: GwcRestCall, written: string): Promise<ServiceReply> {
  const map = await getPublishedMap(await openAdminAccess(call), written);
  return createJsonReply({
    GeoServerLayer: {
      id: getMapId(map),
      enabled: true,
      name: map.qualifiedName,
      mimeFormats: listTileFormats(map).map(({ mediaType }) => mediaType),
      gridSubsets: tileMatrixSets.map(({ id, otherNames }) => ({ gridSetName: otherNames[0] ?? id })),
      metaWidthHeight: [4, 4],
    },
  });
}

export async function deleteLayerTiles(call: GwcRestCall, written: string): Promise<ServiceReply> {
  const map = await getPublishedMap(await openAdminAccess(call), written);
  await call.services.tileCache.invalidate({ map: getMapId(map) });
  return done;
}

/** The array format of GeoWebCache: tiles done, tiles in total, seconds left, job id and state. */
export async function listJobs(call: GwcRestCall, written: string): Promise<ServiceReply> {
  const mapAccess = await openAdminAccess(call);
  const map = written === '' ? undefined : await getPublishedMap(mapAccess, written);
  const states = { pending: 0, running: 1 };
  const list = await call.services.tileSeeding.list(map && getMapId(map));
  return createJsonReply({
    'long-array-array': list.map(({ id, done: made, total, secondsLeft, state }) => [
      made,
      total,
      secondsLeft,
      id,
      states[state],
    ]),
  });
}

export async function stopJobs(call: GwcRestCall, written: string): Promise<ServiceReply> {
  // Rights are checked before the body is read.
  const mapAccess = await openAdminAccess(call);
  return stopRequestedJobs(call, mapAccess, written, await call.text());
}

/** Takes the body as text, because it can be read only once. */
async function stopRequestedJobs(
  call: GwcRestCall,
  mapAccess: MapAccess,
  written: string,
  text: string,
): Promise<ServiceReply> {
  const map = written === '' ? undefined : await getPublishedMap(mapAccess, written);
  const wanted = readParameters(`${call.rawQuery}&${text.trim()}`).get('kill_all');
  if (wanted !== 'all' && wanted !== 'running' && wanted !== 'pending') {
    throw problem('ows-parameter-invalid', {
      parameter: 'kill_all',
      value: wanted ?? '',
      expected: 'expected all, running or pending',
      field: 'kill_all',
    });
  }
  const states = wanted === 'all' ? (['running', 'pending'] as const) : ([wanted] as const);
  await call.services.tileSeeding.stop(states, map && getMapId(map));
  return done;
}

export async function seed(call: GwcRestCall, written: string, world: SeedEnvironment): Promise<ServiceReply> {
  const mapAccess = await openAdminAccess(call);
  const map = await getPublishedMap(mapAccess, written);
  const text = await call.text();
  if (/^\s*kill_all=/.test(text)) return stopRequestedJobs(call, mapAccess, written, text);
  const { fields } = await readFields(text, world.limits);
  for (const name of readLayerNames(fields)) await requireSameLayer(mapAccess, map, name);
  const request = readSeedRequest(fields);
  if (request.kind !== 'truncate' && (await call.services.tileCache.getUsage()).maxBytes === 0) {
    throw problem('tiles-not-kept', {});
  }
  const format = request.format === undefined ? undefined : selectTileFormat(map, request.format, 'format');
  const { set, minLevel, maxLevel } = request;
  if (request.kind !== 'seed') {
    await call.services.tileCache.invalidate({
      map: getMapId(map),
      set: set.id,
      levels: { min: minLevel, max: maxLevel },
      ...(format === undefined ? {} : { format: format.name }),
    });
  }
  return request.kind === 'truncate' ? done : startJob(call, map, request, world);
}

/** Returns all layer names in the document; the field may be repeated. */
function readLayerNames(fields: Fields): readonly string[] {
  return [...fields].flatMap(([field, text]) => (/^name(?:\.|$)/.test(field) && text !== '' ? [text] : []));
}

/** Detects a mismatch between the path and the body, which happens when scripts are copied from another layer. */
async function requireSameLayer(mapAccess: MapAccess, map: PublishedMap, name: string): Promise<void> {
  const named = await mapAccess.find(name, 'read');
  if (named === undefined || getMapId(named) !== getMapId(map)) {
    throw problem('tile-layer-mismatched', { inPath: map.qualifiedName, inBody: name, field: 'name' });
  }
}

async function startJob(
  call: GwcRestCall,
  map: PublishedMap,
  request: SeedRequest,
  { limits }: SeedEnvironment,
): Promise<ServiceReply> {
  const { services } = call;
  const { set, minLevel, maxLevel, threads, parameters } = request;
  const format = selectTileFormat(map, request.format ?? 'image/png', 'format');
  const style = await selectTileStyle(services.catalog, map, readParameter(parameters, tmsParameters.styles), 'styles');
  const wishes = await readTileOptions(parameters, limits, format);
  const box = request.bounds ?? (await computeMapBounds(set, map));
  const levels = Array.from({ length: maxLevel - minLevel + 1 }, (_, index) => minLevel + index).flatMap((level) => {
    const tiles = box && findTilesInBounds(set, level, box);
    return tiles === undefined ? [] : [{ level, ...tiles }];
  });
  const [first] = levels;
  const address = { level: minLevel, row: first?.minRow ?? 0, column: first?.minColumn ?? 0 };
  const { keeping } = await prepareTile(services, { map, style, set, address, format, wishes });
  if (keeping === undefined) return { ...done, warnings: [formatNoTilesWarning(map)] };
  const started = await services.tileSeeding.start({
    map: getMapId(map),
    name: map.qualifiedName,
    style,
    set: set.id,
    format: format.name,
    levels,
    parameters: [...parameters],
    threads,
  });
  if (started === undefined) throw problem('work-refused', { retryAfterSeconds: 60 });
  return done;
}

function formatNoTilesWarning({ qualifiedName }: PublishedMap): string {
  const means = 'To cache tiles of data outside this server, set cachingEnabled and cacheAgeMax on the layer';
  return `Tiles of ${qualifiedName} are not seeded because they would not be cached. ${means}. Tiles for the current time are never cached.`;
}

async function computeMapBounds({ crs }: TileMatrixSet, { latLonBounds }: PublishedMap): Promise<Bounds | undefined> {
  if (latLonBounds === null) return undefined;
  const toSet = await createReprojection({ code: 'EPSG:4326' }, crs);
  return toSet === undefined ? latLonBounds : toSet.reprojectBounds(latLonBounds);
}

const truncateOperations = [
  'truncateLayer',
  'truncateExtent',
  'truncateParameters',
  'truncateOrphans',
  'truncateAll',
] as const;

export async function listTruncateOperations(call: GwcRestCall): Promise<ServiceReply> {
  await openAdminAccess(call);
  const items = truncateOperations.map((name) => `<requestType>${name}</requestType>`).join('');
  return { contentType: 'application/xml', body: `<massTruncateRequests>${items}</massTruncateRequests>` };
}

/**
 * Tiles for other parameters or of deleted layers are never served, so truncateParameters deletes all tiles of the
 * layer and truncateOrphans does nothing.
 */
export async function truncate(call: GwcRestCall, limits: DocumentLimits): Promise<ServiceReply> {
  const mapAccess = await openAdminAccess(call);
  const { root, fields } = await readFields(await call.text(), limits);
  const way = truncateOperations.find((each) => each === root);
  if (way === undefined) {
    throw problem('ows-parameter-invalid', {
      parameter: 'request',
      value: root,
      expected: `expected one of ${truncateOperations.join(', ')}`,
      field: 'request',
    });
  }
  const { tileCache } = call.services;
  if (way === 'truncateAll') await tileCache.invalidate({});
  else if (way !== 'truncateOrphans') {
    const map = await getPublishedMap(mapAccess, fields.get('layerName') ?? '');
    const set = fields.get('gridSetId');
    const format = findTileFormat(fields.get('format') ?? '');
    await tileCache.invalidate({
      map: getMapId(map),
      ...(set === undefined
        ? {}
        : { set: tileMatrixSets.find(({ id, otherNames }) => id === set || otherNames.includes(set))?.id ?? set }),
      ...(format === undefined ? {} : { format: format.name }),
    });
  }
  return done;
}

export async function readUsage(call: GwcRestCall): Promise<ServiceReply> {
  await openAdminAccess(call);
  const { tiles, bytes, maxBytes } = await call.services.tileCache.getUsage();
  return createJsonReply({
    gwcQuotaConfiguration: { enabled: true, globalQuota: { bytes: maxBytes }, globalUsage: { bytes, tiles } },
  });
}
