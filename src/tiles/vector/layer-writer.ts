/** Writes the features of a vector tile layer, with keys and values that are stored once per layer. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Attribute, Feature, Value } from '../../vector/port/port.ts';
import { ProtobufWriter } from './protobuf.ts';
import { simplifyGeometry } from './simplify.ts';
import { EXTENT, type Line, type TileGeometry } from './tile-geometry.ts';
import type { WorldExtent } from './world-copies.ts';

/** The geometry types of the format. */
const geometryNumbers = { point: 1, line: 2, polygon: 3 } as const;

const MOVE_TO = 1;
const LINE_TO = 2;
const CLOSE_PATH = 15;

export interface TileLayer {
  readonly name: string;
  readonly bounds: Bounds;
  /** The world in the CRS of the tile; undefined if it does not continue beyond the antimeridian. */
  readonly world?: WorldExtent | undefined;
  /** The offsets of the copies of the world in the tile; undefined for the world itself only. */
  readonly shifts?: readonly number[] | undefined;
  readonly attributes: readonly Attribute[];
  /** The name of the geometry attribute. */
  readonly geometry: string;
  /** The maximum number of features; beyond it, features are thinned. */
  readonly limit: number;
  /** The maximum size of the layer; beyond it, features are thinned and simplified. */
  readonly maxBytes: number;
  /** The names of the attributes that are written; undefined for all. */
  readonly properties?: readonly string[] | undefined;
  /** Whether features with equal attributes become one feature. */
  readonly coalesces?: boolean | undefined;
  /** Whether feature ids are not stable and are omitted. */
  readonly isKeyless?: true | undefined;
}

export interface TileFeature extends Pick<Feature, 'id' | 'values'> {
  readonly placed: TileGeometry;
}

type TileValue = string | number | boolean;

export class TileLayerWriter {
  readonly #layer: Pick<TileLayer, 'name' | 'attributes' | 'properties'>;
  readonly #prefix: string | undefined;
  readonly #tolerance: number;
  readonly #features = new Map<TileFeature, Uint8Array>();
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<TileValue, number>();
  /** In the order of their numbers. */
  readonly #encodedValues: { readonly value: TileValue; readonly bytes: Uint8Array }[] = [];
  #bytes: number;

  /** `tolerance` is for simplification, in tile units; 0 for none. */
  constructor(layer: Pick<TileLayer, 'name' | 'attributes' | 'properties' | 'isKeyless'>, tolerance: number) {
    this.#layer = layer;
    this.#tolerance = tolerance;
    this.#prefix = layer.isKeyless === true ? undefined : `${layer.name}.`;
    this.#bytes = HEAD_BYTES + Buffer.byteLength(layer.name);
  }

