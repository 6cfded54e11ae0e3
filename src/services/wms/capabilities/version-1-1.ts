/** Writes the capabilities of WMS 1.1.1. */
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import { writeInPieces, writeTextElement } from '../../ows/capabilities-parts.ts';
import {
  writeExceptionFormats,
  writeLayerHead,
  writeLayerRemarks,
  writeOperation,
  writeServiceParts,
} from './common-parts.ts';
import type { CapabilitiesContent, ListedBox, ListedDimension, ListedMap } from './content.ts';

export function* writeCapabilities11(content: CapabilitiesContent): Iterable<string> {
  const { root, tileSets } = content;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE WMT_MS_Capabilities SYSTEM "http://schemas.opengis.net/wms/1.1.1/WMS_MS_Capabilities.dtd"${tileSets === undefined ? '' : ` [\n${tileSets.declarations}\n]`}>
<WMT_MS_Capabilities version="1.1.1" updateSequence="${content.updateSequence}">
<Service>
${writeServiceParts('OGC:WMS', content)}
</Service>
<Capability>
<Request>
${writeOperation('GetCapabilities', ['application/vnd.ogc.wms_xml'], content)}${writeOperation('GetMap', content.mapFormats, content)}${writeOperation('GetFeatureInfo', content.infoFormats, content)}${writeOperation('DescribeLayer', ['application/vnd.ogc.wms_xml', 'application/json'], content)}${writeOperation('GetLegendGraphic', content.legendFormats, content)}${writeOperation('GetStyles', ['application/vnd.ogc.sld+xml'], content)}</Request>
${writeExceptionFormats(['application/vnd.ogc.se_xml', 'application/vnd.ogc.se_inimage', 'application/vnd.ogc.se_blank', 'application/vnd.gs.wms_partial', 'application/json'])}
`;
  if (tileSets !== undefined) {
    yield '<VendorSpecificCapabilities>\n';
    yield* tileSets.elements;
    yield '</VendorSpecificCapabilities>\n';
  }
  yield `<UserDefinedSymbolization SupportSLD="${content.takesStyles ? 1 : 0}" UserLayer="0" UserStyle="${content.takesStyles ? 1 : 0}" RemoteWFS="0"/>
<Layer>
<Title>${escapeText(root.title)}</Title>${writeTextElement('Abstract', root.abstract)}
${writeSystems(root.crs)}${writeGeographicBox(root.geographic)}
`;
  yield* writeInPieces(content.layers, writeLayer);
  yield `</Layer>
</Capability>
</WMT_MS_Capabilities>
`;
}

function writeLayer(map: ListedMap): string {
  return `${writeLayerHead(map)}${writeSystems(map.crs)}${writeGeographicBox(map.geographic)}${listBoxes(map).map(writeBox).join('')}${map.dimensions.map(writeDimension).join('')}${map.dimensions.map(writeExtent).join('')}
${writeLayerRemarks(map)}${writeScaleHint(map)}${map.children.map(writeLayer).join('')}</Layer>
`;
}

/** This version does not define it. */
const UNDEFINED_CRS = 'CRS:84';

function listBoxes({ boxes }: ListedMap): readonly ListedBox[] {
  return boxes.filter(({ crs }) => crs !== UNDEFINED_CRS);
}

function writeSystems(codes: readonly string[]): string {
  return codes
    .filter((code) => code !== UNDEFINED_CRS)
    .map((code) => `<SRS>${escapeText(code)}</SRS>`)
    .join('');
}

function writeGeographicBox(bounds: ListedMap['geographic']): string {
  return bounds === undefined
    ? ''
    : `<LatLonBoundingBox minx="${bounds.minX}" miny="${bounds.minY}" maxx="${bounds.maxX}" maxy="${bounds.maxY}"/>`;
}

/** Always x before y. */
function writeBox({ crs, bounds }: ListedBox): string {
  return `<BoundingBox SRS="${escapeAttribute(crs)}" minx="${bounds.minX}" miny="${bounds.minY}" maxx="${bounds.maxX}" maxy="${bounds.maxY}"/>`;
}

function writeDimension({ name, units, unitSymbol }: ListedDimension): string {
  const symbol = unitSymbol === undefined ? '' : ` unitSymbol="${escapeAttribute(unitSymbol)}"`;
  return `<Dimension name="${escapeAttribute(name)}" units="${escapeAttribute(units)}"${symbol}/>`;
}

function writeExtent(of: ListedDimension): string {
  const preset = of.default === undefined ? '' : ` default="${escapeAttribute(of.default)}"`;
  return `<Extent name="${escapeAttribute(of.name)}"${preset} nearestValue="${of.isNearest ? 1 : 0}">${escapeText(of.values)}</Extent>`;
}

/** The diagonal of a pixel of 0.28 mm, in metres on the ground. */
const DIAGONAL = 0.000_28 * Math.SQRT2;

function writeScaleHint({ minScale, maxScale }: ListedMap): string {
  if (minScale === 0 && maxScale === Number.POSITIVE_INFINITY) return '';
  const max = maxScale === Number.POSITIVE_INFINITY ? 'Infinity' : String(maxScale * DIAGONAL);
  return `<ScaleHint min="${minScale * DIAGONAL}" max="${max}"/>`;
}
