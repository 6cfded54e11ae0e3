/** GetPropertyValue: the values of one property, as the standard writes a collection of them. */
import { complexFeatureWriter } from '../../data/encode/gml/complex-feature-gml.ts';
import { gmlForm, isWritable, writeGeometryGml } from '../../data/encode/gml/geometry-gml.ts';
import { xmlName, xmlPrefix } from '../../data/encode/gml/xml-names.ts';
import { writeXmlValue } from '../../data/encode/gml/xml-text.ts';
import type { FeatureCollection, FeatureEncoder, FeatureSet } from '../../data/encode/port.ts';
import { type TextDocument, writeDocument } from '../../data/encode/text-document.ts';
import type { TextWriter } from '../../data/encode/text-writer.ts';
import { isGeometry } from '../../data/encode/written-geometry.ts';
import type { Feature } from '../../data/vector/port.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { escapeAttribute } from '../../lib/xml/escape.ts';
import { findType, type WfsContext } from './context.ts';
import { getFeatures } from './get-feature.ts';
import type { WfsFormat } from './output-formats.ts';
import { propertyNamed } from './property-names.ts';
import type { GetPropertyValueRequest } from './request.ts';

export async function getPropertyValue(context: WfsContext, request: GetPropertyValueRequest): Promise<ServiceReply> {
  const { query, valueReference, ...rest } = request;
  const published = await findType(context, query.typeName, 'read');
  const { name } = propertyNamed(published, valueReference, 'valueReference');
  const queries = [{ ...query, propertyNames: [name] }];
  return getFeatures(context, { ...rest, kind: 'GetFeature', queries, isById: false }, { ...values, only: name });
}

const encoder: FeatureEncoder = {
  encode: (collection, signal) => writeDocument(valueCollection(collection), collection, signal),
};

const values: WfsFormat = {
  names: ['application/gml+xml; version=3.2'],
  format: {
    mediaType: 'application/xml;charset=utf-8',
    fileExtension: 'xml',
    isDownload: false,
    load: async () => encoder,
  },
  head: 'counts',
};

function valueCollection({ sets, links, timeStamp }: FeatureCollection): TextDocument {
  const [set] = sets;
  return {
    begin: (out) => {
      const paging = links().map(({ rel, href }) => ` ${rel}="${escapeAttribute(href)}"`);
      const { prefix = '', uri = '' } = set?.typeName ?? {};
      out.raw(
        [
          '<?xml version="1.0" encoding="UTF-8"?>\n<wfs:ValueCollection xmlns:wfs="http://www.opengis.net/wfs/2.0"',
          ` xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:${xmlPrefix(prefix)}="${escapeAttribute(uri)}"`,
          ` timeStamp="${timeStamp.toISOString()}" numberMatched="${set?.numberMatched ?? 'unknown'}"`,
          ` numberReturned="${set?.numberReturned ?? 0}"${paging.join('')}>`,
        ].join(''),
      );
    },
    beginSet: valueWriter,
    end: (out) => out.raw('</wfs:ValueCollection>'),
  };
}

function valueWriter(out: TextWriter, { typeName, description, crs }: FeatureSet): (feature: Feature) => void {
  const [attribute] = description.attributes;
  if (attribute === undefined) return () => undefined;
  const name = `${xmlPrefix(typeName.prefix)}:${xmlName(attribute.name)}`;
  const form = gmlForm('3.2.1', crs);
  const writeComplex = complexFeatureWriter(out, crs, '3.2.1');
  return ({ id, values: [value = null], content }) => {
    if (content !== undefined) {
      for (const property of content.children) {
        out.raw('<wfs:member>');
        writeComplex(property, '', id);
        out.raw('</wfs:member>');
      }
      return;
    }
    if (value === null) return;
    if (isGeometry(value)) {
      if (!isWritable(value, '3.2.1')) return;
      out.raw(`<wfs:member><${name}>`);
      writeGeometryGml(out, value, form, `${xmlName(id)}.${xmlName(attribute.name)}`);
    } else {
      out.raw(`<wfs:member><${name}>`);
      writeXmlValue(out, value, attribute.kind === 'value' ? attribute.type : 'string');
    }
    out.raw(`</${name}></wfs:member>`);
  };
}