  /** Returns false without a change if the layer would exceed the size. */
  addWithin(feature: TileFeature, maxBytes: number): boolean {
    const [bytesBefore, keysBefore, valuesBefore] = [this.#bytes, this.#keys.size, this.#encodedValues.length];
    const encoded = this.#encodeFeature(feature);
    this.#bytes += computeFieldBytes(encoded.length);
    if (this.#bytes <= maxBytes) {
      this.#features.set(feature, encoded);
      return true;
    }
    for (const { value } of this.#encodedValues.splice(valuesBefore)) this.#values.delete(value);
    for (const [key, number] of this.#keys) if (number >= keysBefore) this.#keys.delete(key);
    this.#bytes = bytesBefore;
    return false;
  }

  /** Returns a tile with the layer, with its features in the given order. */
  finish(order: readonly TileFeature[]): Uint8Array {
    const layer = new ProtobufWriter();
    layer.writeNumberField(15, 2);
    layer.writeTextField(1, this.#layer.name);
    for (const each of order) layer.writeBytesField(2, this.#features.get(each) ?? new Uint8Array(0));
    for (const key of this.#keys.keys()) layer.writeTextField(3, key);
    for (const { bytes } of this.#encodedValues) layer.writeBytesField(4, bytes);
    layer.writeNumberField(5, EXTENT);
    const tile = new ProtobufWriter();
    tile.writeBytesField(3, layer.finish());
    return tile.finish();
  }

  #encodeFeature({ id, values, placed }: TileFeature): Uint8Array {
    const { type, parts } = this.#tolerance === 0 ? placed : simplifyGeometry(placed, this.#tolerance);
    const feature = new ProtobufWriter();
    const number = this.#parseFeatureNumber(id);
    if (number !== undefined) feature.writeNumberField(1, number);
    feature.writeBytesField(2, this.#encodeTags(values));
    feature.writeNumberField(3, geometryNumbers[type]);
    feature.writeBytesField(
      4,
      type === 'point' ? encodePoints(parts[0] ?? []) : encodeParts(parts, type === 'polygon'),
    );
    return feature.finish();
  }

  /** Returns the key of a feature if it is an integer that all clients support. */
  #parseFeatureNumber(id: string): number | undefined {
    const key = this.#prefix !== undefined && id.startsWith(this.#prefix) ? id.slice(this.#prefix.length) : '';
    return /^\d{1,15}$/.test(key) ? Number(key) : undefined;
  }

  /** Writes pairs of key and value numbers. */
  #encodeTags(values: Feature['values']): Uint8Array {
    const tags = new ProtobufWriter();
    for (const [name, value] of listTileValues(this.#layer, values)) {
      tags.writeVarint(this.#getKeyNumber(name));
      tags.writeVarint(this.#getValueNumber(value));
    }
    return tags.finish();
  }

  #getKeyNumber(key: string): number {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const number = this.#keys.size;
    this.#keys.set(key, number);
    this.#bytes += computeFieldBytes(Buffer.byteLength(key));
    return number;
  }

  #getValueNumber(value: TileValue): number {
    const known = this.#values.get(value);
    if (known !== undefined) return known;
    const number = this.#encodedValues.length;
    const bytes = encodeValue(value);
    this.#values.set(value, number);
    this.#encodedValues.push({ value, bytes });
    this.#bytes += computeFieldBytes(bytes.length);
    return number;
  }
}

/** Version, extent, and the heads of the layer and its name. */
const HEAD_BYTES = 24;

/** Returns the size of a field with its number, below 16, and its length. */
function computeFieldBytes(length: number): number {
  let lengthBytes = 1;
  for (let rest = length; rest > 0x7f; rest = Math.floor(rest / 0x80)) lengthBytes += 1;
  return 1 + lengthBytes + length;
}

/** Returns the names and values that a feature has in a tile. */
export function listTileValues(
  { attributes, properties }: Pick<TileLayer, 'attributes' | 'properties'>,
  values: Feature['values'],
): readonly (readonly [string, TileValue])[] {
  const written: [string, TileValue][] = [];
  for (const [index, { name, kind, type }] of attributes.entries()) {
    if (kind === 'geometry' || properties?.includes(name) === false) continue;
    const value = toTileValue(values[index] as Value, type);
    if (value !== undefined) written.push([name, value]);
  }
  return written;
}

/** Converts types that tiles do not support to text; nulls and bytes are omitted. */
function toTileValue(value: Value, type: Attribute['type']): string | number | boolean | undefined {
  if (value === null || value instanceof Uint8Array) return undefined;
  if (value instanceof Date) return type === 'date' ? value.toISOString().slice(0, -14) : value.toISOString();
  return typeof value === 'bigint' ? String(value) : value;
}

function encodeValue(value: string | number | boolean): Uint8Array {
  const written = new ProtobufWriter();
  if (typeof value === 'string') written.writeTextField(1, value);
  else if (typeof value === 'boolean') written.writeNumberField(7, value ? 1 : 0);
  else if (!Number.isSafeInteger(value)) written.writeDoubleField(3, value);
  else if (value < 0) written.writeSignedField(6, value);
  else written.writeNumberField(5, value);
  return written.finish();
}

/** Positions are relative to the previous one. */
class CommandWriter {
  readonly #commands: ProtobufWriter;
  #x = 0;
  #y = 0;

  constructor(commands: ProtobufWriter) {
    this.#commands = commands;
  }

  writeCommand(command: number, places: Line): void {
    this.#commands.writeVarint(command + (places.length / 2) * 8);
    for (let at = 0; at < places.length; at += 2) {
      const [x = 0, y = 0] = [places[at], places[at + 1]];
      this.#commands.writeSigned(x - this.#x);
      this.#commands.writeSigned(y - this.#y);
      [this.#x, this.#y] = [x, y];
    }
  }
}

function encodePoints(places: Line): Uint8Array {
  const commands = new ProtobufWriter();
  new CommandWriter(commands).writeCommand(MOVE_TO, places);
  return commands.finish();
}

function encodeParts(parts: readonly Line[], areClosed: boolean): Uint8Array {
  const commands = new ProtobufWriter();
  const pen = new CommandWriter(commands);
  for (const part of parts) {
    pen.writeCommand(MOVE_TO, part.slice(0, 2));
    pen.writeCommand(LINE_TO, part.slice(2));
    if (areClosed) commands.writeVarint(CLOSE_PATH);
  }
  return commands.finish();
}
