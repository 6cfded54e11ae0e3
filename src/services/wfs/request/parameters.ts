/** The parameters of all WFS operations. */
import { capabilitiesParameters, commonParameters } from '../../ows/common-parameters.ts';
import { readGroups, readList, readLists } from '../../ows/parameters.ts';
import { readSortBy, type SortKey } from '../../ows/selection.ts';
import {
  count,
  createKind,
  createParameterProblem,
  createTextKind,
  declareOperation,
  declareParameter,
  formatNames,
  list,
  options,
  text,
} from '../../ows/service-parameters.ts';
import { viewParameters } from '../../ows/view-parameters.ts';
import type { WfsRequest } from './request.ts';

const separators: ReadonlyMap<string, string> = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
  ['space', ' '],
  ['pipe', '|'],
  [',', ','],
  ['|', '|'],
]);

const separatorNames = [...separators.keys()].slice(0, 5).join(', ');

function readSeparator(name: string): string {
  const separator = separators.get(name.toLowerCase());
  if (separator === undefined) {
    throw createParameterProblem('format_options', name, `one of ${separatorNames} for csvSeparator`);
  }
  return separator;
}

function readCharset(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw createParameterProblem('format_options', name, 'an encoding such as UTF-8 for CHARSET');
  }
}

/** The options in `format_options`. */
export const featureFormatOptions = declareOperation('format_options', {
  csvSeparator: declareParameter(
    'csvSeparator',
    createKind<string | undefined>(separatorNames, readSeparator, undefined),
    `The separator of CSV: ${separatorNames}.`,
  ),
  charset: declareParameter(
    'charset',
    createKind<string | undefined>('an encoding such as UTF-8', readCharset, undefined),
    'The encoding of texts in a shapefile.',
  ),
  filename: declareParameter('filename', text, 'The name of the file for browsers that save the response.'),
});

const ofRequest = {
  ...commonParameters,
  version: declareParameter('version', text, 'The version: 1.0.0, 1.1.0 or 2.0.0 (default).'),
  exceptions: declareParameter('exceptions', text, 'The format of errors: XML (default) or application/json.'),
};

const storedQueryId = declareParameter(
  'storedQuery_id',
  list,
  'The ids of the stored queries to describe. Default: all.',
);

const ofTypes = {
  ...ofRequest,
  typeNames: declareParameter(
    'typeNames',
    text,
    'The names of feature types; in parentheses for several queries. Older versions name it typeName.',
    { aliases: ['typeName'], mustAgree: true },
  ),
  namespaces: declareParameter('namespaces', text, 'The prefixes of type names as xmlns(prefix,uri).', {
    aliases: ['namespace'],
  }),
  outputFormat: declareParameter('outputFormat', text, 'The format of the response, such as application/json.'),
};

export const featureParameters = {
  ...ofTypes,
  count: declareParameter('count', count, 'The maximum number of features; the smaller one of count and maxFeatures.'),
  maxFeatures: declareParameter('maxFeatures', count, 'The maximum number of features in older versions.'),
  startIndex: declareParameter('startIndex', count, 'The number of features to skip.'),
  resultType: declareParameter(
    'resultType',
    createKind<'results' | 'hits'>(
      'results or hits',
      (value) => (['results', 'hits'] as const).find((each) => each === value.trim().toLowerCase()),
      'results',
      { type: 'string', enum: ['results', 'hits'] },
    ),
    'Whether to return features (results) or their number (hits).',
  ),
  formatOptions: declareParameter(
    'format_options',
    options,
    `Options of the format as name:value;name:value: ${formatNames(featureFormatOptions)}.`,
  ),
  storedQueryId: declareParameter('storedQuery_id', text, 'The id of a stored query, instead of feature types.'),
  id: declareParameter('id', createTextKind('the id of a feature'), 'The feature id for the stored query.'),
  propertyName: declareParameter(
    'propertyName',
    createKind<readonly (readonly string[])[]>('the names of properties', readLists, []),
    'The properties to return, in parentheses per query. Default: all.',
  ),
  sortBy: declareParameter(
    'sortBy',
    createKind<readonly (readonly SortKey[])[]>(
      'properties, each optionally followed by ASC or DESC',
      (value) => readGroups(value).map(readSortBy),
      [],
    ),
    'The properties to sort by, each optionally followed by ASC or DESC.',
  ),
  srsName: declareParameter('srsName', text, 'The CRS of the coordinates in the response.'),
  viewParams: declareParameter(
    'viewParams',
    viewParameters,
    'Parameters of virtual tables as name:value;name:value, one block for each query, separated by commas.',
  ),
  resourceId: declareParameter('resourceId', text, 'The ids of features. Older versions name it featureId.', {
    aliases: ['featureId'],
    mustAgree: true,
  }),
  bbox: declareParameter(
    'bbox',
    text,
    'Returns features in this box: lower corner, upper corner and optionally a CRS.',
  ),
  filter: declareParameter('filter', text, 'A filter in Filter Encoding (XML), in parentheses per query.'),
  cqlFilter: declareParameter('cql_filter', text, 'A filter in ECQL for each query, separated by semicolons.'),
};

export const propertyValueParameters = {
  ...featureParameters,
  valueReference: declareParameter(
    'valueReference',
    createTextKind('the name of a property'),
    'The property whose values are returned.',
  ),
};

export const wfsCapabilitiesParameters = {
  ...capabilitiesParameters,
  ...ofRequest,
  sections: declareParameter(
    'sections',
    createKind<readonly string[] | undefined>('names of sections', (value) => readList(value.toLowerCase()), undefined),
    'The sections to return. Default: all.',
  ),
};

export const storedQueriesParameters = { ...ofRequest, storedQueryId };

export const wfsOperations = {
  GetCapabilities: declareOperation('GetCapabilities', wfsCapabilitiesParameters),
  DescribeFeatureType: declareOperation('DescribeFeatureType', ofTypes),
  GetFeature: declareOperation('GetFeature', featureParameters),
  GetPropertyValue: declareOperation('GetPropertyValue', propertyValueParameters),
  ListStoredQueries: declareOperation('ListStoredQueries', ofRequest),
  DescribeStoredQueries: declareOperation('DescribeStoredQueries', storedQueriesParameters),
  // The body is an XML document.
  Transaction: declareOperation('Transaction', ofRequest),
} satisfies Record<WfsRequest['kind'], unknown>;
