/** Converts values of the database driver to documents, lazily. */
import { BSON } from 'mongodb';
import type { Value, ValueType } from '../port/port.ts';
import type { DocumentArray, DocumentNode, DocumentObject, DocumentScalar, IdentifiedDocument } from './document.ts';
import { formatJson } from './document.ts';

/** Expects values with `promoteValues: false`, so that number types are preserved. */
export function toIdentifiedDocument(document: BSON.Document): IdentifiedDocument {
  const root = toDocumentObject(document);
  const id = root.get('_id');
  return { root, id: id === undefined ? '' : formatId(id) };
}

function formatId(node: DocumentNode): string {
  if (node.kind !== 'scalar') return formatJson(node);
  const { value } = node;
  return value instanceof Date ? value.toISOString() : value instanceof Uint8Array ? formatJson(node) : String(value);
}

/** Fields are read as own properties, because a document can have a field named `constructor`. */
function toDocumentObject(raw: object): DocumentObject {
  return {
    kind: 'object',
    listNames: () => Object.keys(raw),
    get: (name) => {
      const property = Object.getOwnPropertyDescriptor(raw, name);
      return property === undefined ? undefined : toDocumentNode(property.value);
    },
  };
}

function toDocumentArray(raw: readonly unknown[]): DocumentArray {
  return { kind: 'array', length: raw.length, at: (index) => toDocumentNode(raw[index]) };
}

/** Uses the class of a value and not the driver's type tag, which a document can contain as a field. */
function toDocumentNode(raw: unknown): DocumentNode {
  if (Array.isArray(raw)) return toDocumentArray(raw);
  const known = toDocumentScalar(raw);
  if (known !== undefined) return known;
  if (raw instanceof BSON.DBRef) return toDocumentObject({ $ref: raw.collection, $id: raw.oid, ...raw.fields });
  return typeof raw === 'object' && raw !== null ? toDocumentObject(raw) : createScalar('string', String(raw));
}

function toDocumentScalar(raw: unknown): DocumentScalar | undefined {
  if (raw === null || raw === undefined || raw instanceof BSON.MinKey || raw instanceof BSON.MaxKey) {
    return createScalar('null', null);
  }
  switch (typeof raw) {
    case 'string':
      // Unpaired surrogates cannot be encoded.
      return createScalar('string', raw.toWellFormed());
    case 'boolean':
      return createScalar('boolean', raw);
    case 'number':
      return createScalar('double', raw);
    case 'bigint':
      return createScalar('long', toInteger(raw));
  }
  if (raw instanceof Date)
    return Number.isNaN(raw.getTime()) ? createScalar('null', null) : createScalar('timestamp', raw);
  if (raw instanceof BSON.Int32) return createScalar('integer', raw.value);
  if (raw instanceof BSON.Double) return createScalar('double', raw.value);
  if (raw instanceof BSON.ObjectId) return createScalar('string', raw.toHexString());
  if (raw instanceof BSON.Decimal128) return createScalar('decimal', raw.toString());
  // An internal timestamp of the database, which is a Long in the driver; filters do not support it.
  if (raw instanceof BSON.Timestamp) {
    return createScalar('string', new Date(raw.getHighBitsUnsigned() * 1_000).toISOString());
  }
  if (raw instanceof BSON.Long) return createScalar('long', toInteger(raw.toBigInt()));
  if (raw instanceof BSON.UUID) return createScalar('uuid', raw.toHexString());
  if (raw instanceof BSON.Binary) {
    return raw.sub_type === BSON.Binary.SUBTYPE_UUID && raw.length() === 16
      ? createScalar('uuid', raw.toUUID().toHexString())
      : createScalar('bytes', Uint8Array.from(raw.buffer.subarray(0, raw.length())));
  }
  if (raw instanceof BSON.BSONRegExp) return createScalar('string', `/${raw.pattern}/${raw.options}`);
  if (raw instanceof BSON.BSONSymbol) return createScalar('string', raw.value);
  if (raw instanceof BSON.Code) return createScalar('string', String(raw.code));
  return raw instanceof RegExp ? createScalar('string', String(raw)) : undefined;
}

function createScalar(type: ValueType | 'null', value: Value): DocumentScalar {
  return { kind: 'scalar', type, value };
}

function toInteger(whole: bigint): number | bigint {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}
