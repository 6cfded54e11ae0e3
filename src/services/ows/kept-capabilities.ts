/**
 * Capabilities are made once for each state and sight, and kept packed as long as there is room: there may be a hundred
 * thousand layers, and clients ask for them again and again.
 */
import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { gzipped } from '../../http/send-stream.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { isAdministrator, type Principal } from '../../lib/principal.ts';
import { createRecentlyUsed, type RecentlyUsed } from '../../lib/recently-used.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { MapLayer } from '../door/published-map.ts';

export interface CapabilitiesCall {
  readonly services: {
    readonly catalog: Pick<Catalog, 'position'>;
    /** Lives as long as the server, and so does what is kept. */
    readonly encoding: object;
  };
  readonly principal: Principal;
}

/** What the data says of layers, which changes without a change of the catalog. */
export interface ToldByData {
  readonly layers: readonly MapLayer[];
  readonly told: string;
}

export interface MadeCapabilities {
  readonly pieces: Iterable<string> | AsyncIterable<string>;
  /** Absent where nothing of it comes from the data. */
  readonly byData?: ToldByData;
}

export interface CapabilitiesWish {
  readonly contentType: string;
  /** All that the document depends on, beside the state and who asks. */
  readonly question: readonly unknown[];
  make(): Promise<MadeCapabilities>;
  /** What the data says of these layers now; absent where nothing of it is told. */
  readonly toldOf?: (layers: readonly MapLayer[]) => Promise<string>;
}

interface Kept {
  /** As gzip packs it. */
  readonly packed: Buffer;
  /** Undefined for a long one. */
  readonly text: string | undefined;
  readonly etag: string;
  readonly byData: ToldByData | undefined;
}

export async function keptCapabilities(call: CapabilitiesCall, wish: CapabilitiesWish): Promise<ServiceReply> {
  const memory = memoryOf(call.services.encoding);
  const key = JSON.stringify([call.services.catalog.position(), sightOf(call.principal), ...wish.question]);
  // Whoever asks while it is made waits for it, and makes it where that fails: somebody may have left.
  const underWay = memory.underWay.get(key);
  const awaited = underWay && (await underWay.catch(() => undefined));
  if (awaited !== undefined) return replyOf(awaited, wish);
  const known = memory.kept.get(key);
  if (known !== undefined && (await isStillSo(known, wish))) return replyOf(known, wish);
  if (memory.underWay.has(key)) return keptCapabilities(call, wish);
  return replyOf(await beginMaking(memory, key, wish), wish);
}

function beginMaking({ kept, underWay }: Memory, key: string, wish: CapabilitiesWish): Promise<Kept> {
  const making = madeDocument(key, wish)
    .then((made) => {
      kept.set(key, made, made.packed.length + (made.text?.length ?? 0));
      return made;
    })
    .finally(() => underWay.delete(key));
  underWay.set(key, making);
  return making;
}

/** What rules go by: nobody is let in by a name. */
function sightOf(principal: Principal): readonly string[] | 'everything' {
  return isAdministrator(principal) ? 'everything' : [...principal.roles].toSorted();
}

async function isStillSo({ byData }: Kept, { toldOf }: CapabilitiesWish): Promise<boolean> {
  return byData === undefined || byData.layers.length === 0 || (await toldOf?.(byData.layers)) === byData.told;
}

interface Memory {
  readonly kept: RecentlyUsed<Kept>;
  readonly underWay: Map<string, Promise<Kept>>;
}

/** A hundred thousand layers take some megabytes. */
const ROOM_BYTES = 64 * 1_048_576;

const memories = new WeakMap<object, Memory>();

function memoryOf(server: object): Memory {
  const known = memories.get(server) ?? { kept: createRecentlyUsed<Kept>(ROOM_BYTES), underWay: new Map() };
  memories.set(server, known);
  return known;
}

/** What is not longer is kept as it is too. */
const SHORT_CHARACTERS = 131_072;

async function madeDocument(key: string, { make }: CapabilitiesWish): Promise<Kept> {
  const { pieces, byData } = await make();
  let text: string | undefined = '';
  async function* noted(): AsyncIterable<string> {
    for await (const piece of pieces) {
      text = text !== undefined && text.length + piece.length <= SHORT_CHARACTERS ? text + piece : undefined;
      yield piece;
    }
  }
  const packed: Uint8Array[] = [];
  for await (const piece of gzipped(noted())) packed.push(piece);
  const etag = createHash('sha256')
    .update(JSON.stringify([key, byData?.told]))
    .digest('base64url')
    .slice(0, 22);
  return { packed: Buffer.concat(packed), text, etag, byData };
}

function replyOf({ packed, text, etag }: Kept, { contentType }: CapabilitiesWish): ServiceReply {
  return { contentType, etag, packed, body: text ?? unpacked(packed) };
}

async function* unpacked(packed: Buffer): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // Whoever reads is told of what goes wrong by the reading.
  pipeline(Readable.from([packed]), gunzip, () => undefined);
  yield* gunzip as AsyncIterable<Uint8Array>;
}
