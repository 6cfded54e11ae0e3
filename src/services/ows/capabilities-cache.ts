/**
 * Capabilities are made once for each state and sight, and kept packed as long as there is room: there may be a hundred
 * thousand layers, and clients ask for them again and again.
 */
import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { compressStream } from '../../http/stream/send-stream.ts';
import { createLruCache, type LruCache } from '../../lib/cache/lru-cache.ts';
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { MapLayer } from '../access/published-map.ts';

export interface CapabilitiesCall {
  readonly services: {
    readonly catalog: Pick<Catalog, 'position'>;
    /** Lives as long as the server, and so does what is kept. */
    readonly encoding: object;
  };
  readonly principal: Principal;
}

/** What the data says of layers, which changes without a change of the catalog. */
export interface DataFingerprint {
  readonly layers: readonly MapLayer[];
  readonly told: string;
}

export interface CapabilitiesDocument {
  readonly pieces: Iterable<string> | AsyncIterable<string>;
  /** Absent where nothing of it comes from the data. */
  readonly byData?: DataFingerprint;
}

export interface CapabilitiesOptions {
  readonly contentType: string;
  /** All that the document depends on, beside the state and who asks. */
  readonly question: readonly unknown[];
  make(): Promise<CapabilitiesDocument>;
  /** What the data says of these layers now; absent where nothing of it is told. */
  readonly computeFingerprint?: (layers: readonly MapLayer[]) => Promise<string>;
}

interface CachedDocument {
  /** As gzip packs it. */
  readonly packed: Buffer;
  /** Undefined for a long one. */
  readonly text: string | undefined;
  readonly etag: string;
  readonly byData: DataFingerprint | undefined;
}

export async function createCapabilitiesReply(
  call: CapabilitiesCall,
  wish: CapabilitiesOptions,
): Promise<ServiceReply> {
  const memory = getCapabilitiesCache(call.services.encoding);
  const key = JSON.stringify([call.services.catalog.position(), toVisibilityKey(call.principal), ...wish.question]);
  // Whoever asks while it is made waits for it, and makes it where that fails: somebody may have left.
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

/** What rules go by: nobody is let in by a name. */
function toVisibilityKey(principal: Principal): readonly string[] | 'everything' {
  return isAdministrator(principal) ? 'everything' : [...principal.roles].toSorted();
}

async function isStillCurrent(
  { byData }: CachedDocument,
  { computeFingerprint: toldOf }: CapabilitiesOptions,
): Promise<boolean> {
  return byData === undefined || byData.layers.length === 0 || (await toldOf?.(byData.layers)) === byData.told;
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

/** What is not longer is kept as it is too. */
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
    .update(JSON.stringify([key, byData?.told]))
    .digest('base64url')
    .slice(0, 22);
  return { packed: Buffer.concat(packed), text, etag, byData };
}

function createReply({ packed, text, etag }: CachedDocument, { contentType }: CapabilitiesOptions): ServiceReply {
  return { contentType, etag, packed, body: text ?? unpackDocument(packed) };
}

async function* unpackDocument(packed: Buffer): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // Whoever reads is told of what goes wrong by the reading.
  pipeline(Readable.from([packed]), gunzip, () => undefined);
  yield* gunzip as AsyncIterable<Uint8Array>;
}
