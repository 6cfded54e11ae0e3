/**
 * Builds capabilities once per catalog state and visibility, and caches them compressed. There may be a hundred
 * thousand layers, and clients request the document often.
 */
import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { compressStream } from '../../http/stream/send-stream.ts';
import { createLruCache, type LruCache } from '../../lib/cache/lru-cache.ts';
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { Access } from '../../security/access-rules/access.ts';
import type { MapLayer } from '../access/published-map.ts';

export interface CapabilitiesCall {
  readonly services: {
    readonly access: Pick<Access, 'readDecidingRules'>;
    readonly catalog: Pick<Catalog, 'position'>;
    /** The key of the cache, which lives as long as the server. */
    readonly encoding: object;
  };
  readonly principal: Principal;
}

/** A fingerprint of layer data, which changes without a change of the catalog. */
export interface DataFingerprint {
  readonly layers: readonly MapLayer[];
  readonly value: string;
}

export interface CapabilitiesDocument {
  readonly pieces: Iterable<string> | AsyncIterable<string>;
  /** Absent if the document does not depend on the data. */
  readonly byData?: DataFingerprint;
}

export interface CapabilitiesOptions {
  readonly contentType: string;
  /** Everything the document depends on, except the catalog state and the principal. */
  readonly question: readonly unknown[];
  make(): Promise<CapabilitiesDocument>;
  /** Computes the fingerprint of the data of these layers; absent if the document does not depend on it. */
  readonly computeFingerprint?: (layers: readonly MapLayer[]) => Promise<string>;
}

interface CachedDocument {
  /** Compressed with gzip. */
  readonly packed: Buffer;
  /** Undefined for a long document. */
  readonly text: string | undefined;
  readonly etag: string;
  readonly byData: DataFingerprint | undefined;
}

export async function createCapabilitiesReply(
  call: CapabilitiesCall,
  wish: CapabilitiesOptions,
): Promise<ServiceReply> {
  const memory = getCapabilitiesCache(call.services.encoding);
  const visibility = await computeVisibilityKey(call);
  const key = JSON.stringify([call.services.catalog.position(), visibility, ...wish.question]);
  // Concurrent requests share the build; if it fails, because its client has disconnected for example, the next one
  // builds it.
  const underWay = memory.underWay.get(key);
  const awaited = underWay && (await underWay.catch(() => undefined));
  if (awaited !== undefined) return createReply(awaited, wish);
  const known = memory.kept.get(key);
  if (known !== undefined && (await isStillCurrent(known, wish))) return createReply(known, wish);
  if (memory.underWay.has(key)) return createCapabilitiesReply(call, wish);
  return createReply(await startBuilding(memory, key, wish), wish);
}

function startBuilding(
  { kept, underWay }: CapabilitiesCache,
  key: string,
  wish: CapabilitiesOptions,
): Promise<CachedDocument> {
  const making = buildDocument(key, wish)
    .then((made) => {
      kept.set(key, made, made.packed.length + (made.text?.length ?? 0));
      return made;
    })
    .finally(() => underWay.delete(key));
  underWay.set(key, making);
  return making;
}

async function computeVisibilityKey({ principal, services }: CapabilitiesCall): Promise<string> {
  if (isAdministrator(principal)) return 'everything';
  const { data } = await services.access.readDecidingRules();
  return data.describeVisibility(principal);
}

async function isStillCurrent(
  { byData }: CachedDocument,
  { computeFingerprint }: CapabilitiesOptions,
): Promise<boolean> {
  return (
    byData === undefined || byData.layers.length === 0 || (await computeFingerprint?.(byData.layers)) === byData.value
  );
}

interface CapabilitiesCache {
  readonly kept: LruCache<CachedDocument>;
  readonly underWay: Map<string, Promise<CachedDocument>>;
}

/** A hundred thousand layers take some megabytes. */
const MAX_CACHE_BYTES = 64 * 1_048_576;

const capabilitiesCaches = new WeakMap<object, CapabilitiesCache>();

function getCapabilitiesCache(server: object): CapabilitiesCache {
  const known = capabilitiesCaches.get(server) ?? {
    kept: createLruCache<CachedDocument>(MAX_CACHE_BYTES),
    underWay: new Map(),
  };
  capabilitiesCaches.set(server, known);
  return known;
}

/** Documents up to this length are cached uncompressed as well. */
const MAX_TEXT_CHARACTERS = 131_072;

async function buildDocument(key: string, { make }: CapabilitiesOptions): Promise<CachedDocument> {
  const { pieces, byData } = await make();
  let text: string | undefined = '';
  async function* recordPieces(): AsyncIterable<string> {
    for await (const piece of pieces) {
      text = text !== undefined && text.length + piece.length <= MAX_TEXT_CHARACTERS ? text + piece : undefined;
      yield piece;
    }
  }
  const packed: Uint8Array[] = [];
  for await (const piece of compressStream(recordPieces())) packed.push(piece);
  const etag = createHash('sha256')
    .update(JSON.stringify([key, byData?.value]))
    .digest('base64url')
    .slice(0, 22);
  return { packed: Buffer.concat(packed), text, etag, byData };
}

function createReply({ packed, text, etag }: CachedDocument, { contentType }: CapabilitiesOptions): ServiceReply {
  return { contentType, etag, packed, body: text ?? unpackDocument(packed) };
}

async function* unpackDocument(packed: Buffer): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // The reader receives the error through the stream.
  pipeline(Readable.from([packed]), gunzip, () => undefined);
  yield* gunzip as AsyncIterable<Uint8Array>;
}
