/** Writes values that are text, an expression, or both mixed. */
import type { Expression } from '../../../data/filter/expression.ts';
import type { VendorOption } from '../../model/vendor-option.ts';
import { collapsed, trimmed } from '../read/text.ts';
import { writeExpression } from './expression.ts';
import { element, mixed, type OutputElement, type OutputNode } from './output.ts';
import type { Writing } from './writing.ts';

export function writeParameter(
  writing: Writing,
  name: string,
  value: Expression,
  attributes: Readonly<Record<string, string>> = {},
): OutputElement {
  // White space around a single expression is no content, and nested ones are unreadable on one line.
  if (value.kind === 'function' || value.kind === 'arithmetic' || value.kind === 'geometry')
    return element(name, [writeExpression(writing, value)], attributes);
  const parts = value.kind === 'concatenation' ? value.parts : [value];
  return mixed(
    name,
    parts.map((part) => writePart(writing, part)),
    attributes,
  );
}

/** No element for no value. */
export function maybeParameter(
  writing: Writing,
  name: string,
  value: Expression | undefined,
): OutputElement | undefined {
  return value === undefined ? undefined : writeParameter(writing, name, value);
}

/** `CssParameter` or `SvgParameter`; none for no value. */
export function writeNamedParameter(
  writing: Writing,
  name: string,
  value: Expression | undefined,
): OutputElement | undefined {
  return value === undefined ? undefined : writeParameter(writing, parameterElement(writing), value, { name });
}

/** Values side by side, divided by spaces. */
export function writeNamedList(
  writing: Writing,
  name: string,
  values: readonly Expression[] | undefined,
): OutputElement | undefined {
  if (values === undefined) return undefined;
  const parts = values.flatMap((value, index): readonly OutputNode[] => [
    ...(index === 0 ? [] : [' ']),
    value.kind === 'literal' ? value.value : writeExpression(writing, value),
  ]);
  return mixed(parameterElement(writing), parts, { name });
}

export function writeVendorOptions(
  writing: Writing,
  options: readonly VendorOption[] | undefined,
): readonly OutputElement[] {
  return (options ?? []).map(({ name, value }) =>
    writeParameter(writing, writing.symbol('VendorOption'), value, { name }),
  );
}

function parameterElement(writing: Writing): string {
  return writing.isSymbologyEncoding ? 'se:SvgParameter' : 'CssParameter';
}

/** Text that a reader would trim or collapse goes into an element of its own. */
function writePart(writing: Writing, part: Expression): OutputNode {
  if (part.kind !== 'literal') return writeExpression(writing, part);
  const isSafe = trimmed(part.value) === part.value && collapsed(part.value) === part.value;
  return isSafe ? part.value : writeExpression(writing, part);
}
