/** Builds the response of a tile for all services. */
import { createHash } from 'node:crypto';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { createLruCache, type LruCache } from '../../lib/cache/lru-cache.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { toHeaderText } from '../../lib/text/header-text.ts';
import type { DataRuleIndex } from '../../security/data-rules/data-rule-index.ts';
import type { TileCache } from '../../tiles/cache/tile-cache.ts';
import type { CachedTile } from '../../tiles/cache/tile-file.ts';
import { getSrsName } from '../../tiles/default-sets.ts';
import { computeTileBounds, getClientName, getMatrix } from '../../tiles/tile-matrix-set.ts';
import { createAccessProblem } from '../access/service-request.ts';
import { INCOMPLETE_TILE_WARNING, incompleteTileHeaders } from '../maps/incomplete-tile.ts';
import {
  findTileInMemory,
  loadOrDrawTile,
  type MapTile,
  type PreparedTile,
  prepareTile,
  type RenderedTile,
  type TileEnvironment,
  type TileServices,
} from './map-tile.ts';

export interface TileCall extends TileEnvironment {
  readonly principal: Principal;
  /** The cache key of the request; undefined if its reply is not cached. */
  readonly question: string | undefined;
}

export async function createTileReply(
  call: TileCall,
  tile: MapTile,
  warnings: readonly string[] = [],
): Promise<ServiceReply> {
  const { services, principal, question } = call;
  if (tile.format.isVector) await checkFeatureAccess(services, principal);
  const plain = await prepareTile(services, tile);
  const prepared = warnings.length === 0 ? plain : { ...plain, warnings };
  if (question !== undefined && prepared.isRepeatable !== false) {
    getPreparedTileCache(services).set(question, prepared, 1);
  }
  return createDrawnReply(call, prepared);
}

/** Vector tiles contain features and therefore require access to them. */
async function checkFeatureAccess({ access }: Pick<TileServices, 'access'>, principal: Principal): Promise<void> {
  if (!(await access.mayCallService(principal, 'wfs', 'GetFeature'))) throw createAccessProblem(principal);
}

export interface TileRequest extends TileEnvironment {
  readonly principal: Principal;
  readonly params: unknown;
  readonly rawQuery: string;
}

/**
 * The cache key of a request: catalog state, tile cache generation, visibility and parameters. `service` distinguishes
 * routes with equal path variables. Returns undefined if the data rules of the state are not read yet.
 */
function formatTileKey({ services, principal, params, rawQuery }: TileRequest, service: string): string | undefined {
  const position = services.catalog.position();
  const rules = currentRules.get(services.tileCache);
  if (rules?.position !== position) return undefined;
  // The parts before the query contain no line breaks, so that the key is unambiguous.
  const state = `${position} ${services.tileCache.getGeneration()}`;
  return `${state} ${service}\n${formatPathParams(params)}\n${rules.data.describeVisibility(principal)}\n${rawQuery}`;
}

/** The data rules of the last catalog state, by the tile cache of a server. */
const currentRules = new WeakMap<TileCache, { readonly position: number; readonly data: DataRuleIndex }>();

async function readCurrentRules({ services }: TileRequest): Promise<void> {
  const { catalog, access, tileCache } = services;
  const position = catalog.position();
  const { data } = await access.readDecidingRules();
  if (position === catalog.position()) currentRules.set(tileCache, { position, data });
}

const pathTexts = new WeakMap<object, string>();

/** Cached by object, which is the same for the same path. */
function formatPathParams(params: unknown): string {
  if (typeof params !== 'object' || params === null) return '';
  const names = pathTexts.get(params) ?? JSON.stringify(params);
  pathTexts.set(params, names);
  return names;
}

/** The maximum number of entries, some kilobytes each. */
const MAX_PREPARED_TILES = 4_000;

const preparedTileCaches = new WeakMap<TileCache, LruCache<PreparedTile>>();

function getPreparedTileCache({ tileCache }: Pick<TileServices, 'tileCache'>): LruCache<PreparedTile> {
  const known = preparedTileCaches.get(tileCache) ?? createLruCache<PreparedTile>(MAX_PREPARED_TILES);
  preparedTileCaches.set(tileCache, known);
  return known;
}

/** The last request for a path. */
interface LastTileRequest {
  readonly position: number;
  readonly generation: number;
  readonly service: string;
  readonly principal: Principal;
  readonly rawQuery: string;
  readonly prepared: PreparedTile;
}

/** Keyed by the path variables, which are the same object for the same path. */
const lastTileRequests = new WeakMap<object, LastTileRequest>();

/**
 * Map clients request the same tiles repeatedly. The same request of the same principal in the same state leads to
 * the same tile, so that access is not checked again and tiles in memory are returned synchronously. `respond`
 * handles requests that are not cached.
 */
