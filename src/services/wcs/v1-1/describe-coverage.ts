/** DescribeCoverage of WCS 1.1.1. */
import { writeCrsName } from '../../../crs/axis-order.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { escapeText } from '../../../lib/xml/escape.ts';
import { writeTextElement } from '../../ows/capabilities-parts.ts';
import { splitNameList } from '../../ows/name-lists.ts';
import { writeKeywords } from '../../ows/ows-common.ts';
import { orderAxes, resolveAxes } from '../coverage/axes.ts';
import { formatBandKey } from '../coverage/band-numbers.ts';
import {
  findServedCoverage,
  getServedCoverage,
  openServedCoverage,
  type ServedCoverage,
  type WcsContext,
} from '../coverage/context.ts';
import { loadDescribedDimensions } from '../coverage/described-dimensions.ts';
import { XML_HEAD } from '../coverage/documents.ts';
import { type DescribedDimension, formatDimensionValue } from '../coverage/grid-documents.ts';
import { computeUprightGrid, type OutputGrid } from '../coverage/output-grid.ts';
import { CONTENT_TYPE, namespaces } from './documents.ts';
import { writeSupported } from './get-capabilities.ts';
import { AXIS, FIELD } from './range-subset.ts';

export async function describeCoverage(context: WcsContext, identifiers: string): Promise<ServiceReply> {
  const isKnown = async (id: string) => (await findServedCoverage(context, id, 'description')) !== undefined;
  const described = new Map<string, string>();
  for (const id of await splitNameList(identifiers, isKnown)) {
    const served = await getServedCoverage(context, { id, field: 'identifiers' }, 'description');
    described.set(served.qualifiedName, await writeDescription(context, served));
  }
  const schema = 'http://www.opengis.net/wcs/1.1.1 http://schemas.opengis.net/wcs/1.1.1/wcsDescribeCoverage.xsd';
  const body = `${XML_HEAD}<wcs:CoverageDescriptions ${namespaces} xsi:schemaLocation="${schema}">
${[...described.values()].join('')}</wcs:CoverageDescriptions>
`;
  return { contentType: CONTENT_TYPE, body };
}

async function writeDescription(context: WcsContext, served: ServedCoverage): Promise<string> {
  const { title, abstract, keywords, qualifiedName } = served;
  const opened = await openServedCoverage(context, served);
  const grid = await computeUprightGrid(opened.description.grid);
  const time = (await loadDescribedDimensions(opened)).find(({ kind }) => kind === 'time');
  const codes = [...new Set([...(grid === undefined ? [] : [grid.code]), ...context.crsCodes])];
  return `<wcs:CoverageDescription><ows:Title>${escapeText(title)}</ows:Title>${writeTextElement('ows:Abstract', abstract)}${writeKeywords(keywords)}<wcs:Identifier>${escapeText(qualifiedName)}</wcs:Identifier>
<wcs:Domain><wcs:SpatialDomain>${writeLonLatDomain(served)}${grid === undefined ? '' : await writeGrid(grid, grid.code)}</wcs:SpatialDomain>
${writeTemporalDomain(time)}</wcs:Domain>
${writeRange(served)}${writeSupported(codes)}</wcs:CoverageDescription>
`;
}

function writeLonLatDomain({ latLonBounds: box }: ServedCoverage): string {
  if (box === null) return '';
  return writeBox('urn:ogc:def:crs:OGC:1.3:CRS84', [box.minX, box.minY], [box.maxX, box.maxY]);
}

type Pair = readonly [number, number];

function writeBox(crs: string, low: Pair, high: Pair): string {
  return `<ows:BoundingBox crs="${crs}" dimensions="2"><ows:LowerCorner>${low.join(' ')}</ows:LowerCorner><ows:UpperCorner>${high.join(' ')}</ows:UpperCorner></ows:BoundingBox>\n`;
}

/**
 * In this version, the extent of a grid ends at the centres of its outermost samples, and GDAL computes the number of
 * samples from the first box. QGIS reads the last box as the extent, and the size from the box in sample numbers. These
 * begin at 1: if they began at 0, GDAL would read the number of the last sample as the size.
 */
async function writeGrid({ width, height, bounds, crs }: OutputGrid, code: string): Promise<string> {
  const axes = await resolveAxes(crs);
  const [stepX, stepY] = [(bounds.maxX - bounds.minX) / width, (bounds.maxY - bounds.minY) / height];
  const [left, right] = [bounds.minX + stepX / 2, bounds.maxX - stepX / 2];
  const [bottom, top] = [bounds.minY + stepY / 2, bounds.maxY - stepY / 2];
  const name = writeCrsName({ code, isLongitudeFirst: false }, 'urn');
  const boxes = [
    writeBox(name, orderAxes(axes, left, bottom), orderAxes(axes, right, top)),
    writeBox(name, orderAxes(axes, bounds.minX, bounds.minY), orderAxes(axes, bounds.maxX, bounds.maxY)),
    writeBox('urn:ogc:def:crs:OGC::imageCRS', [1, 1], [width, height]),
  ];
  return `${boxes.join('')}<wcs:GridCRS><wcs:GridBaseCRS>${name}</wcs:GridBaseCRS><wcs:GridType>urn:ogc:def:method:WCS:1.1:2dSimpleGrid</wcs:GridType><wcs:GridOrigin>${orderAxes(axes, left, top).join(' ')}</wcs:GridOrigin><wcs:GridOffsets>${orderAxes(axes, stepX, -stepY).join(' ')}</wcs:GridOffsets><wcs:GridCS>urn:ogc:def:cs:OGC:0.0:Grid2dSquareCS</wcs:GridCS></wcs:GridCRS>`;
}

function writeTemporalDomain(time: DescribedDimension | undefined): string {
  if (time === undefined || time.ends.length === 0) return '';
  const [begin = '', end = ''] = time.ends.map(formatDimensionValue);
  const moments = time.values.map((value) => `<gml:timePosition>${formatDimensionValue(value)}</gml:timePosition>`);
  const period = `<wcs:TimePeriod><wcs:BeginPosition>${begin}</wcs:BeginPosition><wcs:EndPosition>${end}</wcs:EndPosition></wcs:TimePeriod>`;
  return `<wcs:TemporalDomain>${moments.length === 0 ? period : moments.join('')}</wcs:TemporalDomain>\n`;
}

function writeRange({ resource }: ServedCoverage): string {
  const nulls = [...new Set(resource.bands.flatMap(({ nullValues }) => nullValues))].map(
    (value) => `<wcs:NullValue>${escapeText(value)}</wcs:NullValue>`,
  );
  const keys = resource.bands.map(({ name }) => `<wcs:Key>${escapeText(formatBandKey(name))}</wcs:Key>`);
  const methods = ['nearest', 'linear', 'cubic'].map(
    (name) => `<wcs:InterpolationMethod>${name}</wcs:InterpolationMethod>`,
  );
  return `<wcs:Range><wcs:Field><wcs:Identifier>${FIELD}</wcs:Identifier><wcs:Definition><ows:AnyValue/></wcs:Definition>${nulls.join('')}<wcs:InterpolationMethods>${methods.join('')}<wcs:Default>nearest</wcs:Default></wcs:InterpolationMethods>
<wcs:Axis identifier="${AXIS}"><wcs:AvailableKeys>${keys.join('')}</wcs:AvailableKeys></wcs:Axis></wcs:Field></wcs:Range>
`;
}
