/** CSV: the ids, then a column for each attribute, geometries as well-known text. */
import { numberText } from '../../../lib/number-text.ts';
import type { Feature, Value, ValueType } from '../../vector/port.ts';
import { momentText } from '../moment-text.ts';
import type { FeatureCollection, FeatureEncoder, FeatureSet } from '../port.ts';
import { type TextDocument, writeDocument } from '../text-document.ts';
import type { TextWriter } from '../text-writer.ts';
import { isGeometry, writtenGeometry } from '../written-geometry.ts';
import { writeWkt } from './write-wkt.ts';

const LINE_END = '\r\n';
const ID_COLUMN = 'FID';

export const csv: FeatureEncoder = {
  encode: (collection, signal) => writeDocument(createDocument(collection), collection, signal),
};

/** The rows of several queries stand below each other, each kind under its own names. */
function createDocument({ options, sets }: FeatureCollection): TextDocument {
  const separator = options.separator ?? ',';
  const needsQuotes = new RegExp(`["\\r\\n${escapedForClass(separator)}]|^\\s|\\s$|^$`);
  const quoted = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return {
    begin: () => undefined,
    beginSet: (out, set) => {
      if (set !== sets[0]) out.raw(LINE_END);
      const names = [ID_COLUMN, ...set.description.attributes.map(({ name }) => name)];
      out.raw(`${names.map(quoted).join(separator)}${LINE_END}`);
      return rowWriter(out, set, separator, quoted);
    },
    end: () => undefined,
  };
}

function escapedForClass(separator: string): string {
  return separator.replaceAll(/[\\\]^-]/g, '\\$&');
}

function rowWriter(
  out: TextWriter,
  { description: { attributes }, crs }: FeatureSet,
  separator: string,
  quoted: (text: string) => string,
): (feature: Feature) => void {
  return ({ id, values }) => {
    out.raw(quoted(id));
    for (let index = 0; index < attributes.length; index += 1) {
      const value = values[index] ?? null;
      const attribute = attributes[index];
      out.raw(separator);
      if (value === null || attribute === undefined) continue;
      if (!isGeometry(value)) {
        out.raw(quoted(textOf(value, attribute.kind === 'value' ? attribute.type : 'string')));
        continue;
      }
      const geometry = writtenGeometry(value);
      if (geometry === null) continue;
      out.raw('"');
      writeWkt(out, geometry, crs.isNorthFirst);
      out.raw('"');
    }
    out.raw(LINE_END);
  };
}

function textOf(value: NonNullable<Value>, type: ValueType): string {
  if (value instanceof Date) return momentText(value, type);
  if (typeof value === 'number' && Number.isFinite(value)) return numberText(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value);
}
