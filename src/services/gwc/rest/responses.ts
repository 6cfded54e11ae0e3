/** The responses of the tile administration API. */
import type { Bounds } from '../../../crs/bounds.ts';
import type { ServiceCall } from '../../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { isAdministrator } from '../../../lib/identity/principal.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import {
  createGlobalChangeProblem,
  createReportProblem,
  findServiceScopeProblem,
} from '../../../security/access-rules/token-scopes.ts';
import type { JobSelection, SeedStatus, TileSeeding } from '../../../tiles/seeding/seeding.ts';
import type { TileMatrixSet } from '../../../tiles/tile-matrix-set.ts';
import { type MapAccess, openMapAccess } from '../../access/map-access.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import { createAccessProblem } from '../../access/service-request.ts';
import { type Parameters, readParameters } from '../../ows/parameters.ts';
import { createParameterProblem, readParameter } from '../../ows/service-parameters.ts';
import { createGridConversion } from '../../tiles/grid-extent.ts';
import { prepareTile, type TileServices } from '../../tiles/map-tile.ts';
import { filterTileParameters } from '../../tiles/parameter-filters.ts';
import { tagRequestedParameters } from '../../tiles/parameter-tags.ts';
import { getMapId } from '../../tiles/possible-formats.ts';
import { selectTileFormat, selectTileStyle } from '../../tiles/select-tile.ts';
import {
  findOfferedSet,
  findOfferedTiles,
  listTileFormats,
  loadTileSettings,
  selectTileMatrixSet,
} from '../../tiles/tile-offer.ts';
import { readTileOptions } from '../../tiles/tile-options.ts';
import { tmsParameters } from '../parameters.ts';
import {
  createJsonReply,
  createListReply,
  createXmlReply,
  done,
  type Extension,
  selectFormat,
  writeElement,
} from './documents.ts';
import { createSeedPage, type SeedPageContext, wantsPage } from './seed-page.ts';
import { type Fields, isForm, readFields, readSeedRequest, type SeedRequest } from './seed-request.ts';
import { listAreas } from './tile-areas.ts';

export interface SeedEnvironment {
  readonly limits: DocumentLimits;
  readonly contextPath: string;
}

export interface SeedServices extends TileServices {
  readonly tileSeeding: TileSeeding;
}

export type GwcRestCall = ServiceCall<SeedServices>;

/**
 * Administering tiles requires the rights of a server administrator. Tokens for some workspaces read only what belongs to
 * no workspace.
 */
