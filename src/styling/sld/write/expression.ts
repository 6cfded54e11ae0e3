/** Writes expressions, alone and as values of elements, where they may be mixed with text. */
import type { ArithmeticOperator, Expression, FunctionCall } from '../../../filter/model/expression.ts';
import { collapseSpace, trimSpace, trimSpaceEnd, trimSpaceStart } from '../../../lib/xml/text.ts';
import type { VendorOption } from '../../model/paint.ts';
import { writeGeometry } from './geometry.ts';
import { createElement, createMixedElement, createTextElement, type OutputElement, type OutputNode } from './output.ts';
import { writeSymbologyFunction } from './symbology-function.ts';
import type { SldWriteContext } from './write-context.ts';

const arithmeticNames: Readonly<Record<ArithmeticOperator, string>> = {
  add: 'ogc:Add',
  subtract: 'ogc:Sub',
  multiply: 'ogc:Mul',
  divide: 'ogc:Div',
};

export function writeExpression(writing: SldWriteContext, expression: Expression): OutputElement {
  switch (expression.kind) {
    case 'literal':
      return createMixedElement('ogc:Literal', [toLiteralContent(expression.value)]);
    case 'property':
      return createTextElement('ogc:PropertyName', expression.name);
    case 'function':
      return writeFunction(writing, expression);
    case 'arithmetic':
      return createElement(arithmeticNames[expression.operator], [
        writeExpression(writing, expression.left),
        writeExpression(writing, expression.right),
      ]);
    case 'concatenation':
      // Text and expressions can only be mixed in a parameter; elsewhere a function joins them.
      return writeFunction(writing, { kind: 'function', name: 'Concatenate', arguments: expression.parts });
    case 'geometry':
      return createElement('ogc:Literal', [writeGeometry(writing, expression)]);
  }
}

/** Writes an operand of a spatial filter, which may be a geometry. */
export function writeOperand(writing: SldWriteContext, expression: Expression): OutputElement {
  return expression.kind === 'geometry' ? writeGeometry(writing, expression) : writeExpression(writing, expression);
}

/** Writes a call as an element of Symbology Encoding; returns undefined if there is no such element. */
export function writeFunctionElement(writing: SldWriteContext, call: FunctionCall): OutputElement | undefined {
  return writeSymbologyFunction(call, (name, value) => writeParameter(writing, name, value));
}

function writeFunction(writing: SldWriteContext, call: FunctionCall): OutputElement {
  const spelledOut =
    writing.isSymbologyEncoding && call.fallback !== undefined ? writeFunctionElement(writing, call) : undefined;
  return (
    spelledOut ??
    createElement(
      'ogc:Function',
      call.arguments.map((each) => writeExpression(writing, each)),
      { name: call.name, fallbackValue: call.fallback },
    )
  );
}

/** Readers treat white space with a line end around a literal as indentation, except in CDATA. */
function toLiteralContent(value: string): OutputNode {
  if (trimSpace(value) === '') return value;
  const before = value.slice(0, value.length - trimSpaceStart(value).length);
  const after = value.slice(trimSpaceEnd(value).length);
  return before.includes('\n') || after.includes('\n') ? { cdata: value } : value;
}

/** Writes a value: text, an expression, or both mixed. */
export function writeParameter(
  writing: SldWriteContext,
  name: string,
  value: Expression,
  attributes: Readonly<Record<string, string>> = {},
): OutputElement {
  // White space around a single expression is insignificant, and nested ones are unreadable on one line.
  if (value.kind === 'function' || value.kind === 'arithmetic' || value.kind === 'geometry')
    return createElement(name, [writeExpression(writing, value)], attributes);
  const parts = value.kind === 'concatenation' ? value.parts : [value];
  return createMixedElement(
    name,
    parts.map((part) => writePart(writing, part)),
    attributes,
  );
}

/** Returns undefined for no value. */
export function writeOptionalParameter(
  writing: SldWriteContext,
  name: string,
  value: Expression | undefined,
): OutputElement | undefined {
  return value === undefined ? undefined : writeParameter(writing, name, value);
}

/** Writes a `CssParameter` or `SvgParameter`; returns undefined for no value. */
export function writeNamedParameter(
  writing: SldWriteContext,
  name: string,
  value: Expression | undefined,
): OutputElement | undefined {
  return value === undefined ? undefined : writeParameter(writing, getParameterElement(writing), value, { name });
}

/** Writes values separated by spaces. */
export function writeNamedList(
  writing: SldWriteContext,
  name: string,
  values: readonly Expression[] | undefined,
): OutputElement | undefined {
  if (values === undefined) return undefined;
  const parts = values.flatMap((value, index): readonly OutputNode[] => [
    ...(index === 0 ? [] : [' ']),
    value.kind === 'literal' ? value.value : writeExpression(writing, value),
  ]);
  return createMixedElement(getParameterElement(writing), parts, { name });
}

export function writeVendorOptions(
  writing: SldWriteContext,
  options: readonly VendorOption[] | undefined,
): readonly OutputElement[] {
  return (options ?? []).map(({ name, value }) =>
    writeParameter(writing, writing.toSymbolName('VendorOption'), value, { name }),
  );
}

function getParameterElement(writing: SldWriteContext): string {
  return writing.isSymbologyEncoding ? 'se:SvgParameter' : 'CssParameter';
}

/** Wraps text that a reader would trim or collapse in an element. */
function writePart(writing: SldWriteContext, part: Expression): OutputNode {
  if (part.kind !== 'literal') return writeExpression(writing, part);
  const isSafe = trimSpace(part.value) === part.value && collapseSpace(part.value) === part.value;
  return isSafe ? part.value : writeExpression(writing, part);
}
