/** Writes the values of one property as a WFS 2.0.0 value collection. */
import { escapeAttribute } from '../../lib/xml/escape.ts';
import type { Feature } from '../../vector/port/port.ts';
import type { FeatureCollection, FeatureEncoder, FeatureSet } from '../port/port.ts';
import { type TextDocument, writeDocument } from '../writing/text-document.ts';
import type { TextWriter } from '../writing/text-writer.ts';
import { isGeometry } from '../writing/writable-geometry.ts';
import { createComplexFeatureWriter } from './complex-feature-gml.ts';
import { createGmlForm, isWritable, writeGeometryGml } from './geometry-gml.ts';
import { toXmlName, toXmlPrefix } from './xml-names.ts';
import { writeXmlValue } from './xml-text.ts';

/** Writes the first attribute of the features. */
export const valueCollection: FeatureEncoder = {
  encode: (collection, signal) => writeDocument(createDocument(collection), collection, signal),
};

function createDocument({ sets, links, timeStamp }: FeatureCollection): TextDocument {
  const [set] = sets;
  return {
    begin: (out) => {
      const paging = links().map(({ rel, href }) => ` ${rel}="${escapeAttribute(href)}"`);
      const { prefix = '', uri = '' } = set?.typeName ?? {};
      out.writeRaw(
        [
          '<?xml version="1.0" encoding="UTF-8"?>\n<wfs:ValueCollection xmlns:wfs="http://www.opengis.net/wfs/2.0"',
          ` xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:${toXmlPrefix(prefix)}="${escapeAttribute(uri)}"`,
          ` timeStamp="${timeStamp.toISOString()}" numberMatched="${set?.numberMatched ?? 'unknown'}"`,
          ` numberReturned="${set?.numberReturned ?? 0}"${paging.join('')}>`,
        ].join(''),
      );
    },
    beginSet: createValueWriter,
    end: (out) => out.writeRaw('</wfs:ValueCollection>'),
  };
}

function createValueWriter(out: TextWriter, { typeName, description, crs }: FeatureSet): (feature: Feature) => void {
  const [attribute] = description.attributes;
  if (attribute === undefined) return () => undefined;
  const name = `${toXmlPrefix(typeName.prefix)}:${toXmlName(attribute.name)}`;
  const form = createGmlForm('3.2.1', crs);
  const writeComplex = createComplexFeatureWriter(out, crs, '3.2.1');
  return ({ id, values: [value = null], content }) => {
    if (content !== undefined) {
      for (const property of content.children) {
        out.writeRaw('<wfs:member>');
        writeComplex(property, '', id);
        out.writeRaw('</wfs:member>');
      }
      return;
    }
    if (value === null) return;
    if (isGeometry(value)) {
      if (!isWritable(value, '3.2.1')) return;
      out.writeRaw(`<wfs:member><${name}>`);
      writeGeometryGml(out, value, form, `${toXmlName(id)}.${toXmlName(attribute.name)}`);
    } else {
      out.writeRaw(`<wfs:member><${name}>`);
      writeXmlValue(out, value, attribute.kind === 'value' ? attribute.type : 'string');
    }
    out.writeRaw(`</${name}></wfs:member>`);
  };
}
