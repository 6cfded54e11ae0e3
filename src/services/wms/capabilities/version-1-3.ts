/** The capabilities of WMS 1.3.0. */
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import { element, inPieces } from '../../ows/capabilities-parts.ts';
import { exceptionFormats, layerHead, layerRemarks, operation, serviceParts } from './common-parts.ts';
import type { CapabilitiesContent, ListedBox, ListedDimension, ListedMap } from './content.ts';

export function* capabilities13(content: CapabilitiesContent): Iterable<string> {
  const { root } = content;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<WMS_Capabilities version="1.3.0" updateSequence="${content.updateSequence}" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wms http://schemas.opengis.net/wms/1.3.0/capabilities_1_3_0.xsd">
<Service>
${serviceParts('WMS', content)}
<MaxWidth>${content.maxSide}</MaxWidth><MaxHeight>${content.maxSide}</MaxHeight>
</Service>
<Capability>
<Request>
${operation('GetCapabilities', ['text/xml'], content)}${operation('GetMap', content.mapFormats, content)}${operation('GetFeatureInfo', content.infoFormats, content)}</Request>
${exceptionFormats(['XML', 'INIMAGE', 'BLANK', 'PARTIALMAP', 'JSON'])}
<Layer>
<Title>${escapeText(root.title)}</Title>${element('Abstract', root.abstract)}
${systems(root.crs)}${geographicBox(root.geographic)}
`;
  yield* inPieces(content.layers, layer);
  yield `</Layer>
</Capability>
</WMS_Capabilities>
`;
}

function layer(map: ListedMap): string {
  return `${layerHead(map)}${systems(map.crs)}${geographicBox(map.geographic)}${map.boxes.map(box).join('')}${map.dimensions.map(dimension).join('')}
${layerRemarks(map)}${scales(map)}${map.children.map(layer).join('')}</Layer>
`;
}

function systems(codes: readonly string[]): string {
  return codes.map((code) => `<CRS>${escapeText(code)}</CRS>`).join('');
}

function geographicBox(bounds: ListedMap['geographic']): string {
  return bounds === undefined
    ? ''
    : `<EX_GeographicBoundingBox><westBoundLongitude>${bounds.minX}</westBoundLongitude><eastBoundLongitude>${bounds.maxX}</eastBoundLongitude><southBoundLatitude>${bounds.minY}</southBoundLatitude><northBoundLatitude>${bounds.maxY}</northBoundLatitude></EX_GeographicBoundingBox>`;
}

/** In the order of the axes of its system. */
function box({ crs, bounds, isNorthFirst }: ListedBox): string {
  const { minX, minY, maxX, maxY } = bounds;
  const [a, b, c, d] = isNorthFirst ? [minY, minX, maxY, maxX] : [minX, minY, maxX, maxY];
  return `<BoundingBox CRS="${escapeAttribute(crs)}" minx="${a}" miny="${b}" maxx="${c}" maxy="${d}"/>`;
}

function dimension(of: ListedDimension): string {
  const symbol = of.unitSymbol === undefined ? '' : ` unitSymbol="${escapeAttribute(of.unitSymbol)}"`;
  const preset = of.default === undefined ? '' : ` default="${escapeAttribute(of.default)}"`;
  return `<Dimension name="${escapeAttribute(of.name)}" units="${escapeAttribute(of.units)}"${symbol}${preset} nearestValue="${of.isNearest ? 1 : 0}">${escapeText(of.values)}</Dimension>`;
}

function scales({ minScale, maxScale }: ListedMap): string {
  const min = minScale === 0 ? '' : `<MinScaleDenominator>${minScale}</MinScaleDenominator>`;
  const max = maxScale === Number.POSITIVE_INFINITY ? '' : `<MaxScaleDenominator>${maxScale}</MaxScaleDenominator>`;
  return `${min}${max}`;
}
