/** GetCoverage of WCS 1.0.0: returns exactly the requested box and size. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { formatContentDisposition } from '../../ows/content-disposition.ts';
import type { Parameters } from '../../ows/parameters.ts';
import { readParameter, rejectUnsupported, requireParameter } from '../../ows/service-parameters.ts';
import { selectBandsByNumber } from '../coverage/band-numbers.ts';
import type { WcsContext } from '../coverage/context.ts';
import { coverageFormats, writeSamples } from '../coverage/coverage-formats.ts';
import { writeGmlWithSamples } from '../coverage/gml-coverage.ts';
import { computeExactGrid, type ExactGrid } from '../coverage/output-grid.ts';
import { type CoverageSelection, readCoverage, readCrs } from '../coverage/read-coverage.ts';
import { readDimensionSubsets } from '../coverage/read-dimension-values.ts';
import type { Subset } from '../coverage/subset.ts';
import { coverageParameters, operations, type RequestedBox } from './parameters.ts';

export function readGetCoverage(parameters: Parameters, now: Date): CoverageSelection {
  rejectUnsupported(operations.GetCoverage, parameters);
  const declared = coverageParameters;
  const id = requireParameter(parameters, declared.coverage);
  const crs = requireParameter(parameters, declared.crs);
  const box = requireParameter(parameters, declared.box);
  const format = requireParameter(parameters, declared.format);
  const responseCrs = readParameter(parameters, declared.responseCrs);
  const bands = readParameter(parameters, declared.band);
  const size = readSize(parameters);
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = box.numbers;
  return {
    ...{ id, idField: 'coverage', format, interpolation: readParameter(parameters, declared.interpolation) },
    subsets: [...readDimensionSubsets(parameters, declared.time, now), ...readHeights(box)],
    selectBands: (names) => selectBandsByNumber(bands, names, 'band'),
    computeGrid: async (grid) => {
      const boxCrs = await readCrs(crs, 'crs');
      const outputCrs = responseCrs === undefined ? boxCrs : await readCrs(responseCrs, 'response_crs');
      const wish = { box: { minX, minY, maxX, maxY }, boxCrs, outputCrs, size, field: 'bbox', text: box.text };
      return computeExactGrid(grid, wish);
    },
  };
}

/** The third dimension of a box selects elevations. */
function readHeights({ numbers: [, , , , low, high] }: RequestedBox): readonly Subset[] {
  return low === undefined ? [] : [{ axis: 'elevation', field: 'bbox', crs: undefined, low, high }];
}

/** Requires the size or the resolution, but not both. */
function readSize(parameters: Parameters): ExactGrid['size'] {
  const [width, height, resX, resY] = [
    readParameter(parameters, coverageParameters.width),
    readParameter(parameters, coverageParameters.height),
    readParameter(parameters, coverageParameters.resX),
    readParameter(parameters, coverageParameters.resY),
  ];
  const hasSize = width !== undefined || height !== undefined;
  if (hasSize && (resX !== undefined || resY !== undefined)) {
    throw problem('ows-parameters-exclusive', { parameters: ['width and height', 'resx and resy'], field: 'resx' });
  }
  if (width !== undefined && height !== undefined) return { width, height };
  if (resX !== undefined && resY !== undefined) return { resolution: [resX, resY] };
  const missing = hasSize
    ? width === undefined
      ? 'width'
      : 'height'
    : resX === undefined && resY !== undefined
      ? 'resx'
      : 'resy';
  if (hasSize || resX !== undefined || resY !== undefined) {
    throw createMissingProblem(missing, 'a number greater than 0');
  }
  throw createMissingProblem(
    'width',
    'the size of the response as width and height, or its resolution as resx and resy',
  );
}

function createMissingProblem(parameter: string, expected: string): Error {
  return problem('ows-parameter-missing', { parameter, expected: `expected ${expected}`, field: parameter });
}

export async function getCoverage(context: WcsContext, selection: CoverageSelection): Promise<ServiceReply> {
  const coverage = await readCoverage(context, selection);
  const { format } = selection;
  const { mediaType, extension } = coverageFormats[format];
  const fileName = `${coverage.served.qualifiedName}.${extension}`;
  const headers = { 'content-disposition': formatContentDisposition('inline', fileName) };
  if (format === 'gml') return { contentType: mediaType, headers, body: writeGmlWithSamples(coverage) };
  const body = await writeSamples(coverage.raster, format, context.deflateLevel);
  return { contentType: mediaType, headers, body, isPacked: true };
}