export function answerFromTileCache(
  request: TileRequest,
  service: string,
  respond: (question: string | undefined) => Promise<ServiceReply>,
): Promise<ServiceReply> | ServiceReply {
  const last = findLastPreparedTile(request, service);
  const key = last === undefined ? formatTileKey(request, service) : undefined;
  const prepared = last ?? (key === undefined ? undefined : findPreparedTile(request, service, key));
  if (prepared === undefined) {
    return key === undefined
      ? readCurrentRules(request).then(() => respond(formatTileKey(request, service)))
      : respond(key);
  }
  const cached = findTileInMemory(request.services, prepared);
  return cached === undefined
    ? createDrawnReply(request, prepared)
    : getCachedReply(prepared, cached, request.now().getTime());
}

/** Compares with the last request first, which avoids building the key. */
function findLastPreparedTile(
  { services, principal, params, rawQuery }: TileRequest,
  service: string,
): PreparedTile | undefined {
  const last = typeof params === 'object' && params !== null ? lastTileRequests.get(params) : undefined;
  const isSame =
    last !== undefined &&
    last.position === services.catalog.position() &&
    last.generation === services.tileCache.getGeneration() &&
    last.principal === principal &&
    last.rawQuery === rawQuery &&
    last.service === service;
  return isSame ? last.prepared : undefined;
}

function findPreparedTile(request: TileRequest, service: string, key: string): PreparedTile | undefined {
  const { services, principal, params, rawQuery } = request;
  const prepared = getPreparedTileCache(services).get(key);
  if (prepared !== undefined && typeof params === 'object' && params !== null) {
    const [position, generation] = [services.catalog.position(), services.tileCache.getGeneration()];
    lastTileRequests.set(params, { position, generation, service, principal, rawQuery, prepared });
  }
  return prepared;
}

async function createDrawnReply(world: TileEnvironment, prepared: PreparedTile): Promise<ServiceReply> {
  const { bytes, madeAtMs, isIncomplete } = await loadOrDrawTile(world, prepared);
  const reply = createReply(prepared, { bytes, madeAtMs }, world.now().getTime());
  return isIncomplete ? markIncomplete(reply) : reply;
}

function markIncomplete(reply: ServiceReply): ServiceReply {
  return {
    ...reply,
    headers: { ...reply.headers, ...incompleteTileHeaders },
    warnings: [...(reply.warnings ?? []), INCOMPLETE_TILE_WARNING],
  };
}

const cachedReplies = new WeakMap<PreparedTile, { readonly bytes: Uint8Array; readonly reply: ServiceReply }>();

/** Caches the response for subsequent requests. */
function getCachedReply(prepared: PreparedTile, cached: CachedTile, nowMs: number): ServiceReply {
  const { bytes } = cached;
  const known = cachedReplies.get(prepared);
  if (known?.bytes === bytes) return known.reply;
  const reply = createReply(prepared, cached, nowMs);
  if (reply.lastModifiedMs !== undefined) cachedReplies.set(prepared, { bytes, reply });
  return reply;
}

/**
 * The time has no fractions of seconds: two tiles of one second would have the same. It is therefore sent only when no
 * other tile can follow in that second.
 */
const SETTLED_MS = 1_000;

/** Returns 204 for an empty vector tile. */
function createReply(
  { tile, maxAgeSeconds, warnings }: PreparedTile,
  { bytes, madeAtMs }: Pick<RenderedTile, 'bytes' | 'madeAtMs'>,
  nowMs: number,
): ServiceReply {
  const head = {
    operation: 'GetTile',
    contentType: tile.format.mediaType,
    headers: createTileHeaders(tile, madeAtMs === undefined ? 'MISS' : 'HIT'),
    ...(madeAtMs === undefined || nowMs - madeAtMs < SETTLED_MS ? {} : { lastModifiedMs: madeAtMs }),
    ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }),
    ...(warnings === undefined ? {} : { warnings }),
  };
  if (bytes.length === 0) return { ...head, status: 204, body: '' };
  // A view of the same bytes, created once.
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { ...head, body, etag: computeEtag(bytes), ...(tile.format.isVector ? {} : { isPacked: true as const }) };
}

const etags = new WeakMap<Uint8Array, string>();

/** Computed once for tiles in memory: hashing takes longer than the rest of the response. */
function computeEtag(bytes: Uint8Array): string {
  const tag = etags.get(bytes) ?? createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  etags.set(bytes, tag);
  return tag;
}

/** Headers that GeoWebCache clients read. The cache result discloses nothing, because access was checked. */
function createTileHeaders({ map, set, address }: MapTile, result: 'HIT' | 'MISS'): Readonly<Record<string, string>> {
  const { level, row, column } = address;
  const { rows } = getMatrix(set, level);
  const { minX, minY, maxX, maxY } = computeTileBounds(set, address);
  return {
    'geowebcache-cache-result': result,
    'geowebcache-tile-index': `[${column}, ${rows - 1 - row}, ${level}]`,
    'geowebcache-tile-bounds': [minX, minY, maxX, maxY].join(','),
    'geowebcache-gridset': toHeaderText(getClientName(set)),
    'geowebcache-crs': getSrsName(set),
    'geowebcache-layer': toHeaderText(map.qualifiedName),
  };
}
