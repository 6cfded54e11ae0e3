/** Parts that the capabilities of WFS, WCS and WMTS have in common. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildren } from '../../../lib/xml/elements.ts';
import { readChildText, readXmlText } from '../http/read-xml-document.ts';
import type { GeographicBox } from './published-layer.ts';

/** Throws if the document has another root, such as one of another service. */
export function checkRoot({ local, name }: XmlElement, allowed: readonly string[]): void {
  if (!allowed.includes(local)) throw new Error(`The response is a document '${name}' instead of capabilities.`);
}

export function readWgs84Box(element: XmlElement): GeographicBox | undefined {
  const box = child(element, 'WGS84BoundingBox');
  const [west, south] = readPosition(box && readChildText(box, 'LowerCorner'));
  const [east, north] = readPosition(box && readChildText(box, 'UpperCorner'));
  return createBox({ west, south, east, north });
}

function readPosition(text = ''): readonly (number | undefined)[] {
  return text.trim().split(/\s+/).filter(Boolean).map(Number);
}

export function createBox(
  sides: {
    readonly [Side in keyof GeographicBox]: number | undefined;
  },
): GeographicBox | undefined {
  const { west, south, east, north } = sides;
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined;
  return [west, south, east, north].every(Number.isFinite) ? { west, south, east, north } : undefined;
}

export function listTexts(element: XmlElement | undefined, local: string): readonly string[] {
  return element === undefined ? [] : listChildren(element, local).map(readXmlText);
}

/** Writes formats in one form: `text/xml; subtype=gml/3.1.1` also if the server omits the space. */
export function normalizeFormat(format: string): string {
  return format
    .trim()
    .toLowerCase()
    .replaceAll(/\s*;\s*/g, '; ');
}

/** The values of a parameter of an operation, such as the output formats of GetFeature. */
export function listParameterValues(root: XmlElement, operation: string, parameter: string): readonly string[] {
  const metadata = child(root, 'OperationsMetadata');
  if (metadata === undefined) return [];
  return listChildren(metadata, 'Operation')
    .filter((each) => attribute(each, 'name') === operation)
    .flatMap((each) => listChildren(each, 'Parameter'))
    .filter((each) => attribute(each, 'name') === parameter)
    .flatMap((each) => {
      const allowed = child(each, 'AllowedValues') ?? each;
      return listTexts(allowed, 'Value');
    });
}
