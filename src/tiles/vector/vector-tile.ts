/** Writes a layer of a Mapbox Vector Tile, version 2. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import type { Attribute, Feature, Value } from '../../vector/port/port.ts';
import { ProtobufWriter } from './protobuf.ts';
import { Thinning } from './thinning.ts';
import { EXTENT, type Line, TileFrame, type TileGeometry } from './tile-geometry.ts';

/** The geometry types of the format. */
const geometryNumbers = { point: 1, line: 2, polygon: 3 } as const;

const MOVE_TO = 1;
const LINE_TO = 2;
const CLOSE_PATH = 15;

export interface TileLayer {
  readonly name: string;
  readonly bounds: Bounds;
  readonly attributes: readonly Attribute[];
  /** The name of the geometry attribute. */
  readonly geometry: string;
  /** The maximum number of features; beyond it, large features and a sample of the others are kept. */
  readonly limit: number;
  /** Whether feature ids are not stable and are omitted. */
  readonly isKeyless?: true | undefined;
}

interface TileFeature extends Pick<Feature, 'id' | 'values'> {
  readonly placed: TileGeometry;
}

export class VectorTileLayer {
  readonly #name: string;
  readonly #attributes: readonly Attribute[];
  readonly #geometry: number;
  readonly #frame: TileFrame;
  readonly #shown: Thinning<TileFeature>;
  readonly #prefix: string | undefined;
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<string | number | boolean, number>();

  /** `bounds` is in the CRS of the features. */
  constructor({ name, bounds, attributes, geometry, limit, isKeyless }: TileLayer) {
    this.#name = name;
    this.#attributes = attributes;
    this.#geometry = attributes.findIndex((each) => each.name === geometry);
    this.#frame = new TileFrame(bounds);
    this.#shown = new Thinning(limit);
    this.#prefix = isKeyless === true ? undefined : `${name}.`;
  }

  add({ id, values }: Feature): void {
    const geometry = values[this.#geometry] as Geometry | null | undefined;
    if (geometry === null || geometry === undefined) return;
    for (const placed of this.#frame.projectGeometry(geometry))
      this.#shown.add(id, isLarge(placed), { id, values, placed });
  }

  /** Returns the tile with this one layer; no bytes if it is empty. */
  finish(): Uint8Array {
    const shown = this.#shown.listItems();
    if (shown.length === 0) return new Uint8Array(0);
    const layer = new ProtobufWriter();
    layer.writeNumberField(15, 2);
    layer.writeTextField(1, this.#name);
    for (const each of shown) layer.writeBytesField(2, this.#encodeFeature(each));
    for (const key of this.#keys.keys()) layer.writeTextField(3, key);
    for (const value of this.#values.keys()) layer.writeBytesField(4, encodeValue(value));
    layer.writeNumberField(5, EXTENT);
    const tile = new ProtobufWriter();
    tile.writeBytesField(3, layer.finish());
    return tile.finish();
  }

  #encodeFeature({ id, values, placed: { type, parts } }: TileFeature): Uint8Array {
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

  /** Writes pairs of key and value indexes; keys and values are stored once per layer. */
  #encodeTags(values: Feature['values']): Uint8Array {
    const tags = new ProtobufWriter();
    for (const [index, attribute] of this.#attributes.entries()) {
      const value = attribute.kind === 'geometry' ? undefined : toTileValue(values[index] as Value);
      if (value === undefined) continue;
      tags.writeVarint(getOrAddIndex(this.#keys, attribute.name));
      tags.writeVarint(getOrAddIndex(this.#values, value));
    }
    return tags.finish();
  }
}

/** Four pixels wide or high; such features are always kept. */
const LARGE = 64;

function isLarge({ type, parts }: TileGeometry): boolean {
  return type !== 'point' && parts.some((part) => computeSpan(part, 0) >= LARGE || computeSpan(part, 1) >= LARGE);
}

function computeSpan(part: Line, axis: 0 | 1): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = axis; at < part.length; at += 2) {
    const value = part[at] ?? 0;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high - low;
}

function getOrAddIndex<T>(known: Map<T, number>, key: T): number {
  const number = known.get(key) ?? known.size;
  known.set(key, number);
  return number;
}

/** Converts types that tiles do not support to text; nulls and bytes are omitted. */
function toTileValue(value: Value): string | number | boolean | undefined {
  if (value === null || value instanceof Uint8Array) return undefined;
  if (value instanceof Date) return value.toISOString();
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
