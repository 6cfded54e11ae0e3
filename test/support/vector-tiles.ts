/** Reads Mapbox vector tiles, as far as tests need. */

export interface ReadTileFeature {
  readonly id: number | undefined;
  readonly type: 'point' | 'line' | 'polygon' | 'unknown';
  readonly properties: Readonly<Record<string, string | number | boolean>>;
  /** All positions, x and y, in tile units. */
  readonly places: readonly (readonly [number, number])[];
}

export interface ReadTileLayer {
  readonly name: string;
  readonly extent: number;
  readonly features: readonly ReadTileFeature[];
}

type Field = readonly [number: number, value: number | Buffer];

export function readVectorTile(bytes: Uint8Array): readonly ReadTileLayer[] {
  return decodeFields(Buffer.from(bytes)).flatMap(([number, value]) =>
    number === 3 && Buffer.isBuffer(value) ? [readLayer(value)] : [],
  );
}

/** The features of a single-layer tile; none for an empty one. */
export function featuresOfTile(bytes: Uint8Array): readonly ReadTileFeature[] {
  return readVectorTile(bytes).flatMap(({ features }) => features);
}

function readLayer(bytes: Buffer): ReadTileLayer {
  const fields = decodeFields(bytes);
  const all = (wanted: number) => fields.flatMap(([number, value]) => (number === wanted ? [value] : []));
  const keys = all(3).map(String);
  const values = all(4).map((each) => readValue(each as Buffer));
  return {
    name: String(all(1)[0]),
    extent: Number(all(5)[0] ?? 4_096),
    features: all(2).map((each) => readFeature(each as Buffer, keys, values)),
  };
}

function readValue(bytes: Buffer): string | number | boolean {
  const [[number, value] = [0, 0]] = decodeFields(bytes);
  if (number === 1) return String(value);
  if (number === 2) return (value as Buffer).readFloatLE(0);
  if (number === 3) return (value as Buffer).readDoubleLE(0);
  if (number === 6) return unzigzag(value as number);
  return number === 7 ? value === 1 : (value as number);
}

function readFeature(
  bytes: Buffer,
  keys: readonly string[],
  values: readonly (string | number | boolean)[],
): ReadTileFeature {
  const fields = new Map(decodeFields(bytes));
  const tags = decodeNumbers(fields.get(2));
  const pairs = tags.flatMap((tag, at) =>
    at % 2 === 0 ? [[keys[tag] ?? '', values[tags[at + 1] ?? 0] ?? ''] as const] : [],
  );
  return {
    id: fields.get(1) as number | undefined,
    type: (['unknown', 'point', 'line', 'polygon'] as const)[Number(fields.get(3) ?? 0)] ?? 'unknown',
    properties: Object.fromEntries(pairs),
    places: decodePositions(decodeNumbers(fields.get(4))),
  };
}

function decodePositions(commands: readonly number[]): readonly (readonly [number, number])[] {
  const places: (readonly [number, number])[] = [];
  let [x, y] = [0, 0];
  for (let at = 0; at < commands.length; ) {
    const command = commands[at] ?? 0;
    at += 1;
    const count = (command & 7) === 7 ? 0 : command >> 3;
    for (let step = 0; step < count; step += 1, at += 2) {
      x += unzigzag(commands[at] ?? 0);
      y += unzigzag(commands[at + 1] ?? 0);
      places.push([x, y]);
    }
  }
  return places;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

function decodeNumbers(packed: number | Buffer | undefined): readonly number[] {
  const numbers: number[] = [];
  const bytes = Buffer.isBuffer(packed) ? packed : Buffer.alloc(0);
  for (let at = 0; at < bytes.length; ) {
    const [value, next] = varintAt(bytes, at);
    numbers.push(value);
    at = next;
  }
  return numbers;
}

function varintAt(bytes: Buffer, start: number): readonly [number, number] {
  let [value, factor, at] = [0, 1, start];
  for (; (bytes[at] ?? 0) >= 0x80; at += 1, factor *= 0x80) value += ((bytes[at] ?? 0) & 0x7f) * factor;
  return [value + (bytes[at] ?? 0) * factor, at + 1];
}

function decodeFields(bytes: Buffer): readonly Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag, start] = varintAt(bytes, at);
    const [number, wire] = [tag >> 3, tag & 7];
    if (wire === 0) {
      const [value, next] = varintAt(bytes, start);
      fields.push([number, value]);
      at = next;
    } else {
      const [length, from] = wire === 2 ? varintAt(bytes, start) : [wire === 1 ? 8 : 4, start];
      fields.push([number, bytes.subarray(from, from + length)]);
      at = from + length;
    }
  }
  return fields;
}
