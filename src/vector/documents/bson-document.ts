/** Values of the driver of the database -> documents; each is looked at only when somebody asks for it. */
import { BSON } from 'mongodb';
import type { Value, ValueType } from '../port/port.ts';
import type { DocumentArray, DocumentNode, DocumentObject, DocumentScalar, IdentifiedDocument } from './document.ts';
import { formatJson } from './document.ts';

/** As the driver gives them with `promoteValues: false`: each number says which kind of number it is. */
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

/** Fields are asked for as own ones: a document may have one that is called `constructor`. */
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

/** By the class of a value and not by the mark that the driver puts on it, which a document may have as a field. */
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
      // A lone half of a character cannot be written anywhere.
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
  // A time of the database's own log, which is a Long to the driver too; filters that it decides know no such times.
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
