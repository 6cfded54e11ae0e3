/** DescribeCoverage of WCS 1.0.0. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { Problem, problem } from '../../../lib/problems/problem.ts';
import { escapeText } from '../../../lib/xml/escape.ts';
import { splitNameList } from '../../ows/name-lists.ts';
import {
  findServedCoverage,
  getServedCoverage,
  isServedCoverage,
  openServedCoverage,
  type ServedCoverage,
  type WcsContext,
} from '../coverage/context.ts';
import { loadDescribedDimensions } from '../coverage/described-dimensions.ts';
import { XML_HEAD } from '../coverage/documents.ts';
import { type DescribedDimension, formatDimensionValue } from '../coverage/grid-documents.ts';
import { computeUprightGrid } from '../coverage/output-grid.ts';
import { CONTENT_TYPE, namespaces, writeBrief, writePositions } from './documents.ts';
import { formatNames } from './format-names.ts';

/** Without names, all visible coverages are described. */
export async function describeCoverage(context: WcsContext, names: string | undefined): Promise<ServiceReply> {
  const offerings = names === undefined ? await writeAll(context) : await writeNamed(context, names);
  const schema = 'http://www.opengis.net/wcs http://schemas.opengis.net/wcs/1.0.0/describeCoverage.xsd';
  const body = `${XML_HEAD}<wcs:CoverageDescription version="1.0.0" ${namespaces} xsi:schemaLocation="${schema}">
${offerings}</wcs:CoverageDescription>
`;
  return { contentType: CONTENT_TYPE, body };
}

async function writeNamed(context: WcsContext, names: string): Promise<string> {
  const isKnown = async (id: string) => (await findServedCoverage(context, id, 'description')) !== undefined;
  const described = new Map<string, string>();
  for (const id of await splitNameList(names, isKnown)) {
    const served = await getServedCoverage(context, { id, field: 'coverage' }, 'description');
    described.set(served.qualifiedName, await writeOffering(context, served));
  }
  return [...described.values()].join('');
}

/** The maximum number of coverages that are described without names: each one is opened, and the document is in memory. */
const MAX_DESCRIBED = 1_000;

