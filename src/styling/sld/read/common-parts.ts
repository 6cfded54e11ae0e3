/** Reads common parts: numbers, flags, points, addresses, named parameters and foreign XML. */
import { parseDecimal } from '../../../filter/model/literal.ts';
import { findNearestName } from '../../../lib/text/nearest-name.ts';
import { type XmlElement, xmlnsNamespace } from '../../../lib/xml/element.ts';
import { attribute, child, listChildElements, toOptionalList } from '../../../lib/xml/elements.ts';
import { readElementText } from '../../../lib/xml/text.ts';
import type { ForeignElement, Point, VendorOption } from '../../model/paint.ts';
import { xlinkNamespace } from '../document/namespaces.ts';
import type { SldReadContext } from '../document/read-context.ts';
import { formatAlternatives, quoteText } from '../grammar/expected.ts';
import { readParameter, reportInvalidValue } from './expression.ts';
import { anyText, number, offset, type ValueKind } from './values.ts';

export function readNumber(reading: SldReadContext, element: XmlElement, kind: ValueKind): number | undefined {
  const text = readElementText(element);
  if (kind.isValid(text)) return parseDecimal(text);
  const corrected = reportInvalidValue(reading, element, text, kind);
  return corrected === undefined ? undefined : parseDecimal(corrected);
}

const flag: ValueKind = {
  expected: 'true or false',
  isValid: (text) => /^(?:true|false|1|0)$/.test(text),
  correct: (text) => (/^(?:yes|on|y)$/.test(text) ? 'true' : /^(?:no|off|n)$/.test(text) ? 'false' : undefined),
};

export function readFlag(reading: SldReadContext, element: XmlElement): boolean | undefined {
  const text = readElementText(element).toLowerCase();
  const value = flag.isValid(text) ? text : reportInvalidValue(reading, element, readElementText(element), flag);
  return value === undefined ? undefined : value === 'true' || value === '1';
}

export function readAnchorPoint(reading: SldReadContext, element: XmlElement): Point | undefined {
  return readPoint(reading, element, 'AnchorPoint', number);
}

export function readDisplacement(reading: SldReadContext, element: XmlElement): Point | undefined {
  return readPoint(reading, element, 'Displacement', offset);
}

function readPoint(reading: SldReadContext, element: XmlElement, prefix: string, kind: ValueKind): Point | undefined {
  const [x, y] = [child(element, `${prefix}X`), child(element, `${prefix}Y`)].map((each) =>
    each === undefined ? undefined : readParameter(reading, each, kind),
  );
  return x === undefined || y === undefined ? undefined : { x, y };
}

/** Returns the address of an `OnlineResource`; accepts the attribute without the XLink namespace, which is common. */
export function readHref(reading: SldReadContext, element: XmlElement): string | undefined {
  const link = element.attributes.find(({ local, uri }) => local === 'href' && (uri === xlinkNamespace || uri === ''));
  const href = link?.value.trim() ?? '';
  if (href !== '') return href;
  reading.complaints.add(element, "the attribute 'xlink:href' is missing or empty on OnlineResource");
  return undefined;
}

/** Returns the address in the `OnlineResource` of an element. */
export function readChildHref(reading: SldReadContext, element: XmlElement): string | undefined {
  const resource = child(element, 'OnlineResource');
  return resource === undefined ? undefined : readHref(reading, resource);
}

/** Returns the vendor options of an element, in order. */
export function readVendorOptions(reading: SldReadContext, element: XmlElement): readonly VendorOption[] | undefined {
  return readNamedValues(reading, element, 'VendorOption');
}

/** Returns the values of elements with these names, by their attribute `name`. */
export function readNamedValues(
  reading: SldReadContext,
  element: XmlElement,
  ...locals: readonly string[]
): readonly VendorOption[] | undefined {
  const options: VendorOption[] = [];
  for (const each of listChildElements(element)) {
    if (!locals.includes(each.local)) continue;
    const name = attribute(each, 'name');
    const value = readParameter(reading, each, anyText);
    if (value !== undefined && name !== undefined) options.push({ name, value });
  }
  return toOptionalList(options);
}

/** The readers of parameters, by name. */
type ParameterReaders = Readonly<Record<string, (parameter: XmlElement) => void>>;

/** The parameters of all paint elements. A parameter of another element has no effect. */
const paintParameters: ReadonlySet<string> = new Set([
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-linejoin',
  'stroke-linecap',
  'stroke-dasharray',
  'stroke-dashoffset',
  'font-family',
  'font-style',
  'font-weight',
  'font-size',
]);

/**
 * Reads the parameters of a fill, stroke or font (`CssParameter` in 1.0.0, `SvgParameter` in 1.1.0). Only `repeatable`
 * may be repeated.
 */
export function readNamedParameters(
  reading: SldReadContext,
  element: XmlElement,
  readers: ParameterReaders,
  repeatable?: string,
): void {
  const seen: string[] = [];
  for (const each of element.children) {
    if (each.kind !== 'element' || (each.local !== 'CssParameter' && each.local !== 'SvgParameter')) continue;
    const written = attribute(each, 'name');
    if (written === undefined) continue;
    const name = written.trim().toLowerCase();
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined) {
      const known = formatAlternatives(Object.keys(readers));
      const problem = `${element.local} has no parameter ${quoteText(written)}`;
      const nearest = paintParameters.has(name) ? undefined : findNearestName(name, Object.keys(readers));
      const hint = nearest === undefined ? '' : ` (did you mean '${nearest}'?)`;
      reading.complaints.warnUnlessStrict(
        each,
        `${problem}${hint}: it has no effect`,
        `${problem}. Expected: ${known}`,
      );
    } else {
      if (seen.includes(name) && name !== repeatable) {
        const problem = `the parameter ${quoteText(name)} is repeated in ${element.local}`;
        reading.complaints.warnUnlessStrict(each, `${problem}: the last one is used`, problem);
      }
      seen.push(name);
      read(each);
    }
  }
}

/** Preserves XML that is not interpreted. */
export function toForeignElement({ local, uri, attributes, children }: XmlElement): ForeignElement {
  return {
    kind: 'element',
    name: local,
    namespace: uri,
    attributes: attributes
      .filter((each) => each.uri !== xmlnsNamespace)
      .map((each) => ({ name: each.local, namespace: each.uri, value: each.value })),
    children: children.map((node) =>
      node.kind === 'text' ? { kind: 'text', text: node.text } : toForeignElement(node),
    ),
  };
}
