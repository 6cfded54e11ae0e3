/** GetCoverage of WCS 1.1.1: returns a document and the file with the samples in one message. */
import { type NamedCrs, readCrsName } from '../../../crs/axis-order.ts';
import type { Bounds } from '../../../crs/bounds.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { escapeText } from '../../../lib/xml/escape.ts';
import type { Grid } from '../../../raster/port/port.ts';
import { writeTextElement } from '../../ows/capabilities-parts.ts';
import { formatContentDisposition } from '../../ows/content-disposition.ts';
import type { Parameters } from '../../ows/parameters.ts';
import {
  createParameterProblem,
  readParameter,
  rejectUnsupported,
  requireParameter,
} from '../../ows/service-parameters.ts';
import { resolveAxes } from '../coverage/axes.ts';
import { selectBandsByNumber } from '../coverage/band-numbers.ts';
import type { ServedCoverage, WcsContext } from '../coverage/context.ts';
import { coverageFormats, writeSamples } from '../coverage/coverage-formats.ts';
import { XML_HEAD } from '../coverage/documents.ts';
import { writeGmlWithSamples } from '../coverage/gml-coverage.ts';
import { createMultipartReply } from '../coverage/multipart.ts';
import { computeExactGrid, computeOutputGrid, type ResponseGrid } from '../coverage/output-grid.ts';
import { type CoverageSelection, readCoverage } from '../coverage/read-coverage.ts';
import { readDimensionSubsets } from '../coverage/read-dimension-values.ts';
import { namespaces } from './documents.ts';
import { coverageParameters, operations, type RequestedBox } from './parameters.ts';

export function readGetCoverage(parameters: Parameters, now: Date): CoverageSelection {
  rejectUnsupported(operations.GetCoverage, parameters);
  const declared = coverageParameters;
  const { interpolation, bands } = readParameter(parameters, declared.rangeSubset);
  readParameter(parameters, declared.gridType);
  readParameter(parameters, declared.gridCs);
  const wish: GridRequest = {
    box: requireParameter(parameters, declared.box),
    crs: readParameter(parameters, declared.gridBaseCrs),
    origin: readParameter(parameters, declared.gridOrigin),
    offsets: readParameter(parameters, declared.gridOffsets),
  };
  return {
    ...{ id: requireParameter(parameters, declared.identifier), idField: 'identifier', interpolation },
    format: requireParameter(parameters, declared.format),
    subsets: readDimensionSubsets(parameters, declared.time, now),
    selectBands: (names) => selectBandsByNumber(bands, names, 'rangeSubset'),
    computeGrid: (grid) => computeGrid(grid, wish),
  };
}

/** The grid as sent: numbers are in the axis order of their CRS. */
interface GridRequest {
  readonly box: RequestedBox;
  readonly crs: string | undefined;
  readonly origin: readonly number[] | undefined;
  readonly offsets: readonly number[] | undefined;
}

async function computeGrid(grid: Grid, { box, crs, origin, offsets }: GridRequest): Promise<ResponseGrid> {
  const boxName = await readName(box.crs, 'boundingBox');
  const boxCrs = { code: boxName.code };
  const requested = toBounds(box, boxName);
  const base = crs === undefined ? undefined : await readName(crs, 'gridBaseCRS');
  const outputCrs: CrsReference = base === undefined ? grid.crs : { code: base.code };
  if (offsets === undefined) {
    const [field, x, y] = ['boundingBox', { axis: 'x', crs: undefined }, { axis: 'y', crs: undefined }] as const;
    const subsets = [
      { ...x, field, low: requested.minX, high: requested.maxX },
      { ...y, field, low: requested.minY, high: requested.maxY },
    ];
    return computeOutputGrid(grid, { subsets, subsetCrs: boxCrs, outputCrs, scaling: [] });
  }
  const isNorthFirst = base === undefined ? (await resolveAxes(grid.crs)).isNorthFirst : base.isNorthFirst;
  const resolution = readOffsets(offsets, isNorthFirst);
  const exact = { size: { resolution }, boxCrs, outputCrs, field: 'boundingBox', text: box.text };
  if (origin === undefined) return computeExactGrid(grid, { ...exact, box: requested });
  const bounds = (await createReprojection(boxCrs, outputCrs))?.reprojectBounds(requested) ?? requested;
  const aligned = alignToSamples(bounds, toPoint(origin, isNorthFirst), resolution);
  if (aligned === undefined) throw createParameterProblem('boundingBox', box.text, 'a box with at least one sample');
  return computeExactGrid(grid, { ...exact, box: aligned, boxCrs: outputCrs });
}

