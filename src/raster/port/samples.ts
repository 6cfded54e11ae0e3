/** The sample types and their arrays. */

export const sampleTypes = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  uint64: BigUint64Array,
  int64: BigInt64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

export type SampleType = keyof typeof sampleTypes;

export type Samples =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigUint64Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

export function createSamples(type: SampleType, length: number): Samples {
  return new sampleTypes[type](length);
}

/** Returns the bytes as samples in the byte order of this machine; copies them only if they are not aligned. */
export function createSamplesView(type: SampleType, bytes: Uint8Array): Samples {
  const array = sampleTypes[type];
  const whole = Math.floor(bytes.byteLength / array.BYTES_PER_ELEMENT);
  const { buffer, byteOffset } = bytes;
  if (buffer instanceof ArrayBuffer && byteOffset % array.BYTES_PER_ELEMENT === 0)
    return new array(buffer, byteOffset, whole);
  return new array(new Uint8Array(bytes).buffer, 0, whole);
}

export function getBytesPerSample(type: SampleType): number {
  return sampleTypes[type].BYTES_PER_ELEMENT;
}

/** Returns the value as a sample of that type; undefined if the type cannot represent it. */
export function toSample(type: SampleType, value: number | bigint): number | bigint | undefined {
  switch (type) {
    case 'float32':
      return Math.fround(Number(value));
    case 'float64':
      return Number(value);
    case 'int64':
    case 'uint64': {
      const whole = toBigInt(value);
      if (whole === undefined) return undefined;
      return (type === 'int64' ? BigInt.asIntN(64, whole) : BigInt.asUintN(64, whole)) === whole ? whole : undefined;
    }
    default: {
      const [stored = Number.NaN] = new sampleTypes[type]([Number(value)]);
      return stored === Number(value) ? stored : undefined;
    }
  }
}

function toBigInt(value: number | bigint): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return Number.isInteger(value) ? BigInt(value) : undefined;
}
