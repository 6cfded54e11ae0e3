/** Reads symbolizers. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, readChild } from '../../../lib/xml/elements.ts';
import type {
  LineSymbolizer,
  PointSymbolizer,
  PolygonSymbolizer,
  RasterSymbolizer,
  Symbolizer,
  SymbolizerBase,
  TextSymbolizer,
  UnitOfMeasure,
} from '../../model/symbolizer.ts';
import type { SldReadContext } from '../document/read-context.ts';
import { quoteText } from '../grammar/expected.ts';
import { readColorMap } from './color-map.ts';
import { readChildHref, readDisplacement, readVendorOptions } from './common-parts.ts';
import { readLabel, readOnlyExpression, readParameter } from './expression.ts';
import { readDescription, readName } from './heading.ts';
import { readFont, readHalo, readLabelPlacement } from './label.ts';
import { readFill, readGraphic, readStroke } from './paint.ts';
import { readChannelSelection, readContrastEnhancement, readOverlapBehavior, readShadedRelief } from './raster.ts';
import { number, offset, opacity } from './values.ts';

/** Returns undefined for an element that is not a symbolizer. */
export function readSymbolizer(reading: SldReadContext, element: XmlElement): Symbolizer | undefined {
  switch (element.local) {
    case 'PointSymbolizer':
      return readPointSymbolizer(reading, element);
    case 'LineSymbolizer':
      return readLineSymbolizer(reading, element);
    case 'PolygonSymbolizer':
      return readPolygonSymbolizer(reading, element);
    case 'TextSymbolizer':
      return readTextSymbolizer(reading, element);
    case 'RasterSymbolizer':
      return readRasterSymbolizer(reading, element);
    default:
      return undefined;
  }
}

function readBase(reading: SldReadContext, element: XmlElement): SymbolizerBase {
  return {
    name: readName(element),
    ...readDescription(element),
    baseSymbolizer: readChild(element, 'BaseSymbolizer', (each) => readChildHref(reading, each)),
    geometry: readChild(element, 'Geometry', (each) => readOnlyExpression(reading, each)),
    uom: readUom(reading, element),
    vendorOptions: readVendorOptions(reading, element),
  };
}

/** The standard defines URIs for the units; their last part is sufficient, and common. */
function readUom(reading: SldReadContext, element: XmlElement): UnitOfMeasure | undefined {
  const written = attribute(element, 'uom');
  if (written === undefined) return undefined;
  const word = written.trim().replace(/^http:\/\/www\.open(?:geospatial\.org|gis\.net)\/se\/units\//, '');
  switch (word.toLowerCase()) {
    case 'pixel':
    case 'px':
      return 'pixel';
    case 'metre':
    case 'meter':
    case 'm':
      return 'metre';
    case 'foot':
    case 'ft':
      return 'foot';
    default:
      reading.complaints.add(
        element,
        `the uom is ${quoteText(written)}, but the URI of pixel, metre or foot was expected`,
      );
      return undefined;
  }
}

function readPointSymbolizer(reading: SldReadContext, element: XmlElement): PointSymbolizer {
  return {
    kind: 'pointSymbolizer',
    ...readBase(reading, element),
    graphic: readChild(element, 'Graphic', (each) => readGraphic(reading, each)),
  };
}

function readLineSymbolizer(reading: SldReadContext, element: XmlElement): LineSymbolizer {
  return {
    kind: 'lineSymbolizer',
    ...readBase(reading, element),
    stroke: readChild(element, 'Stroke', (each) => readStroke(reading, each)),
    perpendicularOffset: readChild(element, 'PerpendicularOffset', (each) => readParameter(reading, each, offset)),
  };
}

function readPolygonSymbolizer(reading: SldReadContext, element: XmlElement): PolygonSymbolizer {
  return {
    kind: 'polygonSymbolizer',
    ...readBase(reading, element),
    fill: readChild(element, 'Fill', (each) => readFill(reading, each)),
    stroke: readChild(element, 'Stroke', (each) => readStroke(reading, each)),
    displacement: readChild(element, 'Displacement', (each) => readDisplacement(reading, each)),
    perpendicularOffset: readChild(element, 'PerpendicularOffset', (each) => readParameter(reading, each, offset)),
  };
}

function readTextSymbolizer(reading: SldReadContext, element: XmlElement): TextSymbolizer {
  return {
    kind: 'textSymbolizer',
    ...readBase(reading, element),
    label: readChild(element, 'Label', (each) => readLabel(reading, each)),
    font: readChild(element, 'Font', (each) => readFont(reading, each)),
    placement: readChild(element, 'LabelPlacement', (each) => readLabelPlacement(reading, each)),
    halo: readChild(element, 'Halo', (each) => readHalo(reading, each)),
    fill: readChild(element, 'Fill', (each) => readFill(reading, each)),
    graphic: readChild(element, 'Graphic', (each) => readGraphic(reading, each)),
    priority: readChild(element, 'Priority', (each) => readParameter(reading, each, number)),
    snippet: readChild(element, 'Snippet', (each) => readLabel(reading, each)),
    featureDescription: readChild(element, 'FeatureDescription', (each) => readLabel(reading, each)),
    otherText: readChild(element, 'OtherText', (each) => {
      const text = readLabel(reading, each);
      return text === undefined ? undefined : { target: attribute(each, 'target') ?? '', text };
    }),
  };
}

function readRasterSymbolizer(reading: SldReadContext, element: XmlElement): RasterSymbolizer {
  return {
    kind: 'rasterSymbolizer',
    ...readBase(reading, element),
    opacity: readChild(element, 'Opacity', (each) => readParameter(reading, each, opacity)),
    channelSelection: readChild(element, 'ChannelSelection', (each) => readChannelSelection(reading, each)),
    overlapBehavior: readChild(element, 'OverlapBehavior', (each) => readOverlapBehavior(reading, each)),
    colorMap: readChild(element, 'ColorMap', (each) => readColorMap(reading, each)),
    contrastEnhancement: readChild(element, 'ContrastEnhancement', (each) => readContrastEnhancement(reading, each)),
    shadedRelief: readChild(element, 'ShadedRelief', (each) => readShadedRelief(reading, each)),
    imageOutline: readChild(element, 'ImageOutline', (each) => readImageOutline(reading, each)),
  };
}

function readImageOutline(
  reading: SldReadContext,
  element: XmlElement,
): LineSymbolizer | PolygonSymbolizer | undefined {
  const line = child(element, 'LineSymbolizer');
  if (line !== undefined) return readLineSymbolizer(reading, line);
  return readChild(element, 'PolygonSymbolizer', (polygon) => readPolygonSymbolizer(reading, polygon));
}
