/** Values of the driver of the database -> documents; each is looked at only when somebody asks for it. */
import { BSON } from 'mongodb';
import type { Value, ValueType } from '../vector/port.ts';
import type { DocumentArray, DocumentNode, DocumentObject, DocumentScalar, IdentifiedDocument } from './document.ts';
import { documentJson } from './document.ts';

/** As the driver gives them with `promoteValues: false`: each number says which kind of number it is. */
export function identifiedDocument(document: BSON.Document): IdentifiedDocument {
  const root = objectOf(document);
  const id = root.get('_id');
  return { root, id: id === undefined ? '' : idText(id) };
}

function idText(node: DocumentNode): string {
  if (node.kind !== 'scalar') return documentJson(node);
  const { value } = node;
  return value instanceof Date ? value.toISOString() : value instanceof Uint8Array ? documentJson(node) : String(value);
}

/** Fields are asked for as own ones: a document may have one that is called `constructor`. */
function objectOf(raw: object): DocumentObject {
  return {
    kind: 'object',
    names: () => Object.keys(raw),
    get: (name) => {
      const property = Object.getOwnPropertyDescriptor(raw, name);
      return property === undefined ? undefined : nodeOf(property.value);
    },
  };
}

function arrayOf(raw: readonly unknown[]): DocumentArray {
  return { kind: 'array', length: raw.length, at: (index) => nodeOf(raw[index]) };
}

/** By the class of a value and not by the mark that the driver puts on it, which a document may have as a field. */
function nodeOf(raw: unknown): DocumentNode {
  if (Array.isArray(raw)) return arrayOf(raw);
  const known = scalarOf(raw);
  if (known !== undefined) return known;
  if (raw instanceof BSON.DBRef) return objectOf({ $ref: raw.collection, $id: raw.oid, ...raw.fields });
  return typeof raw === 'object' && raw !== null ? objectOf(raw) : scalar('string', String(raw));
}

function scalarOf(raw: unknown): DocumentScalar | undefined {
  if (raw === null || raw === undefined || raw instanceof BSON.MinKey || raw instanceof BSON.MaxKey) {
    return scalar('null', null);
  }
  switch (typeof raw) {
    case 'string':
      // A lone half of a character cannot be written anywhere.
      return scalar('string', raw.toWellFormed());
    case 'boolean':
      return scalar('boolean', raw);
    case 'number':
      return scalar('double', raw);
    case 'bigint':
      return scalar('long', wholeNumber(raw));
  }
  if (raw instanceof Date) return Number.isNaN(raw.getTime()) ? scalar('null', null) : scalar('timestamp', raw);
  if (raw instanceof BSON.Int32) return scalar('integer', raw.value);
  if (raw instanceof BSON.Double) return scalar('double', raw.value);
  if (raw instanceof BSON.ObjectId) return scalar('string', raw.toHexString());
  if (raw instanceof BSON.Decimal128) return scalar('decimal', raw.toString());
  // A time of the database's own log, which is a Long to the driver too; filters that it decides know no such times.
  if (raw instanceof BSON.Timestamp) {
    return scalar('string', new Date(raw.getHighBitsUnsigned() * 1_000).toISOString());
  }
  if (raw instanceof BSON.Long) return scalar('long', wholeNumber(raw.toBigInt()));
  if (raw instanceof BSON.UUID) return scalar('uuid', raw.toHexString());
  if (raw instanceof BSON.Binary) {
    return raw.sub_type === BSON.Binary.SUBTYPE_UUID && raw.length() === 16
      ? scalar('uuid', raw.toUUID().toHexString())
      : scalar('bytes', Uint8Array.from(raw.buffer.subarray(0, raw.length())));
  }
  if (raw instanceof BSON.BSONRegExp) return scalar('string', `/${raw.pattern}/${raw.options}`);
  if (raw instanceof BSON.BSONSymbol) return scalar('string', raw.value);
  if (raw instanceof BSON.Code) return scalar('string', String(raw.code));
  return raw instanceof RegExp ? scalar('string', String(raw)) : undefined;
}

function scalar(type: ValueType | 'null', value: Value): DocumentScalar {
  return { kind: 'scalar', type, value };
}

function wholeNumber(whole: bigint): number | bigint {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}
