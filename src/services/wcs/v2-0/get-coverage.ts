/** GetCoverage: returns the samples of a part of a coverage, as a file, as GML, or as a file with GML. */

import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { formatContentDisposition } from '../../ows/content-disposition.ts';
import { unescapeXmlName } from '../../ows/resolve-selection.ts';
import type { WcsContext } from '../coverage/context.ts';
import { coverageFormats, writeSamples } from '../coverage/coverage-formats.ts';
import { type TextCoverage, writeGmlWithFile, writeGmlWithSamples } from '../coverage/gml-coverage.ts';
import { createMultipartReply } from '../coverage/multipart.ts';
import { computeOutputGrid } from '../coverage/output-grid.ts';
import { readCoverage, readCrs } from '../coverage/read-coverage.ts';
import type { GetCoverageRequest } from './request.ts';

export async function getCoverage(context: WcsContext, request: GetCoverageRequest): Promise<ServiceReply> {
  const { id, subsets, scaling, interpolation, format, outputCrs } = request;
  const coverage = await readCoverage(context, {
    ...{ id, idField: 'coverageId', subsets, interpolation, format },
    selectBands: (names) => selectBands(request.range, names),
    computeGrid: async (grid, limit) =>
      computeOutputGrid(grid, {
        subsets,
        subsetCrs: (await readSubsetCrs(request)) ?? grid.crs,
        outputCrs: outputCrs === undefined ? undefined : await readCrs(outputCrs, 'outputCrs'),
        scaling,
        limit,
      }),
  });
  return createCoverageReply(coverage, request, request.isPacked ? context.deflateLevel : 0);
}

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

/** Parses `red,nir`, or `red:blue` for a range of bands. */
function selectBands(range: readonly string[] | undefined, names: readonly string[]): readonly number[] {
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
  const text = subsets.find(({ crs }) => crs !== undefined)?.crs ?? subsettingCrs;
  return text === undefined ? undefined : readCrs(text, 'subsettingCrs');
}
