/** The parameters of features in OGC API Features. */
import type { JsonSchema } from '../../../../http/documents/schema.ts';
import { createKind, declareParameter, text } from '../../../ows/service-parameters.ts';
import { viewParameters } from '../../../ows/view-parameters.ts';
import { filterLanguage } from '../../common/filter-language.ts';
import { createFlagKind, createListKind, formatParameters, listNames, uri } from '../../common/parameters.ts';

/** The default and maximum page size. Files have the limits of the service and of the layer instead. */
export const DEFAULT_LIMIT = 10;
export const MAX_LIMIT = 10_000;

const position = createWholeNumberKind(0);

function createWholeNumberKind(minimum: number, schema: JsonSchema = {}) {
  return createKind<number | undefined>(
    `an integer of at least ${minimum}`,
    (value) => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      return number >= minimum ? number : undefined;
    },
    undefined,
    { type: 'integer', minimum, ...schema },
  );
}

/** By name: the parameters of a single feature. */
export const itemParameters = {
  ...formatParameters,
  crs: declareParameter('crs', uri, 'The CRS of the coordinates in the response.'),
  properties: declareParameter('properties', createListKind('string'), 'The attributes to return. Default: all.'),
  skipGeometry: declareParameter('skipGeometry', createFlagKind(false), 'Whether to omit geometries.'),
  viewparams: declareParameter(
    'viewparams',
    viewParameters,
    'The parameter values of a collection that is an SQL view, such as `low:2;high:9`. A backslash escapes `;`, `:` and `,`. Values that fail the validator of the parameter are rejected.',
  ),
};

/** By name: the parameters of every collection; attributes with comparable values are parameters as well. */
export const itemsParameters = {
  ...formatParameters,
  limit: declareParameter(
    'limit',
    createWholeNumberKind(1, { maximum: MAX_LIMIT, default: DEFAULT_LIMIT }),
    `The maximum number of features on a page. Files (CSV, shapefile, GeoPackage, FlatGeobuf, GeoParquet, Excel, DXF and KML) contain all features by default, and accept larger limits.`,
  ),
  offset: declareParameter('offset', position, 'The number of features to skip. Following the page links is faster.'),
  startIndex: declareParameter('startIndex', position, 'Alias of `offset`.'),
  after: declareParameter('after', text, 'A cursor from the `next` link of a page. Returns the page after it.'),
  before: declareParameter('before', text, 'A cursor from the `prev` link of a page. Returns the page before it.'),
  bbox: declareParameter(
    'bbox',
    createListKind('number'),
    'Returns only features that intersect this box: two corners, as four or six numbers.',
  ),
  'bbox-crs': declareParameter('bbox-crs', uri, 'The CRS of the box.'),
  crs: itemParameters.crs,
  datetime: declareParameter(
    'datetime',
    text,
    'Returns only features whose time intersects this instant, or an interval such as 2024-01-01/...',
  ),
  filter: declareParameter('filter', text, 'Returns only features that match this filter.'),
  'filter-lang': filterLanguage,
  'filter-crs': declareParameter('filter-crs', uri, 'The CRS of geometries in the filter.'),
  sortby: declareParameter(
    'sortby',
    createListKind('string'),
    'The attributes to sort by, each optionally preceded by + or -.',
  ),
  properties: itemParameters.properties,
  skipGeometry: itemParameters.skipGeometry,
  viewparams: itemParameters.viewparams,
};

/** The parameters of writes. */
export const changeParameters = {
  dryRun: declareParameter('dryRun', createFlagKind(false), 'Validates the request without applying it.'),
};

export const itemNames: ReadonlySet<string> = listNames(itemParameters);
export const itemsNames: ReadonlySet<string> = listNames(itemsParameters);

/** Removes the position parameters from links to other pages. */
export const noPosition = { offset: undefined, startIndex: undefined, after: undefined, before: undefined } as const;
