/** The responses of the tile administration API. */
import type { Bounds } from '../../../crs/bounds.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import type { ServiceCall } from '../../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { isAdministrator } from '../../../lib/identity/principal.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { escapeText } from '../../../lib/xml/escape.ts';
import { findServiceScopeProblem } from '../../../security/access-rules/token-scopes.ts';
import type { SeedStatus, TileSeeding } from '../../../tiles/seeding/seeding.ts';
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
import { type Fields, isForm, readFields, readSeedRequest, type SeedRequest } from './seed-request.ts';

export interface SeedEnvironment {
  readonly limits: DocumentLimits;
}

export interface SeedServices extends TileServices {
  readonly tileSeeding: TileSeeding;
}

type GwcRestCall = ServiceCall<SeedServices>;

/** The formats of responses, by the extension of the path. */
export type Extension = 'json' | 'xml' | undefined;

const createJsonReply = (value: unknown): ServiceReply => ({
  contentType: 'application/json',
  body: JSON.stringify(value),
});
const createXmlReply = (body: string): ServiceReply => ({ contentType: 'application/xml', body });
const writeElement = (name: string, value: string | number | boolean): string =>
  `<${name}>${escapeText(`${value}`)}</${name}>`;
const done: ServiceReply = { contentType: 'text/plain;charset=utf-8', body: '' };

/** Administering tiles requires the rights of a server administrator. */
async function openAdminAccess({ services, principal, method }: GwcRestCall): Promise<MapAccess> {
  const excluded = findServiceScopeProblem(principal, 'wmts', method === 'GET' ? 'GetCapabilities' : 'Transaction');
  if (excluded !== undefined) throw excluded;
  if (!isAdministrator(principal)) throw createAccessProblem(principal);
  return openMapAccess(services, { principal, place: {}, service: 'wmts', operation: 'GetCapabilities' });
}

interface RequestedMap {
  readonly map: PublishedMap;
  readonly extension: Extension;
}

/** Paths may end in a format extension; a layer with exactly that name takes precedence. */
async function findRequestedMap(mapAccess: MapAccess, written: string): Promise<RequestedMap> {
  const exact = await mapAccess.find(written, 'read');
  if (exact !== undefined) return { map: exact, extension: undefined };
  const [, name = written, extension] = /^(.+)\.(json|xml)$/.exec(written) ?? [];
  const map = extension === undefined ? undefined : await mapAccess.find(name, 'read');
  if (map === undefined) throw problem('tile-layer-unknown', { name });
  return { map, extension: extension === 'xml' ? 'xml' : 'json' };
}

async function getPublishedMap(mapAccess: MapAccess, written: string): Promise<PublishedMap> {
  return (await findRequestedMap(mapAccess, written)).map;
}

export async function listLayers(call: GwcRestCall, isJson: boolean): Promise<ServiceReply> {
  const names: string[] = [];
  for await (const map of (await openAdminAccess(call)).each()) {
    if (listTileFormats(map).length > 0) names.push(map.qualifiedName);
  }
  if (isJson) return createJsonReply(names);
  const items = names.map((name) => `<layer>${writeElement('name', name)}</layer>`).join('');
  return createXmlReply(`<layers>${items}</layers>`);
}

export async function describeLayer(call: GwcRestCall, written: string): Promise<ServiceReply> {
  const { map, extension } = await findRequestedMap(await openAdminAccess(call), written);
  const [id, name] = [getMapId(map), map.qualifiedName];
  const mimeFormats = listTileFormats(map).map(({ mediaType }) => mediaType);
  const gridSets = tileMatrixSets.map(({ id: own, otherNames }) => otherNames[0] ?? own);
  if (extension === 'xml') {
    const formats = mimeFormats.map((each) => writeElement('string', each)).join('');
    const subsets = gridSets.map((each) => `<gridSubset>${writeElement('gridSetName', each)}</gridSubset>`).join('');
    const sizes = META_TILE.map((each) => writeElement('int', each)).join('');
    return createXmlReply(
      `<GeoServerLayer>${writeElement('id', id)}<enabled>true</enabled>${writeElement('name', name)}<mimeFormats>${formats}</mimeFormats><gridSubsets>${subsets}</gridSubsets><metaWidthHeight>${sizes}</metaWidthHeight></GeoServerLayer>`,
    );
  }
  const gridSubsets = gridSets.map((gridSetName) => ({ gridSetName }));
  return createJsonReply({
    GeoServerLayer: { id, enabled: true, name, mimeFormats, gridSubsets, metaWidthHeight: META_TILE },
  });
}

/** Columns and rows of tiles that are drawn together, as clients expect them. */
const META_TILE = [4, 4] as const;

export async function deleteLayerTiles(call: GwcRestCall, written: string): Promise<ServiceReply> {
  const map = await getPublishedMap(await openAdminAccess(call), written);
  await call.services.tileCache.invalidate({ map: getMapId(map) });
  return done;
}

/** Lists the jobs of all layers. */
export async function listAllJobs(call: GwcRestCall, extension: Extension): Promise<ServiceReply> {
  await openAdminAccess(call);
  return formatJobs(await call.services.tileSeeding.list(), extension);
}

export async function listLayerJobs(call: GwcRestCall, written: string): Promise<ServiceReply> {
  const { map, extension } = await findRequestedMap(await openAdminAccess(call), written);
  return formatJobs(await call.services.tileSeeding.list(getMapId(map)), extension);
}

/** The array format of GeoWebCache: tiles done, tiles in total, seconds left, job id and state. */
function formatJobs(jobs: readonly SeedStatus[], extension: Extension): ServiceReply {
  const states = { pending: 0, running: 1 };
  const rows = jobs.map((job) => [job.done, job.total, job.secondsLeft, job.id, states[job.state]]);
  if (extension !== 'xml') return createJsonReply({ 'long-array-array': rows });
  const arrays = rows.map(
    (row) => `<long-array>${row.map((each) => writeElement('long', each)).join('')}</long-array>`,
  );
  return createXmlReply(`<long-array-array>${arrays.join('')}</long-array-array>`);
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
  if (isForm(text) && new URLSearchParams(text.trim()).has('kill_all'))
    return stopRequestedJobs(call, mapAccess, written, text);
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
  const items = truncateOperations.map((name) => writeElement('requestType', name)).join('');
  return createXmlReply(`<massTruncateRequests>${items}</massTruncateRequests>`);
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

export async function readUsage(call: GwcRestCall, extension: Extension): Promise<ServiceReply> {
  await openAdminAccess(call);
  const { tiles, bytes, maxBytes } = await call.services.tileCache.getUsage();
  if (extension === 'xml') {
    const quota = `<globalQuota>${writeElement('bytes', maxBytes)}</globalQuota>`;
    const usage = `<globalUsage>${writeElement('bytes', bytes)}${writeElement('tiles', tiles)}</globalUsage>`;
    return createXmlReply(`<gwcQuotaConfiguration><enabled>true</enabled>${quota}${usage}</gwcQuotaConfiguration>`);
  }
  return createJsonReply({
    gwcQuotaConfiguration: { enabled: true, globalQuota: { bytes: maxBytes }, globalUsage: { bytes, tiles } },
  });
}
