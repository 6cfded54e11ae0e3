/** The parameters of all WCS operations. */
import { capabilitiesParameters, commonParameters } from '../../ows/common-parameters.ts';
import {
  createTextKind,
  declareOperation,
  declareParameter,
  declareUnsupported,
  text,
} from '../../ows/service-parameters.ts';
import {
  bands,
  compression,
  coverageFormat,
  interpolation,
  multipart,
  scaleAxes,
  scaleExtent,
  scaleFactor,
  scaleSize,
  sections,
  subsets,
} from './parameter-kinds.ts';
import type { WcsRequest } from './request.ts';

const coverageId = createTextKind('a coverage id as in the capabilities');
const granuleFilter = {
  what: 'Selecting granules by a filter',
  instead: 'select them by their dimensions (subset)',
};

/** Mutually exclusive. */
export const scalingParameters = {
  scaleFactor: declareParameter('scaleFactor', scaleFactor, 'A factor for the size of all axes.'),
  scaleAxes: declareParameter('scaleAxes', scaleAxes, 'A factor for each axis, such as i(0.5),j(0.5).'),
  scaleSize: declareParameter('scaleSize', scaleSize, 'The number of samples of each axis, such as i(100),j(100).'),
  scaleExtent: declareParameter('scaleExtent', scaleExtent, 'The range of samples of each axis, such as i(0:99).'),
};

export const wcsCapabilitiesParameters = {
  ...capabilitiesParameters,
  sections: declareParameter('sections', sections, 'The sections to return. Default: all.'),
};

export const describeCoverageParameters = {
  ...commonParameters,
  coverageId: declareParameter('coverageId', coverageId, 'The ids of coverages, separated by commas.'),
};

export const coverageParameters = {
  ...commonParameters,
  coverageId: declareParameter('coverageId', coverageId, 'The id of the coverage.'),
  subset: declareParameter('subset', subsets, 'A part of an axis, such as Lat(40,50); can be repeated.'),
  subsettingCrs: declareParameter('subsettingCrs', text, 'The CRS of subsets. Default: that of the coverage.'),
  outputCrs: declareParameter('outputCrs', text, 'The CRS of the response. Default: that of subsets.'),
  ...scalingParameters,
  rangeSubset: declareParameter('rangeSubset', bands, 'The bands to return, such as red,green:blue. Default: all.'),
  interpolation: declareParameter('interpolation', interpolation, 'How samples are interpolated.'),
  format: declareParameter('format', coverageFormat, 'The format of the coverage. Default: image/tiff.'),
  mediaType: declareParameter('mediaType', multipart, 'With multipart/related, a GML document precedes the file.'),
  compression: declareParameter('geotiff:compression', compression, 'The compression of a GeoTIFF: None or Deflate.', {
    aliases: ['compression'],
  }),
  cqlFilter: declareUnsupported('cql_filter', granuleFilter),
  filter: declareUnsupported('filter', granuleFilter),
  sortBy: declareUnsupported('sortBy', { what: 'Sorting granules', instead: 'omit the parameter' }),
  overviewPolicy: declareUnsupported('overviewPolicy', {
    what: 'Another overview policy',
    usual: 'quality',
    instead: 'omit the parameter; overviews are read if their resolution is sufficient',
  }),
  tiling: declareUnsupported('geotiff:tiling', {
    what: 'A tiled GeoTIFF',
    usual: 'false',
    instead: 'omit the parameter for a GeoTIFF in strips',
  }),
  interleave: declareUnsupported('geotiff:interleave', {
    what: 'Band interleaving',
    usual: 'pixel',
    instead: 'omit the parameter',
  }),
  predictor: declareUnsupported('geotiff:predictor', {
    what: 'A GeoTIFF with a predictor',
    usual: 'none',
    instead: 'omit the parameter',
  }),
};

export const wcsOperations = {
  GetCapabilities: declareOperation('GetCapabilities', wcsCapabilitiesParameters),
  DescribeCoverage: declareOperation('DescribeCoverage', describeCoverageParameters),
  GetCoverage: declareOperation('GetCoverage', coverageParameters),
} satisfies Record<WcsRequest['kind'], unknown>;
