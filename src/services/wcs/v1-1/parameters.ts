/** The parameters of WCS 1.1.1. */
import { capabilitiesParameters, commonParameters } from '../../ows/common-parameters.ts';
import { readList } from '../../ows/parameters.ts';
import {
  createKind,
  createParameterProblem,
  createTextKind,
  declareOperation,
  declareParameter,
  declareUnsupported,
  type ParameterKind,
  text,
} from '../../ows/service-parameters.ts';
import { type CoverageFormat, coverageFormats, findCoverageFormat } from '../coverage/coverage-formats.ts';
import { parseNumbers } from '../coverage/numbers.ts';
import type { WcsProtocol } from '../coverage/protocol.ts';
import { dimensionParameters } from '../coverage/read-dimension-values.ts';
import { rangeSubset } from './range-subset.ts';

export const sectionNames = ['ServiceIdentification', 'ServiceProvider', 'OperationsMetadata', 'Contents'] as const;
export type Section = (typeof sectionNames)[number];

const sectionList = `All, or some of ${sectionNames.join(', ')}`;

const sections: ParameterKind<readonly Section[]> = createKind<readonly Section[]>(
  sectionList,
  (value) => {
    const asked = readList(value).map((each) => each.toLowerCase());
    if (asked.length === 0 || asked.includes('all')) return sectionNames;
    return asked.map((each) => {
      const found = sectionNames.find((name) => name.toLowerCase() === each);
      if (found === undefined) throw createParameterProblem('sections', each, sectionList);
      return found;
    });
  },
  sectionNames,
);

/** The CRS of boxes that name none: some clients send only longitudes and latitudes. */
const LONGITUDE_FIRST = 'urn:ogc:def:crs:OGC:1.3:CRS84';

/** The corners in the axis order of the CRS. */
export interface RequestedBox {
  readonly corners: readonly [number, number, number, number];
  readonly crs: string;
  readonly text: string;
}

const box: ParameterKind<RequestedBox | undefined> = createKind<RequestedBox | undefined>(
  'the lower corner, the upper corner and the CRS, such as 46,10,50,16,urn:ogc:def:crs:EPSG::4326',
  (value) => {
    const parts = value.split(',');
    const [low1, low2, high1, high2] = parseNumbers(parts.slice(0, 4).join(',')) ?? [];
    const crs = parts.length === 4 ? LONGITUDE_FIRST : (parts[4]?.trim() ?? '');
    if (low1 === undefined || low2 === undefined || high1 === undefined || high2 === undefined) return undefined;
    if (parts.length > 5 || crs === '' || low1 > high1 || low2 > high2) return undefined;
    return { corners: [low1, low2, high1, high2], crs, text: value };
  },
  undefined,
);

/** Numbers are separated by commas in key-value pairs and by spaces in documents. */
function createNumbersKind(expected: string, counts: readonly number[]): ParameterKind<readonly number[] | undefined> {
  return createKind<readonly number[] | undefined>(
    expected,
    (value) => {
      const numbers = parseNumbers(value, /\s*,\s*|\s+/);
      return numbers !== undefined && counts.includes(numbers.length) ? numbers : undefined;
    },
    undefined,
  );
}

/** A URN whose last part is one of the names. */
function createUrnKind(names: readonly string[]): ParameterKind<string | undefined> {
  return createKind<string | undefined>(
    `a URN that ends with ${names.join(' or ')}`,
    (value) => names.find((name) => value.trim().toLowerCase().endsWith(`:${name.toLowerCase()}`)),
    undefined,
  );
}

const format: ParameterKind<CoverageFormat | undefined> = createKind<CoverageFormat | undefined>(
  `one of ${Object.values(coverageFormats)
    .map(({ mediaType }) => mediaType)
    .join(', ')}`,
  findCoverageFormat,
  undefined,
);

const identifier = createTextKind('an identifier as in the capabilities');

export const capabilities = {
  ...capabilitiesParameters,
  sections: declareParameter('sections', sections, 'The sections to return. Default: all.'),
};

export const describeParameters = {
  ...commonParameters,
  identifiers: declareParameter('identifiers', identifier, 'Identifiers of coverages, separated by commas.', {
    aliases: ['identifier'],
  }),
};

export const coverageParameters = {
  ...commonParameters,
  identifier: declareParameter('identifier', identifier, 'The identifier of the coverage.'),
  box: declareParameter(
    'boundingBox',
    box,
    'The lower corner, the upper corner and the CRS, in its axis order. Default CRS: longitude and latitude.',
  ),
  time: declareParameter('timeSequence', text, 'Times: a value, a list, or a range such as 2024-01-01/2024-01-31.'),
  ...dimensionParameters,
  format: declareParameter('format', format, 'The format of the coverage.'),
  rangeSubset: declareParameter(
    'rangeSubset',
    rangeSubset,
    'The interpolation and the bands, such as contents:linear[Bands[red,2]].',
  ),
  gridBaseCrs: declareParameter('gridBaseCRS', text, 'The CRS of the response. Default: that of the coverage.'),
  gridType: declareParameter('gridType', createUrnKind(['2dSimpleGrid', '2dGridIn2dCrs']), 'The kind of the grid.'),
  gridCs: declareParameter('gridCS', createUrnKind(['Grid2dSquareCS']), 'The coordinate system of the grid.'),
  gridOrigin: declareParameter(
    'gridOrigin',
    createNumbersKind('two numbers in the axis order of gridBaseCRS', [2]),
    'The centre of a sample. Without it, the samples fill the box exactly.',
  ),
  gridOffsets: declareParameter(
    'gridOffsets',
    createNumbersKind('two numbers, or four numbers of a grid without rotation', [2, 4]),
    'The distances of samples in units of gridBaseCRS. Default: the original samples.',
  ),
  store: declareUnsupported('store', {
    what: 'Storing the response on the server',
    usual: 'false',
    instead: 'omit the parameter; the response contains the coverage',
  }),
};

export const operations = {
  GetCapabilities: declareOperation('GetCapabilities', capabilities),
  DescribeCoverage: declareOperation('DescribeCoverage', describeParameters),
  GetCoverage: declareOperation('GetCoverage', coverageParameters),
} satisfies WcsProtocol['operations'];
