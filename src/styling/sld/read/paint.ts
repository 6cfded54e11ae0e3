/** Reads graphics (marks and pictures), fills and strokes, which may contain each other. */
import type { Expression } from '../../../filter/model/expression.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import {
  attribute,
  child,
  listChildElements,
  listChildren,
  readChild,
  toOptionalList,
} from '../../../lib/xml/elements.ts';
import { findChildText, readElementText } from '../../../lib/xml/text.ts';
import type {
  ExternalGraphic,
  ExternalMark,
  Fill,
  Graphic,
  GraphicSource,
  GraphicStroke,
  GraphicSymbol,
  Mark,
  Stroke,
} from '../../model/paint.ts';
import type { SldReadContext } from '../document/read-context.ts';
import { quoteText } from '../grammar/expected.ts';
import {
  readAnchorPoint,
  readDisplacement,
  readHref,
  readNamedParameters,
  readNamedValues,
  readNumber,
  readVendorOptions,
  toForeignElement,
} from './common-parts.ts';
import { readFunctionElement, readParameter, readValueList } from './expression.ts';
import {
  anyText,
  color,
  length,
  lineCap,
  lineJoin,
  number,
  offset,
  opacity,
  type ValueKind,
  wholeNumber,
} from './values.ts';

export function readGraphic(reading: SldReadContext, element: XmlElement): Graphic {
  return {
    kind: 'graphic',
    symbols: readSymbols(reading, element),
    opacity: readChild(element, 'Opacity', (each) => readParameter(reading, each, opacity)),
    size: readChild(element, 'Size', (each) => readParameter(reading, each, length)),
    rotation: readChild(element, 'Rotation', (each) => readParameter(reading, each, number)),
    anchorPoint: readChild(element, 'AnchorPoint', (each) => readAnchorPoint(reading, each)),
    displacement: readChild(element, 'Displacement', (each) => readDisplacement(reading, each)),
    parameters: readNamedValues(reading, element, 'CssParameter', 'SvgParameter'),
    vendorOptions: readVendorOptions(reading, element),
  };
}

function readSymbols(reading: SldReadContext, element: XmlElement): readonly GraphicSymbol[] {
  const symbols: GraphicSymbol[] = [];
  for (const each of listChildElements(element)) {
    if (each.local === 'Mark') symbols.push(readMark(reading, each));
    if (each.local === 'ExternalGraphic') {
      const picture = readExternalGraphic(reading, each);
      if (picture !== undefined) symbols.push(picture);
    }
  }
  return symbols;
}

function readMark(reading: SldReadContext, element: XmlElement): Mark {
  return {
    kind: 'mark',
    wellKnownName: readChild(element, 'WellKnownName', (each) => readParameter(reading, each, anyText)),
    externalMark: readExternalMark(reading, element),
    fill: readChild(element, 'Fill', (each) => readFill(reading, each)),
    stroke: readChild(element, 'Stroke', (each) => readStroke(reading, each)),
  };
}

function readExternalMark(reading: SldReadContext, element: XmlElement): ExternalMark | undefined {
  const source = readSource(reading, element);
  const format = findChildText(element, 'Format');
  const index = readChild(element, 'MarkIndex', (each) => readNumber(reading, each, wholeNumber));
  if (child(element, 'OnlineResource') === undefined && child(element, 'InlineContent') === undefined) {
    const stray = child(element, 'Format') ?? child(element, 'MarkIndex');
    if (stray !== undefined)
      reading.complaints.add(stray, `'${stray.local}' requires an OnlineResource or InlineContent in the Mark`);
    return undefined;
  }
  if (format === undefined) reading.complaints.add(element, "'Format' is missing in Mark");
  return source === undefined || format === undefined ? undefined : { source, format, index };
}

function readExternalGraphic(reading: SldReadContext, element: XmlElement): ExternalGraphic | undefined {
  const source = readSource(reading, element);
  const replacements = listChildren(element, 'ColorReplacement').flatMap((each) => {
    const recode = child(each, 'Recode');
    const replacement = recode === undefined ? undefined : readFunctionElement(reading, recode);
    return replacement === undefined ? [] : [replacement];
  });
  if (source === undefined) return undefined;
  return {
    kind: 'externalGraphic',
    source,
    format: findChildText(element, 'Format') ?? '',
    colorReplacements: toOptionalList(replacements),
  };
}

