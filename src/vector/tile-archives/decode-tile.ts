/** Decodes Mapbox vector tiles. Every number is checked against the bytes that remain. */
import { createDamagedError, MessageReader } from './message-reader.ts';

export type TileValue = string | number | boolean;

export const TILE_POINT = 1;
export const TILE_LINE = 2;
export const TILE_POLYGON = 3;

export interface DecodedLayer {
  readonly name: string;
  /** The side of the tile in units of its coordinates. */
  readonly extent: number;
  readonly keys: readonly string[];
  readonly values: readonly (TileValue | undefined)[];
  /** The encoded features. */
  readonly features: readonly Uint8Array[];
}

export interface DecodedFeature {
  readonly kind: typeof TILE_POINT | typeof TILE_LINE | typeof TILE_POLYGON;
  /** Alternating indexes of keys and values. */
  readonly tags: readonly number[];
  /** Alternating x and y in units of the tile, y downwards: points, lines, or rings whose last position is the first. */
  readonly paths: readonly (readonly number[])[];
}

/** Real tiles use 4,096; coordinates of a larger extent are not exact. */
const MAX_EXTENT = 2 ** 24;

const DEFAULT_EXTENT = 4_096;

const MOVE_TO = 1;
const LINE_TO = 2;
const CLOSE_PATH = 7;

/** Returns the layers that the predicate selects by name. */
export function decodeLayers(tile: Uint8Array, isWanted: (name: string) => boolean): readonly DecodedLayer[] {
  const layers: DecodedLayer[] = [];
  const reader = new MessageReader(tile);
  while (reader.next()) {
    if (reader.field !== 3) reader.skip();
    else {
      const layer = decodeLayer(reader.readBytes(), isWanted);
      if (layer !== undefined) layers.push(layer);
    }
  }
  return layers;
}

function decodeLayer(bytes: Uint8Array, isWanted: (name: string) => boolean): DecodedLayer | undefined {
  let name = '';
  let extent = DEFAULT_EXTENT;
  const [keys, values, features]: [string[], Uint8Array[], Uint8Array[]] = [[], [], []];
  const reader = new MessageReader(bytes);
  while (reader.next()) {
    if (reader.field === 1) name = readText(reader.readBytes());
    else if (reader.field === 2) features.push(reader.readBytes());
    else if (reader.field === 3) keys.push(readText(reader.readBytes()));
    else if (reader.field === 4) values.push(reader.readBytes());
    else if (reader.field === 5) extent = reader.readNumber();
    else reader.skip();
  }
  if (!isWanted(name)) return undefined;
  if (extent < 1 || extent > MAX_EXTENT) throw createDamagedError();
  return { name, extent, keys, values: values.map(decodeValue), features };
}

function decodeValue(bytes: Uint8Array): TileValue | undefined {
  let value: TileValue | undefined;
  const reader = new MessageReader(bytes);
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        value = readText(reader.readBytes());
        break;
      case 2:
        value = toView(reader.readFixed(4)).getFloat32(0, true);
        break;
      case 3:
        value = toView(reader.readFixed(8)).getFloat64(0, true);
        break;
      case 4:
        value = toSigned(reader.readNumber());
        break;
      case 5:
        value = reader.readNumber();
        break;
      case 6:
        value = unzigzag(reader.readNumber());
        break;
      case 7:
        value = reader.readNumber() !== 0;
        break;
      default:
        reader.skip();
    }
  }
  return value;
}

/** Returns undefined for a feature of unknown type. */
export function decodeFeature(bytes: Uint8Array): DecodedFeature | undefined {
  let kind = 0;
  let tags: readonly number[] = [];
  let geometry: Uint8Array = new Uint8Array();
  const reader = new MessageReader(bytes);
  while (reader.next()) {
    if (reader.field === 2) tags = readPacked(reader.readBytes());
    else if (reader.field === 3) kind = reader.readNumber();
    else if (reader.field === 4) geometry = reader.readBytes();
    else reader.skip();
  }
  if (kind !== TILE_POINT && kind !== TILE_LINE && kind !== TILE_POLYGON) return undefined;
  return { kind, tags, paths: decodePaths(geometry, kind) };
}

function decodePaths(bytes: Uint8Array, kind: DecodedFeature['kind']): readonly (readonly number[])[] {
  const reader = new MessageReader(bytes);
  const paths: number[][] = [];
  let path: number[] = [];
  let [x, y] = [0, 0];
  while (reader.hasMore()) {
    const command = reader.readVarint();
    const id = command & 7;
    if (id === CLOSE_PATH) {
      const [firstX, firstY] = path;
      if (firstX !== undefined && firstY !== undefined) path.push(firstX, firstY);
      continue;
    }
    if (id !== MOVE_TO && id !== LINE_TO) throw createDamagedError();
    for (let count = Math.floor(command / 8); count > 0; count -= 1) {
      x += unzigzag(reader.readVarint());
      y += unzigzag(reader.readVarint());
      if (!Number.isSafeInteger(x) || !Number.isSafeInteger(y)) throw createDamagedError();
      if (id === MOVE_TO && (kind !== TILE_POINT || paths.length === 0)) {
        path = [];
        paths.push(path);
      }
      path.push(x, y);
    }
  }
  return paths;
}

function readPacked(bytes: Uint8Array): readonly number[] {
  const reader = new MessageReader(bytes);
  const numbers: number[] = [];
  while (reader.hasMore()) numbers.push(reader.readVarint());
  return numbers;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** Negative numbers are encoded as two's complement of 64 bits. */
function toSigned(value: number): number {
  return value >= 2 ** 63 ? value - 2 ** 64 : value;
}

function toView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const decoder = new TextDecoder();

function readText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
