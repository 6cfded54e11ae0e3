/** Writes values as text for the keys of caches: equal values have the same text. */

/**
 * JSON with the values that JSON does not have. Serialization of V8 is unsuitable: it writes the integer 3 in two ways, which
 * depends on how objects of the same shape were used before.
 */
export function formatAnyValue(value: unknown): string {
  return JSON.stringify(value, replaceValue);
}

function replaceValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
  if (value instanceof RegExp) return { expression: String(value) };
  if (value instanceof ArrayBuffer) return { buffer: Buffer.from(value).toString('base64') };
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    return { bytes: Buffer.from(buffer, byteOffset, byteLength).toString('base64'), type: value.constructor.name };
  }
  if (value instanceof Map) return { map: [...value] };
  if (value instanceof Set) return { set: [...value] };
  return value;
}