export async function openAdminAccess(
  { services, principal, method }: GwcRestCall,
  { isGlobal = false }: { readonly isGlobal?: boolean } = {},
): Promise<MapAccess> {
  const excluded = findServiceScopeProblem(principal, 'wmts', method === 'GET' ? 'GetCapabilities' : 'Transaction');
  if (excluded !== undefined) throw excluded;
  const { token } = principal;
  if (token?.administersWorkspaces && !isGlobal) {
    throw method === 'GET' ? createReportProblem() : createGlobalChangeProblem(token);
  }
  if (!isAdministrator(principal) && !token?.administersWorkspaces) throw createAccessProblem(principal);
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

export async function getPublishedMap(mapAccess: MapAccess, written: string): Promise<PublishedMap> {
  return (await findRequestedMap(mapAccess, written)).map;
}

/** `path` is that of the list, below the base URL of the client. */
export async function listLayers(call: GwcRestCall, path: string, extension: Extension): Promise<ServiceReply> {
  const names: string[] = [];
  for await (const map of (await openAdminAccess(call)).each()) {
    if ((await listTileFormats(call.services.catalog, map)).length > 0) names.push(map.qualifiedName);
  }
  const list = { root: 'layers', item: 'layer', names, path };
  return createListReply(call, selectFormat(call, extension, 'json'), list);
}

/** Lists the jobs of all layers. */
export async function listAllJobs(call: GwcRestCall, extension: Extension): Promise<ServiceReply> {
  await openAdminAccess(call);
  return formatJobs(await call.services.tileSeeding.list(), extension);
}

export async function listLayerJobs(call: GwcRestCall, written: string, contextPath: string): Promise<ServiceReply> {
  const { map, extension } = await findRequestedMap(await openAdminAccess(call), written);
  if (wantsPage(call, extension)) return createSeedPage(createPageContext(call, contextPath), map);
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
  const sent = readParameters(`${call.rawQuery}&${text.trim()}`);
  const selection = sent.has('kill_thread') ? readThread(sent) : readStates(sent);
  await call.services.tileSeeding.stop({ ...selection, ...(map === undefined ? {} : { map: getMapId(map) }) });
  return done;
}

function readStates(sent: Parameters): JobSelection {
  const wanted = sent.get('kill_all');
  if (wanted !== 'all' && wanted !== 'running' && wanted !== 'pending') {
    throw createParameterProblem('kill_all', wanted ?? '', 'all, running or pending');
  }
  return wanted === 'all' ? {} : { states: [wanted] };
}

/** A thread of GeoWebCache is a job of this server. */
function readThread(sent: Parameters): JobSelection {
  const id = sent.get('thread_id') ?? '';
  if (!/^\d{1,15}$/.test(id)) throw createParameterProblem('thread_id', id, 'the number of a job');
  return { id: Number(id) };
}

/** Browsers that send the form receive the page again. */
export async function seed(call: GwcRestCall, written: string, world: SeedEnvironment): Promise<ServiceReply> {
  const mapAccess = await openAdminAccess(call);
  const { map, extension } = await findRequestedMap(mapAccess, written);
  const reply = await executeSeedRequest(call, { mapAccess, map }, written, world);
  return wantsPage(call, extension) ? createSeedPage(createPageContext(call, world.contextPath), map, reply) : reply;
}

function createPageContext({ services, baseUrl }: GwcRestCall, contextPath: string): SeedPageContext {
  const { catalog, tileSeeding } = services;
  return { catalog, tileSeeding, home: `${baseUrl}${contextPath}/` };
}

async function executeSeedRequest(
  call: GwcRestCall,
  { mapAccess, map }: { readonly mapAccess: MapAccess; readonly map: PublishedMap },
  written: string,
  world: SeedEnvironment,
): Promise<ServiceReply> {
  const text = await call.text();
  const form = new URLSearchParams(isForm(text) ? text.trim() : '');
  if (form.has('kill_all') || form.has('kill_thread')) return stopRequestedJobs(call, mapAccess, written, text);
  if (form.has('list'))
    return form.get('list') === 'all'
      ? listAllJobs(call, 'json')
      : formatJobs(await call.services.tileSeeding.list(getMapId(map)), 'json');
  const { fields } = await readFields(text, world.limits);
  for (const name of readLayerNames(fields)) await requireSameLayer(mapAccess, map, name);
  const request = await readSeedRequest(
    fields,
    async (name, field) => (await selectTileMatrixSet(call.services.catalog, map, name, field)).set,
  );
  if (request.kind !== 'truncate' && call.services.tileCache.getLimits().maxBytes === 0) {
    throw problem('tiles-not-kept', {});
  }
  const format =
    request.format === undefined
      ? undefined
      : await selectTileFormat(call.services.catalog, map, request.format, 'format');
  const { set, minLevel, maxLevel } = request;
  if (request.kind !== 'seed') {
    const { catalog, tileCache } = call.services;
    const settings = await loadTileSettings(catalog, getMapId(map));
    const { parameters } = request;
    await tileCache.invalidate({
      map: getMapId(map),
      set: set.key,
      ...(parameters.size === 0
        ? {}
        : { parameters: await tagRequestedParameters(catalog, map, parameters, world.limits) }),
      ...(request.bounds === undefined
        ? { levels: { min: minLevel, max: maxLevel } }
        : { areas: listAreas(set, request.bounds, settings, request) }),
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
  { limits }: Pick<SeedEnvironment, 'limits'>,
): Promise<ServiceReply> {
  const { services } = call;
  const { set, minLevel, maxLevel, threads } = request;
  const format = await selectTileFormat(services.catalog, map, request.format ?? 'image/png', 'format');
  const offered = await findOfferedSet(services.catalog, map, set);
  const parameters = await filterTileParameters(services.catalog, map, request.parameters);
  const style = await selectTileStyle(services.catalog, map, readParameter(parameters, tmsParameters.styles), 'styles');
  const wishes = await readTileOptions(parameters, limits, format);
  const box = request.bounds ?? (await computeMapBounds(set, map));
  const levels = Array.from({ length: maxLevel - minLevel + 1 }, (_, index) => minLevel + index).flatMap((level) => {
    const tiles = box && offered && findOfferedTiles(offered, level, box);
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
    setKey: set.key,
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

export async function computeMapBounds(
  set: TileMatrixSet,
  { latLonBounds }: PublishedMap,
): Promise<Bounds | undefined> {
  if (latLonBounds === null) return undefined;
  const convertToGrid = await createGridConversion(set);
  return convertToGrid(latLonBounds);
}
