/**
 * Assigns types to values: attributes have the type of the schema, literals that of the value they are compared with.
 */
import { findNearestName } from '../../lib/text/nearest-name.ts';
import { toExactDecimal } from '../../lib/values/exact-decimal.ts';
import { toNumber } from '../evaluate/evaluate.ts';
import type { Arithmetic, Expression, Literal, PropertyName } from '../model/expression.ts';
import { parseMoment } from '../model/moment.ts';
import type { AttributeValue, Scalar, ScalarConstant, ScalarType } from '../model/resolved-filter.ts';
import { type AttributeType, findAttributeByName, type Schema, type SchemaAttribute } from '../model/schema.ts';
import { ResolveError } from './resolve-error.ts';

/** The words for value types in messages. */
const typeWords: Readonly<Record<AttributeValue['type'], string>> = {
  text: 'text',
  number: 'numbers',
  decimal: 'numbers',
  boolean: 'true or false',
  moment: 'times',
  geometry: 'geometries',
  bytes: 'bytes',
};

const valueTypes: Readonly<Record<AttributeType, AttributeValue['type']>> = {
  text: 'text',
  number: 'number',
  decimal: 'decimal',
  boolean: 'boolean',
  instant: 'moment',
  date: 'moment',
  geometry: 'geometry',
  bytes: 'bytes',
};

/** Maps the type of an attribute to the type of its values in conditions. */
export function toValueType(type: AttributeType): AttributeValue['type'] {
  return valueTypes[type];
}

/** The maximum number of names in a message. */
const maxListed = 20;

export function findAttribute(property: PropertyName, schema: Schema): SchemaAttribute {
  const attribute = findAttributeByName(schema, property.name);
  if (attribute !== undefined) return attribute;
  const names = schema.attributes.map(({ name }) => name);
  const nearest = findNearestName(property.name, names);
  const shown = property.name.length > 60 ? `${property.name.slice(0, 60)}…` : property.name;
  const hint =
    nearest !== undefined
      ? `did you mean '${nearest}'?`
      : names.length <= maxListed && names.length > 0
        ? `available attributes: ${names.map((name) => `'${name}'`).join(', ')}`
        : `the type has ${names.length} attributes`;
  throw new ResolveError(property, `unknown attribute '${shown}'; ${hint}`);
}

export function resolveAttributeValue(property: PropertyName, schema: Schema): AttributeValue {
  const { name, type } = findAttribute(property, schema);
  return { kind: 'attribute', type: valueTypes[type], name };
}

/** Returns an attribute that supports comparisons. */
function requireComparable(property: PropertyName, schema: Schema): AttributeValue & { readonly type: ScalarType } {
  const value = resolveAttributeValue(property, schema);
  const { type } = value;
  if (type === 'geometry')
    throw new ResolveError(
      property,
      `'${value.name}' is a geometry; compare it with a spatial operator such as INTERSECTS or EQUALS`,
    );
  if (type === 'bytes')
    throw new ResolveError(property, `'${value.name}' contains bytes, which can only be compared with NULL`);
  return { ...value, type };
}

/** Returns the intrinsic type of an expression, or undefined for a literal, which adopts the type of the other side. */
export function findOwnType(expression: Expression, schema: Schema): ScalarType | undefined {
  if (expression.kind === 'property') return requireComparable(expression, schema).type;
  if (expression.kind === 'arithmetic') return 'number';
  if (expression.kind === 'geometry')
    throw new ResolveError(expression, 'a geometry requires a spatial operator such as INTERSECTS or EQUALS');
  return undefined;
}

/** Resolves an attribute, a literal or arithmetic to the given type. */
export function resolveScalar(expression: Expression, type: ScalarType, schema: Schema): Scalar {
  switch (expression.kind) {
    case 'literal':
      return resolveConstant(expression, type);
    case 'property': {
      const value = requireComparable(expression, schema);
      if (value.type === type || (isNumeric(value.type) && isNumeric(type))) return value;
      throw new ResolveError(
        expression,
        `'${value.name}' contains ${typeWords[value.type]} and cannot be compared with ${typeWords[type]}`,
      );
    }
    case 'arithmetic':
      if (isNumeric(type)) return resolveArithmetic(expression, schema);
      throw new ResolveError(expression, `a number cannot be compared with ${typeWords[type]}`);
    default:
      throw new ResolveError(expression, 'a value was expected');
  }
}

function isNumeric(type: ScalarType): boolean {
  return type === 'number' || type === 'decimal';
}

function resolveArithmetic({ operator, left, right }: Arithmetic, schema: Schema): Scalar {
  const [one, other] = [resolveScalar(left, 'number', schema), resolveScalar(right, 'number', schema)];
  return { kind: 'arithmetic', type: 'number', operator, left: one, right: other };
}

export function resolveConstant(literal: Literal, type: ScalarType): ScalarConstant {
  const value = parseTypedValue(literal.value, type);
  if (value !== undefined) return { kind: 'constant', type, value };
  const shown = literal.value.length > 60 ? `${literal.value.slice(0, 60)}…` : literal.value;
  throw new ResolveError(literal, `'${shown}' cannot be compared with ${typeWords[type]}`);
}

function parseTypedValue(text: string, type: ScalarType): ScalarConstant['value'] | undefined {
  switch (type) {
    case 'text':
      return text;
    case 'number':
      return parseNumber(text);
    case 'decimal':
      return parseNumber(text) === undefined ? undefined : toExactDecimal(text);
    case 'moment':
      return parseMoment(text);
    case 'boolean': {
      const word = text.trim().toLowerCase();
      return word === 'true' || word === '1' ? true : word === 'false' || word === '0' ? false : undefined;
    }
  }
}

const [leastLong, greatestLong] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Integers that a double cannot represent become bigint, within the range of databases. */
function parseNumber(text: string): number | bigint | undefined {
  const number = toNumber(text);
  if (number === undefined || !Number.isFinite(number)) return undefined;
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER || !/^[+-]?\d+$/.test(text.trim())) return number;
  const long = BigInt(text.trim().replace(/^\+/, ''));
  return long >= leastLong && long <= greatestLong ? long : number;
}
