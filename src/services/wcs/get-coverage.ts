/** GetCoverage: the samples of a part of a coverage, as a GeoTIFF file. */
import { readCrsName } from '../../data/crs/axis-order.ts';
import type { CrsReference } from '../../data/crs/crs-reference.ts';
import { writeGeotiff } from '../../data/encode/geotiff/geotiff.ts';
import type { DimensionWish } from '../../data/raster/dimension-wish.ts';
import { uprightTransform } from '../../data/raster/grid.ts';
import type { CoverageDescription } from '../../data/raster/port.ts';
import { bytesPerSample, createSamples } from '../../data/raster/samples.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { problem } from '../../lib/problem.ts';
import type { OpenedCoverage } from '../door/open-coverage.ts';
import { contentDisposition } from '../ows/content-disposition.ts';
import { planeAxis } from './axes.ts';
import { coverageId, findCoverage, openServed, type WcsContext } from './context.ts';
import { type OutputGrid, outputGrid } from './output-grid.ts';
import type { GetCoverageRequest, Subset } from './request.ts';

export async function getCoverage(context: WcsContext, request: GetCoverageRequest): Promise<ServiceReply> {
  const served = await findCoverage(context, request.id, 'read');
  const { description } = await openServed(context, served);
  const opened = await openServed(context, served, wishesOf(request.subsets, description));
  const bands = bandsOf(request.range, opened);
  const { grid } = description;
  const output = await outputGrid(grid, {
    subsets: request.subsets,
    subsetCrs: (await subsetCrsOf(request)) ?? grid.crs,
    outputCrs: await crsNamed(request.outputCrs),
    scaling: request.scaling,
  });
  checkSize(output, bands, opened, context.maxBytes);
  const body = await samplesOf(opened, output, bands, request, context.signal);
  return {
    contentType: 'image/tiff',
    headers: { 'content-disposition': contentDisposition('attachment', `${coverageId(served)}.tif`) },
    body,
  };
}

async function samplesOf(
  opened: OpenedCoverage,
  output: OutputGrid,
  bands: readonly number[],
  { interpolation }: GetCoverageRequest,
  signal: AbortSignal,
): Promise<Buffer> {
  const { width, height, bounds, crs } = output;
  const target = { width, height, bounds };
  const picture = await opened.read({ target, crs, bands, interpolation }, signal);
  const described = picture?.described ?? bands.flatMap((place) => opened.bands[place] ?? []);
  const written = described.map((band, index) => {
    const read = picture?.bands[index];
    const nothing = { samples: createSamples(band.type, width * height), mask: new Uint8Array(width * height) };
    return { ...(read ?? nothing), described: band };
  });
  return writeGeotiff({ width, height, transform: uprightTransform(target, bounds), crs, bands: written });
}

/** Axes beside the plane are dimensions. */
function wishesOf(subsets: readonly Subset[], { dimensions }: CoverageDescription): readonly DimensionWish[] {
  return subsets.flatMap(({ axis, low, high }) => {
    if (planeAxis(axis) !== undefined) return [];
    const lower = axis.toLowerCase();
    const found = dimensions.find(({ name, kind }) => name.toLowerCase() === lower || kind === lower);
    if (found === undefined) {
      const axes = ['x', 'y', ...dimensions.map(({ name }) => name)];
      throw problem('wcs-axis-unknown', { axis, axes, field: axis });
    }
    const [least, most] = found.kind === 'time' ? [new Date(-8.64e15), new Date(8.64e15)] : [-Infinity, Infinity];
    return [{ name: found.name, ranges: [{ low: low ?? least, high: high ?? most }] }];
  });
}

/** `red,nir` or `red:blue`, which has all that are between. */
function bandsOf(range: readonly string[] | undefined, { coverage }: OpenedCoverage): readonly number[] {
  const names = coverage.bands.map(({ name }) => name);
  if (range === undefined) return names.map((_, place) => place);
  const placeOf = (band: string): number => {
    const place = names.findIndex((name) => name.toLowerCase() === band.toLowerCase());
    if (place < 0) throw problem('wcs-band-unknown', { band, bands: names, field: band });
    return place;
  };
  return range.flatMap((part) => {
    const [first = '', last = first] = names.includes(part) ? [part] : part.split(':');
    const [from, to] = [placeOf(first), placeOf(last)];
    return Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => (from <= to ? from + step : from - step));
  });
}

async function subsetCrsOf({ subsets, subsettingCrs }: GetCoverageRequest): Promise<CrsReference | undefined> {
  return crsNamed(subsets.find(({ crs }) => crs !== undefined)?.crs ?? subsettingCrs);
}

async function crsNamed(text: string | undefined): Promise<CrsReference | undefined> {
  if (text === undefined) return undefined;
  const named = await readCrsName(text);
  if (named === undefined) throw problem('wcs-crs-unknown', { crs: text, field: 'outputCrs' });
  return { code: named.code };
}

function checkSize(
  { width, height }: OutputGrid,
  bands: readonly number[],
  opened: OpenedCoverage,
  maxBytes: number,
): void {
  const perPixel = bands.reduce((sum, place) => sum + bytesPerSample(opened.bands[place]?.type ?? 'float64') + 1, 0);
  if (width * height * perPixel > maxBytes) {
    throw problem('wcs-coverage-too-large', { width, height, megabytes: Math.floor(maxBytes / 1_048_576) });
  }
}
