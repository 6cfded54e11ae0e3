/** CSV encoder: ids, then a column per attribute, geometries as well-known text. */
import { formatNumber } from '../../lib/values/number-text.ts';
import type { Feature, Value, ValueType } from '../../vector/port/port.ts';
import type { FeatureCollection, FeatureEncoder, FeatureSet } from '../port/port.ts';
import { formatMoment } from '../writing/format-moment.ts';
import { type TextDocument, writeDocument } from '../writing/text-document.ts';
import type { TextWriter } from '../writing/text-writer.ts';
import { isGeometry, toWritableGeometry } from '../writing/writable-geometry.ts';
import { writeWkt } from '../writing/write-wkt.ts';

const LINE_END = '\r\n';
const ID_COLUMN = 'FID';

export const csv: FeatureEncoder = {
  encode: (collection, signal) => writeDocument(createDocument(collection), collection, signal),
};

/** The rows of several queries follow each other, each type with its own header. */
function createDocument({ options, sets }: FeatureCollection): TextDocument {
  const separator = options.separator ?? ',';
  const needsQuotes = new RegExp(`["\\r\\n${escapeForCharacterClass(separator)}]|^\\s|\\s$|^$`);
  const quoteField = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return {
    begin: () => undefined,
    beginSet: (out, set) => {
      if (set !== sets[0]) out.writeRaw(LINE_END);
      const names = [ID_COLUMN, ...set.description.attributes.map(({ name }) => name)];
      out.writeRaw(`${names.map(quoteField).join(separator)}${LINE_END}`);
      return createRowWriter(out, set, separator, quoteField);
    },
    end: () => undefined,
  };
}

function escapeForCharacterClass(separator: string): string {
  return separator.replaceAll(/[\\\]^-]/g, '\\$&');
}

function createRowWriter(
  out: TextWriter,
  { description: { attributes }, crs }: FeatureSet,
  separator: string,
  quoted: (text: string) => string,
): (feature: Feature) => void {
  return ({ id, values }) => {
    out.writeRaw(quoted(id));
    for (let index = 0; index < attributes.length; index += 1) {
      const value = values[index] ?? null;
      const attribute = attributes[index];
      out.writeRaw(separator);
      if (value === null || attribute === undefined) continue;
      if (!isGeometry(value)) {
        out.writeRaw(quoted(formatValue(value, attribute.kind === 'value' ? attribute.type : 'string')));
        continue;
      }
      const geometry = toWritableGeometry(value);
      if (geometry === null) continue;
      out.writeRaw('"');
      writeWkt(out, geometry, crs.isNorthFirst);
      out.writeRaw('"');
    }
    out.writeRaw(LINE_END);
  };
}

function formatValue(value: NonNullable<Value>, type: ValueType): string {
  if (value instanceof Date) return formatMoment(value, type);
  if (typeof value === 'number' && Number.isFinite(value)) return formatNumber(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value);
}
