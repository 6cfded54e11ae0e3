/** DescribeCoverage: where coverages lie, how fine their grids are, and what their samples mean. */
import type { CoverageBand } from '../../catalog/coverages/coverage.ts';
import type { Grid } from '../../data/raster/port.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';
import { element } from '../ows/capabilities-parts.ts';
import { type Axes, axesOf, ordered } from './axes.ts';
import { coverageId, findCoverage, openServed, type ServedCoverage, type WcsContext } from './context.ts';
import { namespaces, XML_HEAD } from './documents.ts';
import type { DescribeCoverageRequest } from './request.ts';

export async function describeCoverage(context: WcsContext, { ids }: DescribeCoverageRequest): Promise<ServiceReply> {
  const described: string[] = [];
  for (const id of ids) {
    const served = await findCoverage(context, id, 'description');
    const { description } = await openServed(context, served);
    described.push(coverageDescription(served, description.grid, await axesOf(description.grid.crs)));
  }
  const body = `${XML_HEAD}<wcs:CoverageDescriptions ${namespaces}>
${described.join('')}</wcs:CoverageDescriptions>
`;
  return { contentType: 'application/xml;charset=utf-8', body };
}

function coverageDescription(served: ServedCoverage, grid: Grid, axes: Axes): string {
  const id = escapeAttribute(coverageId(served));
  const { title, abstract, resource } = served;
  return `<wcs:CoverageDescription gml:id="${id}">
${element('gml:description', abstract)}<gml:name>${escapeText(title)}</gml:name>
${envelope(grid, axes)}<wcs:CoverageId>${escapeText(coverageId(served))}</wcs:CoverageId>
<gml:coverageFunction><gml:GridFunction><gml:sequenceRule axisOrder="${ordered(axes, '+1', '+2').join(' ')}">Linear</gml:sequenceRule><gml:startPoint>0 0</gml:startPoint></gml:GridFunction></gml:coverageFunction>
${domainSet(grid, axes, id)}<gmlcov:rangeType><swe:DataRecord>
${resource.bands.map(field).join('')}</swe:DataRecord></gmlcov:rangeType>
<wcs:ServiceParameters><wcs:CoverageSubtype>RectifiedGridCoverage</wcs:CoverageSubtype><wcs:nativeFormat>image/tiff</wcs:nativeFormat></wcs:ServiceParameters>
</wcs:CoverageDescription>
`;
}

function envelope({ bounds }: Grid, axes: Axes): string {
  if (bounds === undefined) return '';
  const lower = ordered(axes, bounds.minX, bounds.minY).join(' ');
  const upper = ordered(axes, bounds.maxX, bounds.maxY).join(' ');
  return `<gml:boundedBy><gml:Envelope srsName="${axes.crsUri}" axisLabels="${axes.labels.join(' ')}" uomLabels="${axes.units.join(' ')}" srsDimension="2"><gml:lowerCorner>${lower}</gml:lowerCorner><gml:upperCorner>${upper}</gml:upperCorner></gml:Envelope></gml:boundedBy>
`;
}

/**
 * The origin is the middle of the first sample. The axes of the grid come in the order of the axes of the system, as GDAL
 * expects them: rows, which are called j, first where north comes first.
 */
function domainSet({ width, height, transform }: Grid, axes: Axes, id: string): string {
  if (transform === undefined) return '';
  const { originX, originY, columnX, columnY, rowX, rowY } = transform;
  const origin = ordered(axes, originX + (columnX + rowX) / 2, originY + (columnY + rowY) / 2).join(' ');
  const vector = (x: number, y: number) =>
    `<gml:offsetVector srsName="${axes.crsUri}">${ordered(axes, x, y).join(' ')}</gml:offsetVector>`;
  return `<gml:domainSet><gml:RectifiedGrid gml:id="grid00__${id}" dimension="2">
<gml:limits><gml:GridEnvelope><gml:low>0 0</gml:low><gml:high>${ordered(axes, width - 1, height - 1).join(' ')}</gml:high></gml:GridEnvelope></gml:limits>
<gml:axisLabels>${ordered(axes, 'i', 'j').join(' ')}</gml:axisLabels>
<gml:origin><gml:Point gml:id="p00_${id}" srsName="${axes.crsUri}"><gml:pos>${origin}</gml:pos></gml:Point></gml:origin>
${ordered(axes, vector(columnX, columnY), vector(rowX, rowY)).join('')}
</gml:RectifiedGrid></gml:domainSet>
`;
}

function field({ name, description, minimum, maximum, nullValues, unit }: CoverageBand): string {
  const nils = nullValues.map(
    (value) =>
      `<swe:nilValue reason="http://www.opengis.net/def/nil/OGC/0/unknown">${escapeText(value)}</swe:nilValue>`,
  );
  const interval =
    minimum === null || maximum === null
      ? ''
      : `<swe:constraint><swe:AllowedValues><swe:interval>${minimum} ${maximum}</swe:interval></swe:AllowedValues></swe:constraint>`;
  return `<swe:field name="${escapeAttribute(name)}"><swe:Quantity>${element('swe:description', description ?? '')}${nils.length === 0 ? '' : `<swe:nilValues><swe:NilValues>${nils.join('')}</swe:NilValues></swe:nilValues>`}<swe:uom code="${escapeAttribute(unit ?? '1')}"/>${interval}</swe:Quantity></swe:field>
`;
}
