/** Writes filters and expressions as ECQL, for messages and tests. */
import type { ArithmeticOperator, Expression } from '../model/expression.ts';
import type { ComparisonOperator, Filter, Period, TemporalFilter, TemporalOperator } from '../model/filter.ts';
import type { GeometryLiteral, Position } from '../model/geometry-literal.ts';
import { openEnd } from '../model/moment.ts';
import { createTemporalCondition } from '../model/temporal.ts';
import type { EcqlFilter } from './operand.ts';

const comparisonSigns: Readonly<Record<ComparisonOperator, string>> = {
  equal: '=',
  notEqual: '<>',
  less: '<',
  lessOrEqual: '<=',
  greater: '>',
  greaterOrEqual: '>=',
};

/** The keyword of each operator and the operand types that it supports. */
const temporalWords: Readonly<
  Partial<Record<TemporalOperator, { readonly word: string; readonly takes: 'moment' | 'period' | 'any' }>>
> = {
  before: { word: 'BEFORE', takes: 'any' },
  after: { word: 'AFTER', takes: 'any' },
  during: { word: 'DURING', takes: 'period' },
  tequals: { word: 'TEQUALS', takes: 'moment' },
  beforeOrDuring: { word: 'BEFORE OR DURING', takes: 'period' },
  duringOrAfter: { word: 'DURING OR AFTER', takes: 'period' },
};

const arithmeticSigns: Readonly<Record<ArithmeticOperator, string>> = {
  add: '+',
  subtract: '-',
  multiply: '*',
  divide: '/',
};

/** ECQL has no case-insensitive comparison; it is written with a function on both sides. */
export function writeEcqlFilter(filter: EcqlFilter): string {
  switch (filter.kind) {
    case 'include':
    case 'exclude':
      return filter.kind.toUpperCase();
    case 'and':
    case 'or':
      return filter.filters.map((each) => `(${writeEcqlFilter(each)})`).join(` ${filter.kind.toUpperCase()} `);
    case 'not':
      return `NOT (${writeEcqlFilter(filter.filter)})`;
    case 'identifiers':
      return `IN (${filter.identifiers.map(quoteText).join(', ')})`;
    default:
      return writeCondition(filter);
  }
}

function writeCondition(filter: Exclude<Filter, { kind: 'and' | 'or' | 'not' | 'identifiers' }>): string {
  switch (filter.kind) {
    case 'comparison': {
      const writeSide = (expression: Expression): string =>
        filter.matchCase === false ? `casei(${writeEcqlExpression(expression)})` : writeEcqlExpression(expression);
      return `${writeSide(filter.left)} ${comparisonSigns[filter.operator]} ${writeSide(filter.right)}`;
    }
    case 'like':
      return `${writeEcqlExpression(filter.value)} ${filter.matchCase === false ? 'ILIKE' : 'LIKE'} ${quoteText(filter.pattern)}`;
    case 'isNull':
      return `${writeEcqlExpression(filter.value)} IS NULL`;
    case 'between':
      return `${writeEcqlExpression(filter.value)} BETWEEN ${writeEcqlExpression(filter.lower)} AND ${writeEcqlExpression(filter.upper)}`;
    case 'membership':
      return `${writeEcqlExpression(filter.value)} IN (${filter.list.map(writeEcqlExpression).join(', ')})`;
    case 'temporal':
      return writeTemporal(filter);
    case 'exists':
      return `${writeEcqlExpression(filter.property)} EXISTS`;
    case 'relate':
      return `RELATE(${writeEcqlExpression(filter.left)}, ${writeEcqlExpression(filter.right)}, '${filter.pattern}')`;
    case 'spatial':
      return `${filter.operator.toUpperCase()}(${writeEcqlExpression(filter.left)}, ${writeEcqlExpression(filter.right)})`;
    case 'distance': {
      const word = filter.operator === 'within' ? 'DWITHIN' : 'BEYOND';
      const units = filter.units === undefined ? '' : `, ${filter.units}`;
      return `${word}(${writeEcqlExpression(filter.left)}, ${writeEcqlExpression(filter.right)}, ${filter.distance}${units})`;
    }
    case 'boundingBox': {
      const geometry = filter.geometry === undefined ? "''" : writeEcqlExpression(filter.geometry);
      const system = filter.bounds.srsName === undefined ? '' : `, ${quoteText(filter.bounds.srsName)}`;
      return `BBOX(${geometry}, ${filter.bounds.coordinates.flat().join(', ')}${system})`;
    }
  }
}

/** Operators without an ECQL keyword are written as comparisons. */
function writeTemporal(filter: TemporalFilter): string {
  const { operator, value, time } = filter;
  const { word, takes } = temporalWords[operator] ?? {};
  const written = time.kind === 'period' ? writePeriod(time) : writeEcqlExpression(time);
  const isTaken = takes === 'any' || (takes === 'period') === (time.kind === 'period');
  return word === undefined || written === undefined || value.kind === 'period' || !isTaken
    ? writeEcqlFilter(createTemporalCondition(filter) ?? { kind: 'exclude' })
    : `${writeEcqlExpression(value)} ${word} ${written}`;
}

function writePeriod({ start, end }: Period): string | undefined {
  const isWritten = [start, end].every((each) => typeof each === 'string' && each !== openEnd);
  return isWritten ? `${start}/${end}` : undefined;
}

export function writeEcqlExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return /^-?\d+(?:\.\d+)?$/.test(expression.value) ? expression.value : quoteText(expression.value);
    case 'property':
      return `"${expression.name.replaceAll('"', '""')}"`;
    case 'arithmetic':
      return `(${writeEcqlExpression(expression.left)} ${arithmeticSigns[expression.operator]} ${writeEcqlExpression(expression.right)})`;
    case 'concatenation':
      return writeCall('Concatenate', expression.parts);
    case 'function':
      return writeCall(expression.name, expression.arguments);
    case 'geometry':
      return (
        (expression.srsName === undefined ? '' : `SRID=${expression.srsName.replace(/^.*\D/, '')};`) +
        writeGeometry(expression)
      );
  }
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function writeCall(name: string, inputs: readonly Expression[]): string {
  const plain = /^[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
  return `${plain}(${inputs.map(writeEcqlExpression).join(', ')})`;
}

function writeGeometry(geometry: GeometryLiteral): string {
  switch (geometry.type) {
    case 'Point':
      return `POINT(${geometry.coordinates.join(' ')})`;
    case 'LineString':
      return `LINESTRING${writePositions(geometry.coordinates)}`;
    case 'Polygon':
      return `POLYGON(${geometry.coordinates.map(writePositions).join(', ')})`;
    case 'Envelope': {
      const [[west, south], [east, north]] = geometry.coordinates;
      return `ENVELOPE(${[west, east, south, north].join(', ')})`;
    }
    default: {
      const isCollection = geometry.type === 'GeometryCollection';
      const members = geometry.members
        .map(writeGeometry)
        .map((text) => (isCollection ? text : text.replace(/^[A-Z]+/, '')));
      return `${geometry.type.toUpperCase()}(${members.join(', ')})`;
    }
  }
}

function writePositions(positions: readonly Position[]): string {
  return `(${positions.map((position) => position.join(' ')).join(', ')})`;
}
