/** Compiles mapping expressions to functions on source rows. */
import { computeArithmetic, findFunction, type StyleValue, toBoolean } from '../../../filter/evaluate/evaluate.ts';
import type { Expression, FunctionCall } from '../../../filter/model/expression.ts';
import { toLocalName } from '../../../filter/model/schema.ts';
import type { Geometry } from '../../../geometry/geometry.ts';
import { encodeWkt } from '../../../geometry/wkt-encode.ts';
import { type GeometryValue, isGeometryValue } from '../../port/complex-feature.ts';
import type { Attribute, Feature, Value, ValueType } from '../../port/port.ts';
import { NO_VALUE } from '../mapping/expressions.ts';
import { createTextReplacer } from '../mapping/text-pattern.ts';
import { isGeometryFunction, makeGeometry } from './geometry-functions.ts';

/** A table row, a document or a nested document. */
export type SourceRow = Feature;

/** A reference in place of a value. */
export interface Reference {
  readonly kind: 'reference';
  readonly href: string;
}

export type SingleValue = Exclude<StyleValue, null> | GeometryValue | Reference;
/** Null for a missing value; a list for several values of a document. */
export type SourceValue = SingleValue | null | readonly SingleValue[];

export type Evaluate = (row: SourceRow) => SourceValue;

type Attributes = readonly Attribute[];

/** Unknown attributes evaluate to null; uploads are validated for them. */
export function compileExpression(expression: Expression, attributes: Attributes): Evaluate {
  switch (expression.kind) {
    case 'literal':
      return createConstant(expression.value);
    case 'property':
      return compileProperty(expression.name, attributes);
    case 'arithmetic': {
      const [left, right] = [
        compileExpression(expression.left, attributes),
        compileExpression(expression.right, attributes),
      ];
      return (row) => computeArithmetic(expression.operator, toPlainValue(left(row)), toPlainValue(right(row)));
    }
    case 'concatenation': {
      const parts = expression.parts.map((part) => compileExpression(part, attributes));
      return (row) => parts.map((part) => toPlainValue(part(row)) ?? '').join('');
    }
    case 'function':
      return compileCall(expression, attributes);
    // No mapping uses geometry literals.
    case 'geometry':
      return createConstant(null);
  }
}

function createConstant(value: SourceValue): Evaluate {
  return () => value;
}

function compileProperty(name: string, attributes: Attributes): Evaluate {
  const local = toLocalName(name);
  const exact = attributes.findIndex((each) => each.name === name);
  const index = exact >= 0 ? exact : attributes.findIndex((each) => each.name === local);
  const attribute = attributes[index];
  if (attribute === undefined) return (row) => toDocumentValue(row.document?.first(name) ?? null, attributes);
  const read = createValueReader(attribute);
  return (row) => read(row.values[index] ?? null);
}

type RawValue = Feature['values'][number];

function createValueReader(attribute: Attribute): (value: RawValue) => SingleValue | null {
  if (attribute.kind === 'geometry') {
    const { code } = attribute.crs;
    const system = code === undefined ? {} : { srsName: code };
    return (value) => (isGeometry(value) ? { kind: 'geometry', geometry: value, ...system } : null);
  }
  const { type } = attribute;
  return (value) => (isGeometry(value) ? null : toScalarValue(value, type));
}

function toScalarValue(value: Value, type: ValueType | undefined): Exclude<StyleValue, null> | null {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  // The digits as text, because a number would not be exact.
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return formatDate(value, type === 'date');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return type === 'decimal' ? toDecimalValue(value) : value;
}

/** Documents determine the types of their values; the CRS of geometries is that of the collection. */
function toDocumentValue(value: RawValue, attributes: Attributes): SingleValue | null {
  if (!isGeometry(value)) return toScalarValue(value, undefined);
  const described = attributes.find(({ kind }) => kind === 'geometry');
  return described === undefined ? { kind: 'geometry', geometry: value } : createValueReader(described)(value);
}

function isGeometry(value: RawValue): value is Geometry {
  return typeof value === 'object' && value !== null && 'ordinates' in value;
}

function formatDate(value: Date, isDay: boolean): string {
  const text = value.toISOString();
  return isDay ? text.slice(0, -'T00:00:00.000Z'.length) : text.replace('.000Z', 'Z');
}

