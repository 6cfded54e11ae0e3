/** Writes the capabilities of WMS 1.3.0. */
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

export function* writeCapabilities13(content: CapabilitiesContent): Iterable<string> {
  const { root } = content;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<WMS_Capabilities version="1.3.0" updateSequence="${content.updateSequence}" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wms http://schemas.opengis.net/wms/1.3.0/capabilities_1_3_0.xsd">
<Service>
${writeServiceParts('WMS', content)}
<MaxWidth>${content.maxSide}</MaxWidth><MaxHeight>${content.maxSide}</MaxHeight>
</Service>
<Capability>
<Request>
${writeOperation('GetCapabilities', ['text/xml'], content)}${writeOperation('GetMap', content.mapFormats, content)}${writeOperation('GetFeatureInfo', content.infoFormats, content)}</Request>
${writeExceptionFormats(['XML', 'INIMAGE', 'BLANK', 'PARTIALMAP', 'JSON'])}
<Layer>
<Title>${escapeText(root.title)}</Title>${writeTextElement('Abstract', root.abstract)}
${writeSystems(root.crs)}${writeGeographicBox(root.geographic)}
`;
  yield* writeInPieces(content.layers, writeLayer);
  yield `</Layer>
</Capability>
</WMS_Capabilities>
`;
}

function writeLayer(map: ListedMap): string {
  return `${writeLayerHead(map)}${writeSystems(map.crs)}${writeGeographicBox(map.geographic)}${map.boxes.map(writeBox).join('')}${map.dimensions.map(writeDimension).join('')}
${writeLayerRemarks(map)}${writeScales(map)}${map.children.map(writeLayer).join('')}</Layer>
`;
}

function writeSystems(codes: readonly string[]): string {
  return codes.map((code) => `<CRS>${escapeText(code)}</CRS>`).join('');
}

function writeGeographicBox(bounds: ListedMap['geographic']): string {
  return bounds === undefined
    ? ''
    : `<EX_GeographicBoundingBox><westBoundLongitude>${bounds.minX}</westBoundLongitude><eastBoundLongitude>${bounds.maxX}</eastBoundLongitude><southBoundLatitude>${bounds.minY}</southBoundLatitude><northBoundLatitude>${bounds.maxY}</northBoundLatitude></EX_GeographicBoundingBox>`;
}

/** In the axis order of the CRS. */
function writeBox({ crs, bounds, isNorthFirst }: ListedBox): string {
  const { minX, minY, maxX, maxY } = bounds;
  const [a, b, c, d] = isNorthFirst ? [minY, minX, maxY, maxX] : [minX, minY, maxX, maxY];
  return `<BoundingBox CRS="${escapeAttribute(crs)}" minx="${a}" miny="${b}" maxx="${c}" maxy="${d}"/>`;
}

function writeDimension(of: ListedDimension): string {
  const symbol = of.unitSymbol === undefined ? '' : ` unitSymbol="${escapeAttribute(of.unitSymbol)}"`;
  const preset = of.default === undefined ? '' : ` default="${escapeAttribute(of.default)}"`;
  return `<Dimension name="${escapeAttribute(of.name)}" units="${escapeAttribute(of.units)}"${symbol}${preset} nearestValue="${of.isNearest ? 1 : 0}">${escapeText(of.values)}</Dimension>`;
}

function writeScales({ minScale, maxScale }: ListedMap): string {
  const min = minScale === 0 ? '' : `<MinScaleDenominator>${minScale}</MinScaleDenominator>`;
  const max = maxScale === Number.POSITIVE_INFINITY ? '' : `<MaxScaleDenominator>${maxScale}</MaxScaleDenominator>`;
  return `${min}${max}`;
}
