/** GetCoverage: returns the samples of a part of a coverage, as a file, as GML, or as a file with GML. */

import { randomUUID } from 'node:crypto';
import { readCrsName } from '../../crs/axis-order.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { WrittenRaster } from '../../formats/geotiff/geotiff.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { DimensionOptions } from '../../raster/pictures/dimension-options.ts';
import { createUprightTransform } from '../../raster/port/grid.ts';
import { createSamples, getBytesPerSample, type SampleType } from '../../raster/port/samples.ts';
import type { OpenedCoverage } from '../access/open-coverage.ts';
import { formatContentDisposition } from '../ows/content-disposition.ts';
import { unescapeXmlName } from '../ows/resolve-selection.ts';
import { findPlaneAxis } from './axes.ts';
import { formatCoverageId, getServedCoverage, openServedCoverage, type WcsContext } from './context.ts';
import { coverageFormats, writeSamples } from './coverage-formats.ts';
import { type TextCoverage, writeGmlWithFile, writeGmlWithSamples } from './gml-coverage.ts';
import { computeOutputGrid, type OutputGrid, type ResponseGrid } from './output-grid.ts';
import { formatSubset, type GetCoverageRequest, type Subset } from './request.ts';

export async function getCoverage(context: WcsContext, request: GetCoverageRequest): Promise<ServiceReply> {
  const served = await getServedCoverage(context, request.id, 'read');
  const whole = await openServedCoverage(context, served);
  const opened = whole.selectDimensions(await resolveDimensionSubsets(request.subsets, whole, context));
  const bands = selectBands(request.range, opened);
  const { grid } = opened.description;
  const output = await computeOutputGrid(grid, {
    subsets: request.subsets,
    subsetCrs: (await readSubsetCrs(request)) ?? grid.crs,
    outputCrs: await readCrs(request.outputCrs, 'outputCrs'),
    scaling: request.scaling,
    limit: (await opened.measureVisible(context.signal)) ?? undefined,
  });
  checkInput(output, bands, opened, context.maxInputBytes);
  checkSize(output, bands, opened, request.format === 'gml' ? MAX_TEXT_BYTES : context.maxBytes);
  const raster = await readSamples(opened, { output, bands, interpolation: request.interpolation }, context.signal);
  const coverage: TextCoverage = {
    id: formatCoverageId(served),
    raster,
    bounds: output.bounds,
    bands: bands.flatMap((place) => opened.coverage.bands[place] ?? []),
  };
  return createCoverageReply(coverage, request, request.isPacked ? context.deflateLevel : 0);
}

/** Samples take many times as much space in text. */
const MAX_TEXT_BYTES = 16 * 1_048_576;

/** GML with samples is a single document without parts. */
async function createCoverageReply(
  coverage: TextCoverage,
  { format, isMultipart }: GetCoverageRequest,
  level: number | undefined,
): Promise<ServiceReply> {
  const { mediaType, extension } = coverageFormats[format];
  const fileName = `${unescapeXmlName(coverage.id)}.${extension}`;
  const headers = { 'content-disposition': formatContentDisposition('attachment', fileName) };
  if (format === 'gml') return { contentType: mediaType, headers, body: writeGmlWithSamples(coverage) };
  const body = await writeSamples(coverage.raster, format, level);
  if (!isMultipart) return { contentType: mediaType, headers, body, isPacked: true };
  const contentId = encodeURIComponent(fileName);
  const document = await writeGmlWithFile(coverage, contentId, mediaType);
  return createMultipartReply([
    { contentType: coverageFormats.gml.mediaType, contentId: 'coverage', body: document },
    { contentType: mediaType, contentId, body },
  ]);
}

interface RequestedSamples extends Pick<GetCoverageRequest, 'interpolation'> {
  readonly output: OutputGrid;
  readonly bands: readonly number[];
}

async function readSamples(
  opened: OpenedCoverage,
  { output, bands, interpolation }: RequestedSamples,
  signal: AbortSignal,
): Promise<WrittenRaster> {
  const { width, height, bounds, crs } = output;
  const target = { width, height, bounds };
  // A band can be requested repeatedly but is read once.
  const places = [...new Set(bands)];
  const picture = await opened.read({ target, crs, bands: places, interpolation }, signal);
  const written = bands.flatMap((place) => {
    const index = places.indexOf(place);
    const described = picture?.described[index] ?? opened.bands[place];
    const createEmptySamples = (type: SampleType) => ({
      samples: createSamples(type, width * height),
      mask: new Uint8Array(width * height),
    });
    return described === undefined
      ? []
      : [{ ...(picture?.bands[index] ?? createEmptySamples(described.type)), described }];
  });
  return { width, height, transform: createUprightTransform(target, bounds), crs, bands: written };
}

/** The maximum number of dimension values that are searched. */
const MAX_COUNTED = 100_000;

