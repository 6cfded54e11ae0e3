/** The parameters of WCS 1.0.0. */

import { problem } from '../../../lib/problems/problem.ts';
import { findInterpolation, type Interpolation } from '../../../raster/warp/interpolate.ts';
import { capabilitiesParameters, commonParameters } from '../../ows/common-parameters.ts';
import { readList } from '../../ows/parameters.ts';
import {
  createKind,
  createTextKind,
  declareOperation,
  declareParameter,
  declareUnsupported,
  type ParameterKind,
  text,
} from '../../ows/service-parameters.ts';
import { type CoverageFormat, findCoverageFormat } from '../coverage/coverage-formats.ts';
import { parseNumbers, resolution, sampleCount } from '../coverage/numbers.ts';
import type { WcsProtocol } from '../coverage/protocol.ts';
import { dimensionParameters } from '../coverage/read-dimension-values.ts';
import { formatNames } from './format-names.ts';

const sectionNames = ['Service', 'Capability', 'ContentMetadata'] as const;
export type Section = (typeof sectionNames)[number];

const sections: ParameterKind<readonly Section[]> = createKind<readonly Section[]>(
  `/ or one of ${sectionNames.map((name) => `/WCS_Capabilities/${name}`).join(', ')}`,
  (value) => {
    const name = value.trim().replace(/^\/?(?:WCS_Capabilities\/?)?/, '');
    return name === '' ? sectionNames : sectionNames.filter((each) => each === name);
  },
  sectionNames,
);

export interface RequestedBox {
  readonly numbers: readonly number[];
  readonly text: string;
}

const box: ParameterKind<RequestedBox | undefined> = createKind<RequestedBox | undefined>(
  'minx,miny,maxx,maxy with minimums below maximums, optionally followed by minz,maxz',
  (value) => {
    const numbers = parseNumbers(value);
    if (numbers === undefined || (numbers.length !== 4 && numbers.length !== 6)) return undefined;
    const [minX = 0, minY = 0, maxX = 0, maxY = 0, minZ = 0, maxZ = 0] = numbers;
    return minX < maxX && minY < maxY && minZ <= maxZ ? { numbers, text: value } : undefined;
  },
  undefined,
);

const format: ParameterKind<CoverageFormat | undefined> = createKind<CoverageFormat | undefined>(
  `one of ${formatNames.map(([name]) => name).join(', ')}`,
  findCoverageFormat,
  undefined,
);

const interpolation: ParameterKind<Interpolation> = createKind<Interpolation>(
  'nearest neighbor, bilinear or bicubic',
  (value) => {
    const found = findInterpolation(value);
    if (found === undefined) throw problem('wcs-interpolation-unknown', { method: value, field: 'interpolation' });
    return found;
  },
  'nearest',
);

const coverage = createTextKind('a coverage name as in the capabilities');

export const capabilities = {
  ...capabilitiesParameters,
  section: declareParameter(
    'section',
    sections,
    'The section to return, such as /WCS_Capabilities/Service. Default: all.',
  ),
};

export const describeParameters = {
  ...commonParameters,
  coverage: declareParameter('coverage', coverage, 'Names of coverages, separated by commas. Default: all coverages.'),
};

export const coverageParameters = {
  ...commonParameters,
  coverage: declareParameter('coverage', coverage, 'The name of the coverage.'),
  crs: declareParameter('crs', createTextKind('a CRS such as EPSG:4326'), 'The CRS of the box; x precedes y.'),
  responseCrs: declareParameter('response_crs', text, 'The CRS of the response. Default: that of the box.'),
  box: declareParameter('bbox', box, 'The box that the response covers exactly: minx,miny,maxx,maxy.'),
  time: declareParameter('time', text, 'Times: a value, a list, or a range such as 2024-01-01/2024-01-31.'),
  ...dimensionParameters,
  width: declareParameter('width', sampleCount, 'The number of columns; requires height.'),
  height: declareParameter('height', sampleCount, 'The number of rows; requires width.'),
  resX: declareParameter('resx', resolution, 'The width of a sample in units of the response CRS; requires resy.'),
  resY: declareParameter('resy', resolution, 'The height of a sample in units of the response CRS; requires resx.'),
  band: declareParameter(
    'band',
    createKind<readonly string[] | undefined>(
      'numbers from 1 such as 1,3 or 1/3, or names of bands',
      readList,
      undefined,
    ),
    'Bands to return: numbers from 1, ranges such as 1/3, or names. Default: all.',
    { aliases: ['bands'] },
  ),
  format: declareParameter('format', format, 'The format of the coverage.'),
  interpolation: declareParameter('interpolation', interpolation, 'How samples are interpolated.'),
  depth: declareUnsupported('depth', { what: 'A three-dimensional grid', instead: 'select an elevation' }),
  resZ: declareUnsupported('resz', { what: 'A three-dimensional grid', instead: 'select an elevation' }),
};

export const operations = {
  GetCapabilities: declareOperation('GetCapabilities', capabilities),
  DescribeCoverage: declareOperation('DescribeCoverage', describeParameters),
  GetCoverage: declareOperation('GetCoverage', coverageParameters),
} satisfies WcsProtocol['operations'];