async function readName(text: string, field: string): Promise<NamedCrs> {
  const named = await readCrsName(text);
  if (named === undefined) throw problem('wcs-crs-unknown', { crs: text, field });
  return named;
}

type Pair = readonly [x: number, y: number];

function toPoint([first = 0, second = 0]: readonly number[], isNorthFirst: boolean): Pair {
  return isNorthFirst ? [second, first] : [first, second];
}

function toBounds({ corners }: RequestedBox, { isNorthFirst }: NamedCrs): Bounds {
  const [minX, minY] = toPoint(corners.slice(0, 2), isNorthFirst);
  const [maxX, maxY] = toPoint(corners.slice(2), isNorthFirst);
  return { minX, minY, maxX, maxY };
}

/**
 * Two offsets are distances along the axes of the CRS. Four are two vectors, of which one must be parallel to each
 * axis. Their order and signs have no effect: responses are always north-up, as clients display them.
 */
function readOffsets(offsets: readonly number[], isNorthFirst: boolean): Pair {
  const vectors =
    offsets.length === 2
      ? [toPoint(offsets, isNorthFirst)]
      : [offsets.slice(0, 2), offsets.slice(2)].map((each) => toPoint(each, isNorthFirst));
  const [[x1, y1] = [0, 0], [x2, y2] = [0, 0]] = vectors;
  const isParallel = vectors.length === 1 || (y1 === 0 && x2 === 0) || (x1 === 0 && y2 === 0);
  const [stepX, stepY] = [Math.abs(x1 + x2), Math.abs(y1 + y2)];
  if (!isParallel || stepX === 0 || stepY === 0) {
    throw createParameterProblem('gridOffsets', offsets.join(','), 'distances other than 0 of a grid without rotation');
  }
  return [stepX, stepY];
}

/** The tolerance for rounding, as a fraction of a sample: clients send 15 digits. */
const ROUNDING = 1e-3;

/** Returns the box of the samples whose centres are inside of a box; undefined for none. */
function alignToSamples(box: Bounds, [originX, originY]: Pair, [stepX, stepY]: Pair): Bounds | undefined {
  const align = (low: number, high: number, origin: number, step: number) => {
    const first = Math.ceil((low - origin) / step - ROUNDING);
    const last = Math.floor((high - origin) / step + ROUNDING);
    return first > last ? undefined : ([origin + (first - 0.5) * step, origin + (last + 0.5) * step] as const);
  };
  const [x, y] = [align(box.minX, box.maxX, originX, stepX), align(box.minY, box.maxY, originY, stepY)];
  return x && y && { minX: x[0], minY: y[0], maxX: x[1], maxY: y[1] };
}

export async function getCoverage(context: WcsContext, selection: CoverageSelection): Promise<ServiceReply> {
  const coverage = await readCoverage(context, selection);
  const { format } = selection;
  const { mediaType } = coverageFormats[format];
  const body =
    format === 'gml'
      ? writeGmlWithSamples(coverage)
      : await writeSamples(coverage.raster, format, context.deflateLevel);
  const fileName = `${coverage.id}.eml`;
  return createMultipartReply(
    [
      {
        contentType: 'text/xml; charset=utf-8',
        contentId: 'urn:ogc:wcs:1.1:coverages',
        body: writeCoverages(coverage.served),
      },
      { contentType: mediaType, contentId: CONTENT_ID, headers: { 'Content-Transfer-Encoding': 'binary' }, body },
    ],
    { 'content-disposition': formatContentDisposition('attachment', fileName) },
  );
}

const CONTENT_ID = 'theCoverage';

function writeCoverages({ title, abstract, qualifiedName }: ServedCoverage): string {
  return `${XML_HEAD}<wcs:Coverages ${namespaces}>
<wcs:Coverage><ows:Title>${escapeText(title)}</ows:Title>${writeTextElement('ows:Abstract', abstract)}<wcs:Identifier>${escapeText(qualifiedName)}</wcs:Identifier><ows:Reference xlink:href="cid:${CONTENT_ID}" xlink:role="urn:ogc:def:role:WCS:1.1:coverage"/></wcs:Coverage>
</wcs:Coverages>
`;
}
