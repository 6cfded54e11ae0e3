/** Writes small TIFF files without external programs, for tests that need many or invalid ones. */

export interface TiffTag {
  readonly tag: number;
  readonly type: 'ascii' | 'short' | 'long' | 'double';
  readonly values: readonly number[] | string;
}

const kinds = { ascii: [2, 1], short: [3, 2], long: [4, 4], double: [12, 8] } as const;

/** Little-endian, one directory before its values, one strip of samples at the end. */
export function tiffBytes(tags: readonly TiffTag[], samples: Uint8Array): Buffer {
  const complete = [
    ...tags,
    { tag: 273, type: 'long', values: [0] },
    { tag: 279, type: 'long', values: [samples.length] },
  ] as readonly TiffTag[];
  const sorted = complete.toSorted((a, b) => a.tag - b.tag);
  const directoryBytes = 2 + sorted.length * 12 + 4;
  const outside: Buffer[] = [];
  let end = 8 + directoryBytes;
  const places = new Map<number, Buffer>();
  for (const tag of sorted) {
    const bytes = valueBytes(tag);
    if (bytes.length <= 4) {
      places.set(tag.tag, Buffer.concat([bytes, Buffer.alloc(4 - bytes.length)]));
      continue;
    }
    places.set(tag.tag, longs([end]));
    outside.push(bytes);
    end += bytes.length;
  }
  places.set(273, longs([end]));
  const head = Buffer.concat([Buffer.from('II*\0', 'latin1'), longs([8])]);
  const entries = sorted.map((tag) => {
    const entry = Buffer.alloc(8);
    entry.writeUInt16LE(tag.tag, 0);
    entry.writeUInt16LE(kinds[tag.type][0], 2);
    entry.writeUInt32LE(valueBytes(tag).length / kinds[tag.type][1], 4);
    return Buffer.concat([entry, places.get(tag.tag) ?? Buffer.alloc(4)]);
  });
  const count = Buffer.alloc(2);
  count.writeUInt16LE(sorted.length);
  return Buffer.concat([head, count, ...entries, Buffer.alloc(4), ...outside, samples]);
}

function valueBytes({ type, values }: TiffTag): Buffer {
  if (typeof values === 'string') return Buffer.from(`${values}\0`, 'latin1');
  switch (type) {
    case 'short':
      return Buffer.concat(values.map((value) => shorts(value)));
    case 'double':
      return Buffer.from(Float64Array.from(values).buffer);
    default:
      return longs(values);
  }
}

function shorts(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function longs(values: readonly number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer);
}

/**
 * A grid of bytes in EPSG:32633 with its upper left corner at 500,000 east and 5,000,000 north, in pixels of 10 meters.
 */
export function geotiffBytes(
  width: number,
  height: number,
  value: (index: number) => number = (index) => index % 251,
): Buffer {
  return createGeotiff(
    width,
    Uint8Array.from({ length: width * height }, (_, index) => value(index)),
  );
}

/** The same with given samples. */
export function createGeotiff(width: number, samples: Uint8Array): Buffer {
  const height = samples.length / width;
  return tiffBytes(
    [
      { tag: 256, type: 'long', values: [width] },
      { tag: 257, type: 'long', values: [height] },
      { tag: 258, type: 'short', values: [8] },
      { tag: 259, type: 'short', values: [1] },
      { tag: 262, type: 'short', values: [1] },
      { tag: 277, type: 'short', values: [1] },
      { tag: 278, type: 'long', values: [height] },
      { tag: 33550, type: 'double', values: [10, 10, 0] },
      { tag: 33922, type: 'double', values: [0, 0, 0, 500_000, 5_000_000, 0] },
      { tag: 34735, type: 'short', values: [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32633] },
    ],
    samples,
  );
}

export interface GranulePlace {
  /** The upper left corner and the pixel size. */
  readonly left: number;
  readonly top: number;
  readonly pixel: number;
  /** An EPSG code: geographic if below 5000 except 3857, otherwise projected. */
  readonly epsg?: number;
  readonly bands?: number;
  /** In TIFF date format. */
  readonly date?: string;
  /** The samples, pixel by pixel; consecutive numbers by default. */
  readonly value?: (index: number) => number;
}

/** A grid of four by four pixels at any position. */
export function granuleBytes({
  left,
  top,
  pixel,
  epsg,
  bands = 1,
  date,
  value = (index) => index,
}: GranulePlace): Buffer {
  const isGeographic = epsg !== undefined && epsg >= 4000 && epsg < 5000;
  const keys = isGeographic
    ? [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, epsg]
    : [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, epsg ?? 0];
  return tiffBytes(
    [
      { tag: 256, type: 'long', values: [4] },
      { tag: 257, type: 'long', values: [4] },
      { tag: 258, type: 'short', values: Array<number>(bands).fill(8) },
      { tag: 259, type: 'short', values: [1] },
      { tag: 262, type: 'short', values: [1] },
      { tag: 277, type: 'short', values: [bands] },
      { tag: 278, type: 'long', values: [4] },
      ...(date === undefined ? [] : [{ tag: 306, type: 'ascii', values: date } as const]),
      { tag: 33550, type: 'double', values: [pixel, pixel, 0] },
      { tag: 33922, type: 'double', values: [0, 0, 0, left, top, 0] },
      ...(epsg === undefined ? [] : [{ tag: 34735, type: 'short', values: keys } as const]),
    ],
    Uint8Array.from({ length: 16 * bands }, (_, index) => value(index)),
  );
}
