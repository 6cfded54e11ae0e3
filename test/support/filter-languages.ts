/** Writes filters in all client languages, for tests that these are equivalent. */
import type { ArithmeticOperator, Expression } from '../../src/filter/model/expression.ts';
import type { ComparisonOperator, Filter, Period, TemporalOperator } from '../../src/filter/model/filter.ts';
import type { GeometryLiteral, Position } from '../../src/filter/model/geometry-literal.ts';
import { resolvePeriod } from '../../src/filter/model/moment.ts';

/** Thrown for filters that a language cannot express. */
export class Unspeakable extends Error {
  override readonly name = 'Unspeakable';
}

export type FilterVersion = '1.0' | '1.1' | '2.0';

const xmlComparisons: Readonly<Record<ComparisonOperator, string>> = {
  equal: 'PropertyIsEqualTo',
  notEqual: 'PropertyIsNotEqualTo',
  less: 'PropertyIsLessThan',
  lessOrEqual: 'PropertyIsLessThanOrEqualTo',
  greater: 'PropertyIsGreaterThan',
  greaterOrEqual: 'PropertyIsGreaterThanOrEqualTo',
};
const xmlTemporals: Readonly<Partial<Record<TemporalOperator, string>>> = {
  after: 'After',
  before: 'Before',
  starts: 'Begins',
  startedBy: 'BegunBy',
  contains: 'TContains',
  during: 'During',
  finishedBy: 'EndedBy',
  finishes: 'Ends',
  tequals: 'TEquals',
  meets: 'Meets',
  metBy: 'MetBy',
  overlaps: 'TOverlaps',
  overlappedBy: 'OverlappedBy',
  intersects: 'AnyInteracts',
};
const xmlArithmetic: Readonly<Record<ArithmeticOperator, string>> = {
  add: 'Add',
  subtract: 'Sub',
  multiply: 'Mul',
  divide: 'Div',
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\r', '&#13;');
const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const namespaces: Readonly<Record<FilterVersion, string>> = {
  '1.0': 'xmlns="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml"',
  '1.1': 'xmlns="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml"',
  '2.0': 'xmlns="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"',
};

/** Lists become conditions joined by Or, and durations become instants. */
export function writeXmlFilter(filter: Filter, version: FilterVersion): string {
  return `<Filter ${namespaces[version]}>${xmlCondition(filter, version)}</Filter>`;
}

function xmlCondition(filter: Filter, version: FilterVersion): string {
  const value = (expression: Expression): string => xmlExpression(expression, version);
  const matchCase = 'matchCase' in filter && filter.matchCase === false ? ' matchCase="false"' : '';
  switch (filter.kind) {
    case 'comparison': {
      const name = xmlComparisons[filter.operator];
      return `<${name}${matchCase}>${value(filter.left)}${value(filter.right)}</${name}>`;
    }
    case 'like': {
      const escapeSign = `${version === '1.0' ? 'escape' : 'escapeChar'}="${escaped(filter.escape)}"`;
      const signs = `wildCard="${escaped(filter.wildCard)}" singleChar="${escaped(filter.singleCharacter)}" ${escapeSign}`;
      const pattern = `<Literal>${escaped(filter.pattern)}</Literal>`;
      return `<PropertyIsLike ${signs}${matchCase}>${value(filter.value)}${pattern}</PropertyIsLike>`;
    }
    case 'isNull':
      return `<PropertyIsNull>${value(filter.value)}</PropertyIsNull>`;
    case 'between':
      return `<PropertyIsBetween>${value(filter.value)}<LowerBoundary>${value(filter.lower)}</LowerBoundary><UpperBoundary>${value(filter.upper)}</UpperBoundary></PropertyIsBetween>`;
    case 'membership': {
      const equal = filter.list.map(
        (right): Filter => ({ kind: 'comparison', operator: 'equal', left: filter.value, right }),
      );
      const [only] = equal;
      return xmlCondition(only !== undefined && equal.length === 1 ? only : { kind: 'or', filters: equal }, version);
    }
    case 'and':
    case 'or': {
      const name = capitalized(filter.kind);
      return `<${name}>${filter.filters.map((each) => xmlCondition(each, version)).join('')}</${name}>`;
    }
    case 'not':
      return `<Not>${xmlCondition(filter.filter, version)}</Not>`;
    case 'identifiers':
      return xmlIdentifiers(filter.identifiers, version);
    case 'spatial': {
      const name = capitalized(filter.operator);
      return `<${name}>${value(filter.left)}${value(filter.right)}</${name}>`;
    }
    case 'distance': {
      const name = filter.operator === 'within' ? 'DWithin' : 'Beyond';
      const units =
        filter.units === undefined ? '' : ` ${version === '2.0' ? 'uom' : 'units'}="${escaped(filter.units)}"`;
      return `<${name}>${value(filter.left)}${value(filter.right)}<Distance${units}>${filter.distance}</Distance></${name}>`;
    }
    case 'boundingBox':
      return `<BBOX>${filter.geometry === undefined ? '' : value(filter.geometry)}${gml(filter.bounds, version)}</BBOX>`;
    case 'temporal': {
      const name = version === '2.0' ? xmlTemporals[filter.operator] : undefined;
      if (name === undefined) throw new Unspeakable(filter.operator);
      const [own, other] = [filter.value, filter.time].map((time) =>
        time.kind === 'period' ? gmlPeriod(time) : value(time),
      );
      return `<${name}>${own}${other}</${name}>`;
    }
    default:
      throw new Unspeakable(filter.kind);
  }
}

/** Each of these is a single condition beside others. */
function xmlIdentifiers(identifiers: readonly string[], version: FilterVersion): string {
  const [open, attribute] = {
    '1.0': ['FeatureId', 'fid'],
    '1.1': ['GmlObjectId', 'gml:id'],
    '2.0': ['ResourceId', 'rid'],
  }[version];
  const all = identifiers.map((each) => `<${open} ${attribute}="${escaped(each)}"/>`);
  return all.length === 1 ? all.join('') : `<Or>${all.join('')}</Or>`;
}

function gmlPeriod(period: Period): string {
  const [start, end] = formatMoments(period);
  const position = (name: string, moment: string): string =>
    moment === '..'
      ? `<gml:${name} indeterminatePosition="unknown"/>`
      : `<gml:${name}>${escaped(moment)}</gml:${name}>`;
  return `<gml:TimePeriod>${position('beginPosition', start)}${position('endPosition', end)}</gml:TimePeriod>`;
}

/** Durations become instants. */
function formatMoments({ start, end }: Period): readonly [string, string] {
  const moments = typeof start === 'string' && typeof end === 'string' ? resolvePeriod(start, end) : undefined;
  if (moments === undefined) throw new Unspeakable('a period of attributes');
  return moments;
}

function xmlExpression(expression: Expression, version: FilterVersion): string {
  switch (expression.kind) {
    case 'literal':
      return `<Literal>${escaped(expression.value)}</Literal>`;
    case 'property': {
      const name = version === '2.0' ? 'ValueReference' : 'PropertyName';
      return `<${name}>${escaped(expression.name)}</${name}>`;
    }
    case 'arithmetic': {
      const name = xmlArithmetic[expression.operator];
      return `<${name}>${xmlExpression(expression.left, version)}${xmlExpression(expression.right, version)}</${name}>`;
    }
    case 'function':
      return `<Function name="${escaped(expression.name)}">${expression.arguments.map((each) => xmlExpression(each, version)).join('')}</Function>`;
    case 'geometry':
      return gml(expression, version);
    case 'concatenation':
      throw new Unspeakable(expression.kind);
  }
}

function gml(geometry: GeometryLiteral, version: FilterVersion): string {
  const isOld = version === '1.0';
  const srs = geometry.srsName === undefined ? '' : ` srsName="${escaped(geometry.srsName)}"`;
  const positions = (list: readonly Position[]): string =>
    isOld
      ? `<gml:coordinates>${list.map((each) => each.join(',')).join(' ')}</gml:coordinates>`
      : `<gml:posList>${list.map((each) => each.join(' ')).join(' ')}</gml:posList>`;
  const element = (name: string, inner: string): string => `<gml:${name}${srs}>${inner}</gml:${name}>`;
  switch (geometry.type) {
    case 'Point':
      return element(
        'Point',
        isOld ? positions([geometry.coordinates]) : `<gml:pos>${geometry.coordinates.join(' ')}</gml:pos>`,
      );
    case 'LineString':
      return element('LineString', positions(geometry.coordinates));
    case 'Polygon': {
      const [outer, inner] = isOld ? ['outerBoundaryIs', 'innerBoundaryIs'] : ['exterior', 'interior'];
      const rings = geometry.coordinates.map((ring, index) => {
        const name = index === 0 ? outer : inner;
        return `<gml:${name}><gml:LinearRing>${positions(ring)}</gml:LinearRing></gml:${name}>`;
      });
      return element('Polygon', rings.join(''));
    }
    case 'Envelope': {
      if (isOld) return element('Box', positions(geometry.coordinates));
      const [lower, upper] = geometry.coordinates.map((each) => each.join(' '));
      return element(
        'Envelope',
        `<gml:lowerCorner>${lower}</gml:lowerCorner><gml:upperCorner>${upper}</gml:upperCorner>`,
      );
    }
    default: {
      const [name, member] = multiNames(geometry.type, isOld);
      const members = geometry.members.map((each) => `<gml:${member}>${gml(each, version)}</gml:${member}>`);
      return element(name, members.join(''));
    }
  }
}

function multiNames(type: string, isOld: boolean): readonly [string, string] {
  switch (type) {
    case 'MultiPoint':
      return [type, 'pointMember'];
    case 'MultiLineString':
      return isOld ? [type, 'lineStringMember'] : ['MultiCurve', 'curveMember'];
    case 'MultiPolygon':
      return isOld ? [type, 'polygonMember'] : ['MultiSurface', 'surfaceMember'];
    default:
      return ['MultiGeometry', 'geometryMember'];
  }
}

/** The JSON form of CQL2; boxes become intersections, and durations become instants. */
export function writeCql2Json(filter: Filter): string {
  return JSON.stringify(toCql2(filter));
}

type Cql2 = string | number | boolean | { readonly [name: string]: unknown } | readonly Cql2[];

const signs: Readonly<Record<ComparisonOperator | ArithmeticOperator, string>> = {
  equal: '=',
  notEqual: '<>',
  less: '<',
  lessOrEqual: '<=',
  greater: '>',
  greaterOrEqual: '>=',
  add: '+',
  subtract: '-',
  multiply: '*',
  divide: '/',
};

const operation = (op: string, ...args: readonly Cql2[]): { readonly op: string; readonly args: readonly Cql2[] } => ({
  op,
  args,
});

function toCql2(filter: Filter): Cql2 {
  switch (filter.kind) {
    case 'comparison': {
      const [left, right] = [filter.left, filter.right].map((each) =>
        filter.matchCase === false ? operation('casei', cql2Expression(each)) : cql2Expression(each),
      );
      return operation(signs[filter.operator], left ?? '', right ?? '');
    }
    case 'like': {
      if (filter.wildCard !== '%' || filter.singleCharacter !== '_' || filter.escape !== '\\')
        throw new Unspeakable('signs');
      const subject = cql2Expression(filter.value);
      return filter.matchCase === false
        ? operation('like', operation('casei', subject), operation('casei', filter.pattern))
        : operation('like', subject, filter.pattern);
    }
    case 'isNull':
      return operation('isNull', cql2Expression(filter.value));
    case 'between':
      return operation('between', ...[filter.value, filter.lower, filter.upper].map(cql2Expression));
    case 'membership':
      return operation('in', cql2Expression(filter.value), filter.list.map(cql2Expression));
    case 'and':
    case 'or':
      return operation(filter.kind, ...filter.filters.map(toCql2));
    case 'not':
      return operation('not', toCql2(filter.filter));
    case 'spatial':
      return operation(`s_${filter.operator}`, cql2Expression(filter.left), cql2Expression(filter.right));
    case 'boundingBox': {
      const geometry = filter.geometry ?? ({ kind: 'property', name: 'geom' } as const);
      return operation('s_intersects', cql2Expression(geometry), cql2Expression(filter.bounds));
    }
    case 'temporal': {
      if (filter.operator === 'beforeOrDuring' || filter.operator === 'duringOrAfter')
        throw new Unspeakable(filter.operator);
      const name = filter.operator === 'tequals' ? 'equals' : filter.operator;
      return operation(
        `t_${name}`,
        ...[filter.value, filter.time].map((time) =>
          time.kind === 'period' ? cql2Period(time) : cql2Expression(time),
        ),
      );
    }
    default:
      throw new Unspeakable(filter.kind);
  }
}

function cql2Period(period: Period): Cql2 {
  const { start, end } = period;
  if (typeof start === 'string' && typeof end === 'string') return { interval: formatMoments(period) };
  return { interval: [start, end].map((each) => (typeof each === 'string' ? each : { property: each.name })) };
}

function cql2Expression(expression: Expression): Cql2 {
  switch (expression.kind) {
    case 'literal':
      return String(Number(expression.value)) === expression.value ? Number(expression.value) : expression.value;
    case 'property':
      return { property: expression.name };
    case 'arithmetic':
      return operation(signs[expression.operator], cql2Expression(expression.left), cql2Expression(expression.right));
    case 'function':
      return operation(expression.name, ...expression.arguments.map(cql2Expression));
    case 'geometry':
      return geoJson(expression);
    case 'concatenation':
      throw new Unspeakable(expression.kind);
  }
}

function geoJson(geometry: GeometryLiteral): { readonly [name: string]: unknown } {
  if (geometry.srsName !== undefined) throw new Unspeakable('srsName');
  switch (geometry.type) {
    case 'Envelope':
      return { bbox: geometry.coordinates.flat() };
    case 'GeometryCollection':
      return { type: geometry.type, geometries: geometry.members.map(geoJson) };
    case 'MultiPoint':
    case 'MultiLineString':
    case 'MultiPolygon':
      return {
        type: geometry.type,
        coordinates: geometry.members.map((each) => ('coordinates' in each ? each.coordinates : [])),
      };
    default:
      return { type: geometry.type, coordinates: geometry.coordinates };
  }
}

/** The text form of CQL2, derived from the JSON form. */
export function writeCql2Text(filter: Filter): string {
  return cql2Text(toCql2(filter));
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function cql2Text(part: unknown): string {
  if (typeof part === 'number' || typeof part === 'boolean') return String(part);
  if (typeof part === 'string') {
    // A backslash before the closing quote would escape it.
    if (part.endsWith('\\') || part.includes("\\'")) throw new Unspeakable(part);
    return quoted(part);
  }
  if (typeof part !== 'object' || part === null) throw new Error('A part of CQL2 was expected.');
  if ('property' in part) return `"${String(part.property).replaceAll('"', '""')}"`;
  if ('interval' in part) return `INTERVAL(${(part.interval as readonly unknown[]).map(cql2Text).join(', ')})`;
  if ('bbox' in part) return `BBOX(${(part.bbox as readonly number[]).join(', ')})`;
  if ('type' in part) return wkt(part as { readonly type: string });
  const { op, args } = part as { readonly op: string; readonly args: readonly unknown[] };
  const [first, second, third] = args;
  switch (op) {
    case 'and':
    case 'or':
      return args.map((each) => `(${cql2Text(each)})`).join(` ${op.toUpperCase()} `);
    case 'not':
      return `NOT (${cql2Text(first)})`;
    case 'isNull':
      return `${cql2Text(first)} IS NULL`;
    case 'like':
      return `${cql2Text(first)} LIKE ${cql2Text(second)}`;
    case 'between':
      return `${cql2Text(first)} BETWEEN ${cql2Text(second)} AND ${cql2Text(third)}`;
    case 'in':
      return `${cql2Text(first)} IN (${(second as readonly unknown[]).map(cql2Text).join(', ')})`;
    default:
      return Object.values(signs).includes(op)
        ? infix(op, args)
        : `${functionName(op)}(${args.map(cql2Text).join(', ')})`;
  }
}

/** Sums and products in parentheses, comparisons without. */
function infix(op: string, args: readonly unknown[]): string {
  if (args.length !== 2) throw new Unspeakable(op);
  const text = args.map(cql2Text).join(` ${op} `);
  return '+-*/'.includes(op) ? `(${text})` : text;
}

function functionName(name: string): string {
  if (/^[ast]_\w+$|^casei$/.test(name)) return name.toUpperCase();
  return /^[a-z]\w*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function wkt(geometry: {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: unknown;
}): string {
  if (Array.isArray(geometry.geometries)) return `GEOMETRYCOLLECTION(${geometry.geometries.map(wkt).join(', ')})`;
  const isPosition = (part: unknown): part is readonly number[] => Array.isArray(part) && typeof part[0] === 'number';
  const text = (part: unknown): string => {
    if (isPosition(part)) return part.join(' ');
    return `(${(part as readonly unknown[]).map(text).join(', ')})`;
  };
  const inner = text(geometry.coordinates);
  return `${geometry.type.toUpperCase()}${geometry.type === 'Point' ? `(${inner})` : inner}`;
}
