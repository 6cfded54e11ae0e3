/** Groups of names that are interchangeable in many places of the schemas. */

export const commonExpressions = ['Literal', 'PropertyName', 'Function', 'Add', 'Sub', 'Mul', 'Div'] as const;

/** The functions that Symbology Encoding writes as elements. */
export const symbologyFunctions = [
  'Categorize',
  'Interpolate',
  'Recode',
  'FormatNumber',
  'FormatDate',
  'Substring',
  'Concatenate',
  'ChangeCase',
  'Trim',
  'StringPosition',
  'StringLength',
] as const;

export const geometries = [
  'Point',
  'LineString',
  'Polygon',
  'Box',
  'Envelope',
  'Curve',
  'Surface',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'MultiCurve',
  'MultiSurface',
  'MultiGeometry',
] as const;

export const comparisons = [
  'PropertyIsEqualTo',
  'PropertyIsNotEqualTo',
  'PropertyIsLessThan',
  'PropertyIsGreaterThan',
  'PropertyIsLessThanOrEqualTo',
  'PropertyIsGreaterThanOrEqualTo',
] as const;

export const spatialOperators = [
  'Equals',
  'Disjoint',
  'Touches',
  'Within',
  'Overlaps',
  'Crosses',
  'Intersects',
  'Contains',
] as const;

/** All filters that other filters can contain. */
export const conditions = [
  ...comparisons,
  'PropertyIsLike',
  'PropertyIsNull',
  'PropertyIsBetween',
  ...spatialOperators,
  'DWithin',
  'Beyond',
  'BBOX',
  'And',
  'Or',
  'Not',
] as const;

export const identifiers = ['FeatureId', 'GmlObjectId'] as const;

export const symbolizers = [
  'PointSymbolizer',
  'LineSymbolizer',
  'PolygonSymbolizer',
  'TextSymbolizer',
  'RasterSymbolizer',
] as const;

export const contrastMethods = ['Normalize', 'Histogram', 'Logarithmic', 'Exponential'] as const;
