/** Reads colour maps. */

import { createLiteral } from '../../../filter/model/literal.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildren } from '../../../lib/xml/elements.ts';
import { trimSpace } from '../../../lib/xml/text.ts';
import type { ColorMap, ColorMapEntry, ColorMapType, EntryValue } from '../../model/color-map.ts';
import type { SldReadContext } from '../document/read-context.ts';
import { quoteText } from '../grammar/expected.ts';
import { readFunctionElement } from './expression.ts';
import { color, number, opacity, type ValueKind } from './values.ts';

/** The limits of unlimited first and last intervals. */
const lowestQuantity = createLiteral(-Number.MAX_VALUE);
const highestQuantity = createLiteral(Number.MAX_VALUE);

export function readColorMap(reading: SldReadContext, element: XmlElement): ColorMap | undefined {
  const entries = listChildren(element, 'ColorMapEntry');
  const spelledOut = child(element, 'Categorize') ?? child(element, 'Interpolate');
  if (spelledOut !== undefined) {
    const [entry] = entries;
    if (entry !== undefined)
      reading.complaints.add(entry, `'ColorMapEntry' cannot be combined with '${spelledOut.local}' in ColorMap`);
    const call = readFunctionElement(reading, spelledOut);
    return call === undefined ? undefined : { kind: 'colorFunction', function: call };
  }
  return {
    kind: 'entries',
    type: readType(reading, element),
    extended: readExtended(reading, element),
    entries: entries.flatMap((each) => readEntry(reading, each) ?? []),
  };
}

function readType(reading: SldReadContext, element: XmlElement): ColorMapType {
  const written = attribute(element, 'type');
  const type = written?.trim().toLowerCase();
  if (type === 'ramp' || type === 'intervals' || type === 'values') return type;
  if (written !== undefined) {
    const problem = `the type of the ColorMap is ${quoteText(written)}, but ramp, intervals or values was expected`;
    // Other servers do the same.
    reading.complaints.warnUnlessStrict(element, `${problem}: it is read as ramp`, problem);
  }
  return 'ramp';
}

function readExtended(reading: SldReadContext, element: XmlElement): boolean | undefined {
  const written = attribute(element, 'extended');
  const extended = written?.trim().toLowerCase();
  if (extended === 'true') return true;
  if (written !== undefined && extended !== 'false') {
    const problem = `'extended' is ${quoteText(written)}, but true or false was expected`;
    reading.complaints.warnUnlessStrict(element, `${problem}: it is read as false`, problem);
  }
  return undefined;
}

function readEntry(reading: SldReadContext, element: XmlElement): ColorMapEntry | undefined {
  const readValue = (name: string, kind: ValueKind): EntryValue | undefined =>
    readAttributeValue(reading, element, name, kind);
  const entryColor = readValue('color', color);
  const quantity = readValue('quantity', number);
  const entryOpacity = readValue('opacity', opacity);
  const label = attribute(element, 'label');
  return entryColor === undefined ? undefined : { color: entryColor, quantity, opacity: entryOpacity, label };
}

/** Reads a value, or ECQL in `${…}` that returns one. */
function readAttributeValue(
  reading: SldReadContext,
  element: XmlElement,
  name: string,
  kind: ValueKind,
): EntryValue | undefined {
  const written = attribute(element, name);
  if (written === undefined) return undefined;
  const text = trimSpace(written);
  if (text.startsWith('${') && text.endsWith('}')) return { kind: 'embedded', text };
  if (kind.isValid(text)) return createLiteral(text);
  const problem = `'${name}' is ${quoteText(text)}, but ${kind.expected} was expected`;
  if (kind === number && /^[+-]?Infinity$/.test(text)) {
    reading.complaints.warnUnlessStrict(element, `${problem}: it is read as unlimited`, problem);
    return text.startsWith('-') ? lowestQuantity : highestQuantity;
  }
  const corrected = kind.correct?.(text);
  const outcome = corrected === undefined ? 'it is ignored' : `it is read as ${corrected}`;
  reading.complaints.warnUnlessStrict(element, `${problem}: ${outcome}`, problem);
  return corrected === undefined ? undefined : createLiteral(corrected);
}
