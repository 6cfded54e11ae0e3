/** Reads features from GML collections of a remote WFS, element by element. */
import { setImmediate as others } from 'node:timers/promises';
import { findAttribute, readText } from '../../cascade/xml-elements.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { startReadingXml } from '../../lib/xml/reader.ts';
import type { Attribute, Feature, Value } from '../port/port.ts';
import { readDate, readMoment, readWholeNumber } from '../support/value-text.ts';
import { createNorthFirstTest, decodeGml, type IsNorthFirst, isGmlGeometry } from './gml.ts';

/** A page of features has megabytes, and so can a single geometry. */
const limits = { maxDepth: 100, maxNodes: 20_000_000 };

/** Characters to parse before other requests get a turn. */
const PIECE_CHARACTERS = 262_144;

/** Returns the features with that name in order. Throws the XML error of an invalid document. */
export async function readFeatures(
  text: string,
  local: string,
  attributes: readonly Attribute[],
): Promise<{ readonly features: readonly Feature[]; readonly root: XmlElement }> {
  const found: XmlElement[] = [];
  const srsNames = new Set<string>();
  const reading = startReadingXml(text, limits, {
    closed: (element, around) => {
      const srsName = findAttribute(element, 'srsName');
      if (srsName !== undefined) srsNames.add(srsName);
      const holder = around.at(-1)?.local ?? '';
      if (element.local !== local || !/^(?:member|featureMembers?)$/.test(holder)) return element;
      found.push(element);
      return { ...element, children: [] };
    },
  });
  let root: XmlElement | undefined;
  while (root === undefined) {
    root = reading.advance(PIECE_CHARACTERS);
    await others();
  }
  const northFirst = await createNorthFirstTest(srsNames);
  return { features: found.map((element, index) => readFeature(element, index, attributes, northFirst)), root };
}

function readFeature(
  element: XmlElement,
  index: number,
  attributes: readonly Attribute[],
  northFirst: IsNorthFirst,
): Feature {
  const properties = new Map<string, XmlElement>();
  for (const child of element.children) if (child.kind === 'element') properties.set(child.local, child);
  return {
    id: findAttribute(element, 'id') ?? findAttribute(element, 'fid') ?? `${element.local}.${index + 1}`,
    values: attributes.map((attribute) => readValue(properties.get(attribute.name), attribute, northFirst)),
  };
}

function readValue(property: XmlElement | undefined, attribute: Attribute, northFirst: IsNorthFirst): Value | Geometry {
  if (property === undefined) return null;
  if (attribute.kind === 'geometry') {
    const inner = property.children.find((child) => child.kind === 'element' && isGmlGeometry(child));
    return inner?.kind === 'element' ? (decodeGml(inner, northFirst) ?? null) : null;
  }
  const text = readText(property);
  return text === null
    ? attribute.type === 'string' && !isNil(property)
      ? ''
      : null
    : parseValue(text, attribute.type);
}

function isNil(element: XmlElement): boolean {
  return findAttribute(element, 'nil') === 'true';
}

/** Returns null for an invalid value. */
function parseValue(text: string, type: Extract<Attribute, { kind: 'value' }>['type']): Value {
  switch (type) {
    case 'boolean':
      return /^(?:true|1)$/i.test(text) ? true : /^(?:false|0)$/i.test(text) ? false : null;
    case 'short':
    case 'integer':
    case 'long':
      return /^[+-]?\d{1,30}$/.test(text) ? readWholeNumber(text) : null;
    case 'float':
    case 'double':
    case 'decimal': {
      const number = Number(text);
      return Number.isFinite(number) ? number : null;
    }
    case 'date':
      return readDate(text.replace(/^(\d{4}-\d\d-\d\d)Z$/, '$1'));
    case 'timestamp':
      return readMoment(text.replace(/^(\d{4}-\d\d-\d\d)Z$/, '$1'));
    case 'bytes':
      return Buffer.from(text, 'base64');
    default:
      return text;
  }
}