/** Axes other than x and y are dimensions. */
async function resolveDimensionSubsets(
  subsets: readonly Subset[],
  { description: { dimensions }, values }: OpenedCoverage,
  { maxDimensionValues: most }: WcsContext,
): Promise<readonly DimensionOptions[]> {
  const wishes: DimensionOptions[] = [];
  for (const subset of subsets) {
    const { axis, low, high } = subset;
    if (findPlaneAxis(axis) !== undefined) continue;
    const lower = axis.toLowerCase();
    const found = dimensions.find(({ name, kind }) => name.toLowerCase() === lower || kind === lower);
    if (found === undefined) {
      const axes = ['x', 'y', ...dimensions.map(({ name }) => name)];
      throw problem('wcs-axis-unknown', { axis, axes, field: axis });
    }
    const ends = await values(found.name, 'ends');
    const [least, greatest] = ends;
    // A coverage without values has no range to check.
    if (least === undefined || greatest === undefined) continue;
    const range = { low: low ?? least, high: high ?? greatest };
    if (range.low > range.high || range.low > greatest || range.high < least) {
      const expected = `expected values from ${ends.map((end) => (end instanceof Date ? end.toISOString() : end)).join(' to ')}, the lower one first`;
      throw problem('wcs-subset-invalid', { subset: formatSubset(subset), expected, field: 'subset' });
    }
    if (Number.isFinite(most) && low !== high) {
      const inside = (await values(found.name, MAX_COUNTED)).filter((each) => each >= range.low && each <= range.high);
      if (inside.length > most) {
        throw problem('wcs-values-too-many', { subset: formatSubset(subset), most, field: 'subset' });
      }
    }
    wishes.push({ name: found.name, ranges: [range] });
  }
  return wishes;
}

/** Parses `red,nir`, or `red:blue` for a range of bands. */
function selectBands(range: readonly string[] | undefined, { coverage }: OpenedCoverage): readonly number[] {
  const names = coverage.bands.map(({ name }) => name);
  if (range === undefined) return names.map((_, place) => place);
  const getBandIndex = (band: string): number => {
    const place = names.findIndex((name) => name.toLowerCase() === band.toLowerCase());
    if (place < 0) throw problem('wcs-band-unknown', { band, bands: names, field: band });
    return place;
  };
  return range.flatMap((part) => {
    const [first = '', last = first] = names.includes(part) ? [part] : part.split(':');
    const [from, to] = [getBandIndex(first), getBandIndex(last)];
    return Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => (from <= to ? from + step : from - step));
  });
}

async function readSubsetCrs({ subsets, subsettingCrs }: GetCoverageRequest): Promise<CrsReference | undefined> {
  return readCrs(subsets.find(({ crs }) => crs !== undefined)?.crs ?? subsettingCrs, 'subsettingCrs');
}

async function readCrs(text: string | undefined, field: string): Promise<CrsReference | undefined> {
  if (text === undefined) return undefined;
  const named = await readCrsName(text);
  if (named === undefined) throw problem('wcs-crs-unknown', { crs: text, field });
  return { code: named.code };
}

/** Overviews are read if their resolution is sufficient. */
function checkInput(
  { source, width }: ResponseGrid,
  bands: readonly number[],
  { bands: all, description: { grid, overviews } }: OpenedCoverage,
  maxBytes: number,
): void {
  const needed = width / source.width;
  const shares = overviews.map((each) => each.width / grid.width).filter((share) => share >= needed);
  const share = Math.min(1, ...shares);
  const [across, down] = [Math.ceil(source.width * share), Math.ceil(source.height * share)];
  const perPixel = bands.reduce((sum, place) => sum + getBytesPerSample(all[place]?.type ?? 'float64'), 0);
  if (across * down * perPixel > maxBytes) {
    throw problem('wcs-input-too-large', { width: across, height: down, megabytes: toMegabytes(maxBytes) });
  }
}

/** One decimal, for small limits. */
function toMegabytes(bytes: number): number {
  return Math.floor((bytes / 1_048_576) * 10) / 10;
}

function checkSize(
  { width, height }: OutputGrid,
  bands: readonly number[],
  opened: OpenedCoverage,
  maxBytes: number,
): void {
  const perPixel = bands.reduce((sum, place) => sum + getBytesPerSample(opened.bands[place]?.type ?? 'float64') + 1, 0);
  if (width * height * perPixel > maxBytes) {
    throw problem('wcs-coverage-too-large', { width, height, megabytes: toMegabytes(maxBytes) });
  }
}

interface Part {
  readonly contentType: string;
  readonly contentId: string;
  readonly body: string | Uint8Array;
}

/** The first part is the root, which refers to the others. The boundary is random, so that no file can contain it. */
function createMultipartReply(parts: readonly [Part, ...Part[]]): ServiceReply {
  const boundary = randomUUID();
  const contentType = `multipart/related; boundary=${boundary}; type="${parts[0].contentType}"`;
  return { contentType, body: writeParts(boundary, parts) };
}

async function* writeParts(boundary: string, parts: readonly Part[]): AsyncGenerator<string | Uint8Array> {
  for (const { contentType, contentId, body } of parts) {
    yield `--${boundary}\r\nContent-Type: ${contentType}\r\nContent-ID: <${contentId}>\r\n\r\n`;
    yield body;
    yield '\r\n';
  }
  yield `--${boundary}--\r\n`;
}