/** Omits coverages whose data is unavailable, so that the others can be used. */
async function writeAll(context: WcsContext): Promise<string> {
  const offerings: string[] = [];
  for await (const map of context.mapAccess.each()) {
    if (!isServedCoverage(map)) continue;
    context.signal.throwIfAborted();
    if (offerings.length === MAX_DESCRIBED) throw createTooManyProblem();
    try {
      offerings.push(await writeOffering(context, map));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return offerings.join('');
}

function createTooManyProblem(): Problem {
  const expected = `expected names of coverages, because there are more than ${MAX_DESCRIBED}`;
  return problem('ows-parameter-missing', { parameter: 'coverage', expected, field: 'coverage' });
}

async function writeOffering(context: WcsContext, served: ServedCoverage): Promise<string> {
  const opened = await openServedCoverage(context, served);
  const dimensions = await loadDescribedDimensions(opened);
  const time = dimensions.find(({ kind }) => kind === 'time');
  const grid = await computeUprightGrid(opened.description.grid);
  const codes = [...new Set([...(grid === undefined ? [] : [grid.code]), ...context.crsCodes])];
  const systems = codes.map((code) => `<wcs:requestResponseCRSs>${code}</wcs:requestResponseCRSs>`);
  const formats = formatNames.map(([name]) => `<wcs:formats>${name}</wcs:formats>`);
  return `<wcs:CoverageOffering>${writeBrief(served, time?.ends.map(formatDimensionValue))}<wcs:domainSet>${writeSpatialDomain(grid)}${writeTemporalDomain(time)}</wcs:domainSet>
${writeRangeSet(served, dimensions)}<wcs:supportedCRSs>${systems.join('')}${grid === undefined ? '' : `<wcs:nativeCRSs>${grid.code}</wcs:nativeCRSs>`}</wcs:supportedCRSs>
<wcs:supportedFormats nativeFormat="GeoTIFF">${formats.join('')}</wcs:supportedFormats>
<wcs:supportedInterpolations default="nearest neighbor"><wcs:interpolationMethod>nearest neighbor</wcs:interpolationMethod><wcs:interpolationMethod>bilinear</wcs:interpolationMethod><wcs:interpolationMethod>bicubic</wcs:interpolationMethod></wcs:supportedInterpolations>
</wcs:CoverageOffering>
`;
}

/** The origin is the centre of the first sample. */
function writeSpatialDomain(grid: Awaited<ReturnType<typeof computeUprightGrid>>): string {
  if (grid === undefined) return '';
  const { code, width, height, bounds } = grid;
  const [stepX, stepY] = [(bounds.maxX - bounds.minX) / width, (bounds.maxY - bounds.minY) / height];
  return `<wcs:spatialDomain><gml:Envelope srsName="${code}">${writePositions(bounds)}</gml:Envelope>
<gml:RectifiedGrid dimension="2" srsName="${code}"><gml:limits><gml:GridEnvelope><gml:low>0 0</gml:low><gml:high>${width - 1} ${height - 1}</gml:high></gml:GridEnvelope></gml:limits><gml:axisName>x</gml:axisName><gml:axisName>y</gml:axisName>
<gml:origin><gml:pos>${bounds.minX + stepX / 2} ${bounds.maxY - stepY / 2}</gml:pos></gml:origin><gml:offsetVector>${stepX} 0</gml:offsetVector><gml:offsetVector>0 ${-stepY}</gml:offsetVector></gml:RectifiedGrid></wcs:spatialDomain>
`;
}

function writeTemporalDomain(time: DescribedDimension | undefined): string {
  if (time === undefined || time.ends.length === 0) return '';
  const [begin = '', end = ''] = time.ends.map(formatDimensionValue);
  const moments = time.values.map((value) => `<gml:timePosition>${formatDimensionValue(value)}</gml:timePosition>`);
  const period = `<wcs:timePeriod><wcs:beginPosition>${begin}</wcs:beginPosition><wcs:endPosition>${end}</wcs:endPosition></wcs:timePeriod>`;
  return `<wcs:temporalDomain>${moments.length === 0 ? period : moments.join('')}</wcs:temporalDomain>\n`;
}

/** Bands are numbered from 1, as in requests. Elevations and other dimensions are further axes. */
function writeRangeSet({ resource, title }: ServedCoverage, dimensions: readonly DescribedDimension[]): string {
  const bands = { name: 'Band', label: 'Band', values: resource.bands.map((_, place) => place + 1) };
  const others = dimensions
    .filter(({ kind }) => kind !== 'time')
    .map(({ name, kind, values, ends }) => {
      const axis = kind === 'elevation' ? 'ELEVATION' : `DIM_${name}`;
      return { name: axis, label: name, values: values.length > 0 ? values : ends };
    });
  const axes = [bands, ...others].map(({ name, label, values }) => {
    const singles = values.map((value) => `<wcs:singleValue>${formatDimensionValue(value)}</wcs:singleValue>`);
    return `<wcs:axisDescription><wcs:AxisDescription><wcs:name>${escapeText(name)}</wcs:name><wcs:label>${escapeText(label)}</wcs:label><wcs:values>${singles.join('')}</wcs:values></wcs:AxisDescription></wcs:axisDescription>`;
  });
  const nulls = [...new Set(resource.bands.flatMap(({ nullValues }) => nullValues))].map(
    (value) => `<wcs:singleValue>${escapeText(value)}</wcs:singleValue>`,
  );
  return `<wcs:rangeSet><wcs:RangeSet><wcs:name>contents</wcs:name><wcs:label>${escapeText(title)}</wcs:label>${axes.join('')}${nulls.length === 0 ? '' : `<wcs:nullValues>${nulls.join('')}</wcs:nullValues>`}</wcs:RangeSet></wcs:rangeSet>
`;
}
