/** Writes calls as elements of Symbology Encoding, if their arguments allow that. */
import type { Expression, FunctionCall } from '../../../filter/model/expression.ts';
import { readLiteralText } from '../../../filter/model/literal.ts';
import { trimSpace } from '../../../lib/xml/text.ts';
import { createElement, createTextElement, type OutputElement } from './output.ts';

/** Writes a value as an element of the name; values may contain functions. */
type WriteValue = (name: string, value: Expression) => OutputElement;

/** Returns undefined for a function or arguments that Symbology Encoding does not support. */
export function writeSymbologyFunction(call: FunctionCall, writeValue: WriteValue): OutputElement | undefined {
  const [first, ...rest] = call.arguments;
  if (first === undefined) return undefined;
  const value: WriteValue = (name, expression) => writeValue(`se:${name}`, expression);
  const writeCall = (
    children: readonly (OutputElement | undefined)[],
    attributes: Readonly<Record<string, string | undefined>> = {},
  ): OutputElement => createElement(`se:${call.name}`, children, { fallbackValue: call.fallback, ...attributes });

  switch (call.name) {
    case 'Categorize': {
      const belongsTo = rest.length % 2 === 0 ? readLiteralText(rest.at(-1)) : undefined;
      const steps = belongsTo === undefined ? rest : rest.slice(0, -1);
      if (
        steps.length % 2 === 0 ||
        (belongsTo !== undefined && !isMissingOrOneOf(belongsTo, 'preceding', 'succeeding'))
      )
        return undefined;
      return writeCall(
        [
          value('LookupValue', first),
          ...steps.map((step, index) => value(index % 2 === 0 ? 'Value' : 'Threshold', step)),
        ],
        { threshholdsBelongTo: belongsTo },
      );
    }
    case 'Interpolate': {
      const { pairs, method, mode } = splitInterpolation(rest);
      const points = writePairs('InterpolationPoint', pairs, value);
      return points && writeCall([value('LookupValue', first), ...points], { mode, method });
    }
    case 'Recode': {
      const items = writePairs('MapItem', rest, value);
      return items && writeCall([value('LookupValue', first), ...items]);
    }
    case 'Concatenate':
      return writeCall(call.arguments.map((each) => value('StringValue', each)));
    case 'Substring': {
      const [position, length, ...more] = rest;
      if (more.length > 0) return undefined;
      return writeCall([
        value('StringValue', first),
        position && value('Position', position),
        length && value('Length', length),
      ]);
    }
    case 'StringLength':
      return rest.length > 0 ? undefined : writeCall([value('StringValue', first)]);
    default:
      return writeWithAttributes(call, first, value, writeCall);
  }
}

function writeWithAttributes(
  call: FunctionCall,
  first: Expression,
  value: WriteValue,
  write: (
    children: readonly (OutputElement | undefined)[],
    attributes?: Readonly<Record<string, string | undefined>>,
  ) => OutputElement,
): OutputElement | undefined {
  const rest = call.arguments.slice(1);
  const texts = rest.map(readLiteralText);
  const [second] = rest;
  const areLiterals = texts.every((text) => text !== undefined);
  const [a, b, c, d] = texts;
  switch (call.name) {
    case 'FormatNumber':
      if (!areLiterals || a === undefined || texts.length > 4) return undefined;
      return write(
        [
          value('NumericValue', first),
          createTextElement('se:Pattern', a),
          b === undefined ? undefined : createTextElement('se:NegativePattern', b),
        ],
        { groupingSeparator: c, decimalPoint: d },
      );
    case 'FormatDate':
      if (!areLiterals || a === undefined || texts.length > 1) return undefined;
      return write([value('DateValue', first), createTextElement('se:Pattern', a)]);
    case 'ChangeCase':
      if (!areLiterals || texts.length > 1 || !isMissingOrOneOf(a, 'toUpper', 'toLower')) return undefined;
      return write([value('StringValue', first)], { direction: a });
    case 'Trim':
      if (!areLiterals || texts.length > 2 || !isMissingOrOneOf(a, 'leading', 'trailing', 'both')) return undefined;
      return write([value('StringValue', first)], { stripOffPosition: a, stripOffChar: b });
    case 'StringPosition':
      if (second === undefined || texts.length > 2 || !isMissingOrOneOf(b, 'frontToBack', 'backToFront'))
        return undefined;
      if (texts.length === 2 && b === undefined) return undefined;
      return write([value('LookupString', first), value('StringValue', second)], { searchDirection: b });
    default:
      return undefined;
  }
}

/** Returns whether the text is omitted or equals one of the words. */
function isMissingOrOneOf(text: string | undefined, ...words: readonly string[]): boolean {
  return text === undefined || words.some((word) => word.toLowerCase() === text.toLowerCase());
}

/** The pairs may be followed by the method, and the method by the mode. */
function splitInterpolation(rest: readonly Expression[]) {
  const isWord = (expression: Expression | undefined, ...words: readonly string[]): boolean => {
    const text = readLiteralText(expression);
    return text !== undefined && isMissingOrOneOf(text, ...words);
  };
  const hasMode =
    isWord(rest.at(-1), 'linear', 'cosine', 'cubic') &&
    isWord(rest.at(-2), 'numeric', 'color') &&
    rest.length % 2 === 0;
  const hasMethod = hasMode || (rest.length % 2 === 1 && isWord(rest.at(-1), 'numeric', 'color'));
  return {
    pairs: rest.slice(0, rest.length - Number(hasMode) - Number(hasMethod)),
    method: hasMethod ? readLiteralText(rest.at(hasMode ? -2 : -1)) : undefined,
    mode: hasMode ? readLiteralText(rest.at(-1)) : undefined,
  };
}

function writePairs(
  name: string,
  parts: readonly Expression[],
  writeValue: WriteValue,
): readonly OutputElement[] | undefined {
  if (parts.length === 0 || parts.length % 2 === 1) return undefined;
  const pairs: OutputElement[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const data = readLiteralText(parts[at]);
    const value = parts[at + 1];
    if (data === undefined || data !== trimSpace(data) || value === undefined) return undefined;
    pairs.push(createElement(`se:${name}`, [createTextElement('se:Data', data), writeValue('Value', value)]));
  }
  return pairs;
}