/** `1.50` equals 1.5; returns a number if that is exact, otherwise the digits. */
function toDecimalValue(digits: string): number | string {
  const shortest = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
  const number = Number(shortest);
  return String(number) === shortest ? number : shortest;
}

/** Converts for functions and operators: the first item of a list, the text of a geometry. */
export function toPlainValue(value: SourceValue): StyleValue {
  const [first] = toList(value);
  if (first === undefined) return null;
  if (typeof first !== 'object') return first;
  if (first.kind === 'reference') return first.href;
  return first.kind === 'geometry' ? encodeWkt(first.geometry) : null;
}

export function toList(value: SourceValue): readonly SingleValue[] {
  if (value === null) return [];
  return isList(value) ? value : [value];
}

function isList(value: SourceValue): value is readonly SingleValue[] {
  return Array.isArray(value);
}

function compileCall(call: FunctionCall, attributes: Attributes): Evaluate {
  const name = call.name.toLowerCase();
  const inputs = call.arguments.map((each) => compileExpression(each, attributes));
  const [first = createConstant(null), second = createConstant(null), third = createConstant(null)] = inputs;
  switch (name) {
    // The result can be a geometry or a list, which style functions do not support.
    case 'if_then_else':
      return (row) => (toBoolean(toPlainValue(first(row))) === true ? second(row) : third(row));
    case 'isnull':
      return (row) => toList(first(row)).length === 0;
    case 'recode':
      return compileRecode(call, inputs);
    case NO_VALUE:
      return createConstant(null);
    case 'coalesce':
      return (row) => {
        for (const input of inputs) {
          const value = input(row);
          if (toList(value).length > 0) return value;
        }
        return null;
      };
    case 'strreplace': {
      const [, pattern] = call.arguments;
      if (pattern?.kind !== 'literal') break;
      const replace = createTextReplacer(pattern.value);
      const everywhere = inputs[3] ?? createConstant(null);
      return (row) => {
        const [text, replacement] = [toPlainValue(first(row)), toPlainValue(third(row))];
        if (text === null || replacement === null) return null;
        return replace(String(text), String(replacement), toBoolean(toPlainValue(everywhere(row))) === true);
      };
    }
    case 'getid':
    case 'collectionid':
      return (row) => row.id;
    case 'towkt':
      return (row) => {
        const [value] = toList(first(row));
        return isGeometryValue(value) && value.kind === 'geometry' ? encodeWkt(value.geometry) : null;
      };
    case 'toxlinkhref':
      return (row) => {
        const href = toPlainValue(first(row));
        return href === null ? null : { kind: 'reference', href: String(href) };
      };
    case 'jsonselect':
    case 'jsonselectall': {
      const [path] = call.arguments;
      if (path?.kind !== 'literal') return createConstant(null);
      if (name === 'jsonselect') return (row) => toDocumentValue(row.document?.first(path.value) ?? null, attributes);
      return (row) => (row.document?.all(path.value) ?? []).flatMap((each) => toDocumentValue(each, attributes) ?? []);
    }
  }
  if (isGeometryFunction(name))
    return (row) =>
      makeGeometry(
        name,
        inputs.map((input) => toPlainValue(input(row))),
      );
  const compute = findFunction(name);
  const fallback = call.fallback ?? null;
  if (compute === undefined) return createConstant(fallback);
  return (row) => compute(inputs.map((input) => toPlainValue(input(row)))) ?? fallback;
}

/** The results can be references, which the function of styles does not support; `Expression.NIL` is the missing key. */
function compileRecode(call: FunctionCall, inputs: readonly Evaluate[]): Evaluate {
  const [value = createConstant(null), ...pairs] = inputs;
  const recode = findFunction('recode');
  const isMissingKey = (index: number): boolean => {
    const key = call.arguments[index + 1];
    return key?.kind === 'function' && key.name === NO_VALUE;
  };
  return (row) => {
    const wanted = toPlainValue(value(row));
    for (let index = 0; index + 1 < pairs.length; index += 2) {
      const isMatch = isMissingKey(index)
        ? wanted === null
        : recode?.([wanted, toPlainValue(pairs[index]?.(row) ?? null), true]) === true;
      if (isMatch) return pairs[index + 1]?.(row) ?? null;
    }
    return null;
  };
}
