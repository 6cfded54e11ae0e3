/** The parameters of all WFS operations. */
import type { DxfOptions } from '../../../formats/port/port.ts';
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
  flag,
  formatNames,
  list,
  options,
  text,
} from '../../ows/service-parameters.ts';
import { viewParameters } from '../../ows/view-parameters.ts';
import type { WfsRequest, WfsVersion } from './request.ts';

/** Long enough for an edit by hand, and short enough if the client is gone. */
const DEFAULT_LOCK_SECONDS = 300;

/** A forgotten lock does not outlive the next day. */
const MAX_LOCK_SECONDS = 86_400;

const MINUTE_SECONDS = 60;

/** Converts an expiry in the unit of the version to seconds. */
export function readLockSeconds(expiry: number | undefined, version: WfsVersion): number {
  const [unit, factor] = version === '2.0.0' ? ['seconds', 1] : ['minutes', MINUTE_SECONDS];
  const seconds = expiry === undefined ? DEFAULT_LOCK_SECONDS : expiry * factor;
  if (seconds < 1 || seconds > MAX_LOCK_SECONDS) {
    throw createParameterProblem(
      'expiry',
      String(expiry),
      `a number of ${unit} from 1 to ${MAX_LOCK_SECONDS / factor}`,
    );
  }
  return seconds;
}

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

/** The limit of line types in DXF. */
const MAX_DASHES = 12;
const DASH_LENGTH = 0.125;

/** Reads line types such as `dashdot!--_*_!0.25`: a name, dashes, dots and gaps, and the length of one sign. */
function readLineTypes(value: string): DxfOptions['lineTypes'] | undefined {
  const lineTypes = readList(value).map((descriptor) => {
    const [, name = '', pattern = '', length] =
      /^([^!]+)!([-*_]+)(?:!(\d{1,9}(?:\.\d{1,9})?))?$/.exec(descriptor) ?? [];
    const base = length === undefined ? DASH_LENGTH : Number(length);
    const lengths = (pattern.match(/-+|_+|\*/g) ?? []).map((part) =>
      part.startsWith('*') ? 0 : part.length * base * (part.startsWith('-') ? 1 : -1),
    );
    return { name, lengths, isValid: name !== '' && base > 0 && lengths.length <= MAX_DASHES };
  });
  return lineTypes.every(({ isValid }) => isValid)
    ? lineTypes.map(({ name, lengths }) => ({ name, lengths }))
    : undefined;
}

function readColors(value: string): readonly number[] | undefined {
  const colors = readList(value).map(Number);
  return colors.length > 0 && colors.every((each) => Number.isInteger(each) && each >= 1 && each <= 255)
    ? colors
    : undefined;
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
  version: declareParameter(
    'version',
    createKind<'14' | undefined>('14', (value) => (value === '14' ? value : undefined), undefined),
    'The release of DXF: 14.',
  ),
  asblock: declareParameter('asblock', flag, 'Whether each feature in DXF is a block.'),
  colors: declareParameter(
    'colors',
    createKind<readonly number[] | undefined>('colour numbers from 1 to 255', readColors, undefined),
    'The AutoCAD colours of the layers in DXF, repeated if there are more layers.',
  ),
  ltypes: declareParameter(
    'ltypes',
    createKind<DxfOptions['lineTypes']>(
      `line types such as dashdot!--_*_!0.25 with at most ${MAX_DASHES} parts`,
      readLineTypes,
      undefined,
    ),
    'The line types of the layers in DXF as name!pattern!length: dashes (-), dots (*) and gaps (_), with the length of one sign.',
  ),
  layers: declareParameter('layers', list, 'The names of the layers in DXF, one for each query.'),
  withattributes: declareParameter(
    'withattributes',
    flag,
    'Whether a second layer in DXF has the values of each feature at a point of it.',
  ),
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
    'The names of feature types; in parentheses for several queries. In 2.0.0, names separated by commas are a join. Older versions name it typeName.',
    { aliases: ['typeName'], mustAgree: true },
  ),
  namespaces: declareParameter('namespaces', text, 'The prefixes of type names as xmlns(prefix,uri).', {
    aliases: ['namespace'],
  }),
  outputFormat: declareParameter('outputFormat', text, 'The format of the response, such as application/json.'),
};

export const featureParameters = {
  ...ofTypes,
  aliases: declareParameter(
    'aliases',
    createKind<readonly (readonly string[])[]>('names', readLists, []),
    'The aliases of the types of a join, by which filters name properties: a/name. Default: the names of the types.',
  ),
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
  id: declareParameter('id', createTextKind('the id of a feature'), 'The feature id for GetFeatureById.'),
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

const ofLocks = {
  expiry: declareParameter(
    'expiry',
    count,
    `The time until the lock expires: minutes in versions 1.x, seconds in 2.0.0. Default: ${DEFAULT_LOCK_SECONDS} seconds.`,
  ),
  lockAction: declareParameter(
    'lockAction',
    createKind<'ALL' | 'SOME'>(
      'ALL or SOME',
      (value) => (['ALL', 'SOME'] as const).find((each) => each === value.trim().toUpperCase()),
      'ALL',
      { type: 'string', enum: ['ALL', 'SOME'] },
    ),
    'Whether one feature that cannot be locked prevents the lock (ALL, default), or is skipped (SOME).',
  ),
};

const {
  namespaces,
  resourceId,
  bbox,
  filter,
  cqlFilter,
  storedQueryId: storedQuery,
  id,
  typeNames,
} = featureParameters;

export const lockParameters = {
  ...ofRequest,
  ...ofLocks,
  ...{ typeNames, namespaces, resourceId, bbox, filter, cqlFilter, storedQuery, id },
  lockId: declareParameter('lockId', text, 'The lock whose time starts again, instead of features (2.0.0).'),
};

export const featureWithLockParameters = { ...featureParameters, ...ofLocks };

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

export const dropStoredQueryParameters = {
  ...ofRequest,
  id: declareParameter('storedQuery_id', createTextKind('the id of a stored query'), 'The stored query to delete.', {
    aliases: ['id'],
  }),
};

export const wfsOperations = {
  GetCapabilities: declareOperation('GetCapabilities', wfsCapabilitiesParameters),
  DescribeFeatureType: declareOperation('DescribeFeatureType', ofTypes),
  GetFeature: declareOperation('GetFeature', featureParameters),
  GetPropertyValue: declareOperation('GetPropertyValue', propertyValueParameters),
  ListStoredQueries: declareOperation('ListStoredQueries', ofRequest),
  DescribeStoredQueries: declareOperation('DescribeStoredQueries', storedQueriesParameters),
  // The body is an XML document.
  CreateStoredQuery: declareOperation('CreateStoredQuery', ofRequest),
  DropStoredQuery: declareOperation('DropStoredQuery', dropStoredQueryParameters),
  LockFeature: declareOperation('LockFeature', lockParameters),
  GetFeatureWithLock: declareOperation('GetFeatureWithLock', featureWithLockParameters),
  // The body is an XML document.
  Transaction: declareOperation('Transaction', ofRequest),
} satisfies Record<WfsRequest['kind'], unknown>;
