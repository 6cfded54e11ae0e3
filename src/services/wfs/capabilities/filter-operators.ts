/** The supported filter operators, by the names of each version of the standard. */

export const spatialOperators = [
  'BBOX',
  'Equals',
  'Disjoint',
  'Intersects',
  'Touches',
  'Crosses',
  'Within',
  'Contains',
  'Overlaps',
  'DWithin',
  'Beyond',
];

/** Version 1.0 has another name for one of them. */
export const spatialOperatorsOf10 = spatialOperators.map((name) => (name === 'Intersects' ? 'Intersect' : name));

export const comparisonsOf10 = ['Simple_Comparisons', 'Between', 'Like', 'NullCheck'];

export const comparisonsOf11 = [
  'LessThan',
  'GreaterThan',
  'LessThanEqualTo',
  'GreaterThanEqualTo',
  'EqualTo',
  'NotEqualTo',
  'Like',
  'Between',
  'NullCheck',
];

export const comparisonsOf20 = [
  'PropertyIsLessThan',
  'PropertyIsGreaterThan',
  'PropertyIsLessThanOrEqualTo',
  'PropertyIsGreaterThanOrEqualTo',
  'PropertyIsEqualTo',
  'PropertyIsNotEqualTo',
  'PropertyIsLike',
  'PropertyIsBetween',
  'PropertyIsNull',
  'PropertyIsNil',
];

export const temporalOperators = ['After', 'Before', 'During', 'TEquals'];

export const geometryOperandsOf11 = ['gml:Envelope', 'gml:Point', 'gml:LineString', 'gml:Polygon'];

export const geometryOperandsOf20 = [
  'gml:Envelope',
  'gml:Point',
  'gml:MultiPoint',
  'gml:LineString',
  'gml:MultiLineString',
  'gml:MultiCurve',
  'gml:Polygon',
  'gml:MultiPolygon',
  'gml:MultiSurface',
  'gml:MultiGeometry',
];