function readSource(reading: SldReadContext, element: XmlElement): GraphicSource | undefined {
  const online = child(element, 'OnlineResource');
  if (online !== undefined) {
    const href = readHref(reading, online);
    return href === undefined ? undefined : { kind: 'online', href };
  }
  const inline = child(element, 'InlineContent');
  return inline === undefined ? undefined : readInlineContent(reading, inline);
}

function readInlineContent(reading: SldReadContext, element: XmlElement): GraphicSource | undefined {
  const encoding = attribute(element, 'encoding')?.trim();
  switch (encoding) {
    case 'base64': {
      const base64 = readElementText(element).replace(/[ \t\r\n]+/g, '');
      if (isBase64(base64)) return { kind: 'inlineBase64', base64 };
      reading.complaints.add(element, 'the content of InlineContent is not valid base64');
      return undefined;
    }
    case 'xml': {
      const [content, second] = listChildElements(element);
      if (content !== undefined && second === undefined)
        return { kind: 'inlineXml', element: toForeignElement(content) };
      reading.complaints.add(element, 'InlineContent must contain exactly one XML element');
      return undefined;
    }
    case undefined:
      return undefined;
    default:
      reading.complaints.add(element, `the encoding is ${quoteText(encoding)}, but base64 or xml was expected`);
      return undefined;
  }
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

export function readFill(reading: SldReadContext, element: XmlElement): Fill {
  let fillColor: Expression | undefined;
  let fillOpacity: Expression | undefined;
  readNamedParameters(reading, element, {
    fill: (each) => {
      fillColor = readParameter(reading, each, color);
    },
    'fill-opacity': (each) => {
      fillOpacity = readParameter(reading, each, opacity);
    },
  });
  return {
    kind: 'fill',
    graphicFill: readChild(element, 'GraphicFill', (holder) =>
      readChild(holder, 'Graphic', (graphic) => readGraphic(reading, graphic)),
    ),
    color: fillColor,
    opacity: fillOpacity,
  };
}

interface StrokeParameters {
  color?: Expression | undefined;
  opacity?: Expression | undefined;
  width?: Expression | undefined;
  lineJoin?: Expression | undefined;
  lineCap?: Expression | undefined;
  dashArray?: readonly Expression[] | undefined;
  dashOffset?: Expression | undefined;
}

/** Far more than patterns of maps have: each length is a part of the style that every map visits. */
const MAX_DASHES = 100;

export function readStroke(reading: SldReadContext, element: XmlElement): Stroke {
  const found: StrokeParameters = {};
  const createSetter = (key: Exclude<keyof StrokeParameters, 'dashArray'>, kind: ValueKind) => (each: XmlElement) => {
    found[key] = readParameter(reading, each, kind);
  };
  readNamedParameters(reading, element, {
    stroke: createSetter('color', color),
    'stroke-opacity': createSetter('opacity', opacity),
    'stroke-width': createSetter('width', length),
    'stroke-linejoin': createSetter('lineJoin', lineJoin),
    'stroke-linecap': createSetter('lineCap', lineCap),
    'stroke-dasharray': (each) => {
      const lengths = readValueList(reading, each, length);
      if (lengths.length > MAX_DASHES) {
        const problem = `stroke-dasharray has more than ${MAX_DASHES} lengths`;
        reading.complaints.warnUnlessStrict(each, `${problem}: the others are ignored`, problem);
      }
      found.dashArray = toOptionalList(lengths.slice(0, MAX_DASHES));
    },
    'stroke-dashoffset': createSetter('dashOffset', offset),
  });
  return {
    kind: 'stroke',
    graphicFill: readChild(element, 'GraphicFill', (holder) =>
      readChild(holder, 'Graphic', (graphic) => readGraphic(reading, graphic)),
    ),
    graphicStroke: readChild(element, 'GraphicStroke', (holder) => readGraphicStroke(reading, holder)),
    ...found,
  };
}

function readGraphicStroke(reading: SldReadContext, element: XmlElement): GraphicStroke | undefined {
  const graphic = child(element, 'Graphic');
  if (graphic === undefined) return undefined;
  return {
    graphic: readGraphic(reading, graphic),
    initialGap: readChild(element, 'InitialGap', (each) => readParameter(reading, each, offset)),
    gap: readChild(element, 'Gap', (each) => readParameter(reading, each, offset)),
    perpendicularOffset: readChild(element, 'PerpendicularOffset', (each) => readParameter(reading, each, offset)),
  };
}
