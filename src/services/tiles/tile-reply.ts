/** A tile as it is sent, whatever service was asked for it. */
import { createHash } from 'node:crypto';
import type { TileCache } from '../../data/tiles/cache/tile-cache.ts';
import type { CachedTile } from '../../data/tiles/cache/tile-file.ts';
import { computeTileBounds, getMatrixSize } from '../../data/tiles/tile-matrix-set.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import type { Principal } from '../../lib/principal.ts';
import { createRecentlyUsed, type RecentlyUsed } from '../../lib/recently-used.ts';
import { refusal } from '../door/visit.ts';
import {
  keptAtHand,
  type MapTile,
  madeTile,
  type PreparedTile,
  prepareTile,
  type TileServices,
  type TileWorld,
} from './map-tile.ts';

export interface TileCall extends TileWorld {
  readonly principal: Principal;
  /** By which the tile is remembered. */
  readonly question: string;
}

export async function tileReply(call: TileCall, tile: MapTile): Promise<ServiceReply> {
  const { services, principal, question } = call;
  if (tile.format.isVector) await requireFeatures(services, principal);
  const prepared = await prepareTile(services, tile);
  memoryOf(services).set(question, prepared, 1);
  return madeReply(call, prepared);
}

/** Who may not ask for features is not given them in tiles. */
async function requireFeatures({ access }: Pick<TileServices, 'access'>, principal: Principal): Promise<void> {
  if (!(await access.mayCallService(principal, 'wfs', 'GetFeature'))) throw refusal(principal);
}

export interface AskedForTile extends TileWorld {
  readonly principal: Principal;
  readonly params: unknown;
  readonly rawQuery: string;
}

/**
 * All that decides who is let in to which tile: the state, what was forgotten, who asks, and what for. `service` tells addresses apart whose
 * variables are alike.
 */
function tileQuestion({ services, principal, params, rawQuery }: AskedForTile, service: string): string {
  // What is before the query has no line breaks in it.
  const state = `${services.catalog.position()} ${services.tileCache.getGeneration()}`;
  return `${state} ${service}\n${namesIn(params)}\n${whoIs(principal)}\n${rawQuery}`;
}

const written = new WeakMap<object, string>();

/** By the object, which is the same for the same path. */
function namesIn(params: unknown): string {
  if (typeof params !== 'object' || params === null) return '';
  const names = written.get(params) ?? JSON.stringify(params);
  written.set(params, names);
  return names;
}

/** So many questions, some kilobytes each. */
const MOST_QUESTIONS = 4_000;

const memories = new WeakMap<TileCache, RecentlyUsed<PreparedTile>>();

function memoryOf({ tileCache }: Pick<TileServices, 'tileCache'>): RecentlyUsed<PreparedTile> {
  const known = memories.get(tileCache) ?? createRecentlyUsed<PreparedTile>(MOST_QUESTIONS);
  memories.set(tileCache, known);
  return known;
}

const principals = new WeakMap<Principal, string>();

/** What rules go by. */
function whoIs(principal: Principal): string {
  const told = principals.get(principal) ?? JSON.stringify([principal.name, ...principal.roles]);
  principals.set(principal, told);
  return told;
}

/** What was asked for last by a path, and by whom. */
interface LastAsked {
  readonly position: number;
  readonly generation: number;
  readonly service: string;
  readonly principal: Principal;
  readonly rawQuery: string;
  readonly prepared: PreparedTile;
}

/** By the variables of the path, which are the same object for the same path. */
const lastAsked = new WeakMap<object, LastAsked>();

/**
 * Maps ask for the same tiles again and again, and the same question of the same person in the same state leads to the same
 * tile: nobody is asked a second time whether they may see it, and who has it at hand gives it at once. `respond` answers
 * what is not known yet.
 */
export function tileOrElse(
  asked: AskedForTile,
  service: string,
  respond: (question: string) => Promise<ServiceReply>,
): Promise<ServiceReply> | ServiceReply {
  const prepared = preparedLast(asked, service) ?? preparedBefore(asked, service);
  if (prepared === undefined) return respond(tileQuestion(asked, service));
  const kept = keptAtHand(asked.services, prepared);
  return kept === undefined ? madeReply(asked, prepared) : keptReply(prepared, kept);
}

/** What is asked for again and again is compared with what was asked for last: its question is not put together. */
function preparedLast(
  { services, principal, params, rawQuery }: AskedForTile,
  service: string,
): PreparedTile | undefined {
  const last = typeof params === 'object' && params !== null ? lastAsked.get(params) : undefined;
  const isSame =
    last !== undefined &&
    last.position === services.catalog.position() &&
    last.generation === services.tileCache.getGeneration() &&
    last.principal === principal &&
    last.rawQuery === rawQuery &&
    last.service === service;
  return isSame ? last.prepared : undefined;
}

function preparedBefore(asked: AskedForTile, service: string): PreparedTile | undefined {
  const { services, principal, params, rawQuery } = asked;
  const prepared = memoryOf(services).get(tileQuestion(asked, service));
  if (prepared !== undefined && typeof params === 'object' && params !== null) {
    const [position, generation] = [services.catalog.position(), services.tileCache.getGeneration()];
    lastAsked.set(params, { position, generation, service, principal, rawQuery, prepared });
  }
  return prepared;
}

async function madeReply(world: TileWorld, prepared: PreparedTile): Promise<ServiceReply> {
  const { bytes, isKept } = await madeTile(world, prepared);
  return replyOf(prepared, bytes, isKept ? 'HIT' : 'MISS');
}

const keptReplies = new WeakMap<PreparedTile, { readonly bytes: Uint8Array; readonly reply: ServiceReply }>();

/** The same for everybody who comes after the first. */
function keptReply(prepared: PreparedTile, { bytes }: CachedTile): ServiceReply {
  const known = keptReplies.get(prepared);
  if (known?.bytes === bytes) return known.reply;
  const reply = replyOf(prepared, bytes, 'HIT');
  keptReplies.set(prepared, { bytes, reply });
  return reply;
}

/** 204 for a vector tile in which nothing is seen. */
function replyOf({ tile, maxAgeSeconds }: PreparedTile, bytes: Uint8Array, result: 'HIT' | 'MISS'): ServiceReply {
  const head = {
    contentType: tile.format.mediaType,
    headers: headersOf(tile, result),
    ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }),
  };
  if (bytes.length === 0) return { ...head, status: 204, body: '' };
  // A view of the same bytes, as they are sent, made once.
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { ...head, body, etag: tagOf(bytes), ...(tile.format.isVector ? {} : { isPacked: true as const }) };
}

const tags = new WeakMap<Uint8Array, string>();

/** Worked out once for tiles that stay in memory: it takes longer than all else. */
function tagOf(bytes: Uint8Array): string {
  const tag = tags.get(bytes) ?? createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  tags.set(bytes, tag);
  return tag;
}

/** What clients of the reference server read; whether a tile was there before tells nobody anything that they may not see. */
function headersOf({ set, address }: MapTile, result: 'HIT' | 'MISS'): Readonly<Record<string, string>> {
  const { level, row, column } = address;
  const { rows } = getMatrixSize(set, level);
  const { minX, minY, maxX, maxY } = computeTileBounds(set, address);
  return {
    'geowebcache-cache-result': result,
    'geowebcache-tile-index': `[${column}, ${rows - 1 - row}, ${level}]`,
    'geowebcache-tile-bounds': [minX, minY, maxX, maxY].join(','),
    'geowebcache-gridset': set.otherNames[0] ?? set.id,
    'geowebcache-crs': set.otherNames[0] ?? set.id,
  };
}
