/** The operator `to-color`: the first of its inputs that is a colour. */
import type { Expression } from '../../filter/model/expression.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { namedColors } from '../../lib/values/named-colors.ts';
import { createCall, createCondition, truth } from './build-expression.ts';
import { parseCssColor } from './colors.ts';
import { enterInput, type Translate, translateInput } from './expression-inputs.ts';

/** Notations in lower case that are drawn as colours, besides names. */
const COLOR_PATTERN = '#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|rgba?\\([0-9., %]+\\)';

const colorNames = [...namedColors.keys()].map((name) => createLiteral(name));

export const translateToColor: Translate = (inputs, context) => {
  const choices: { readonly isColor?: Expression; readonly output: Expression }[] = [];
  for (const [index, input] of inputs.entries()) {
    const isConstant = typeof input === 'string';
    if (isConstant && parseCssColor(input) === undefined) {
      // Colours are translated twice: their opacity is separate.
      if (context.kind !== 'alpha')
        context.complaints.warn(enterInput(context, index).path, 'the text is not a colour and has no effect');
      continue;
    }
    const output = translateInput(inputs, index, context);
    const value = isConstant ? undefined : translateInput(inputs, index, context, 'text');
    if (output === undefined || (!isConstant && value === undefined)) return undefined;
    const isLast = isConstant || index === inputs.length - 1;
    choices.push(value === undefined || isLast ? { output } : { isColor: createColorTest(value), output });
    // A constant colour is always used, so that the inputs after it are not.
    if (isConstant) break;
  }
  const [last, ...others] = choices.reverse();
  if (last !== undefined)
    return others.reduce<Expression>(
      (rest, { isColor, output }) => (isColor === undefined ? output : createCondition(isColor, output, rest)),
      last.output,
    );
  if (inputs.length === 0) context.complaints.add(context.path, 'the operator needs at least 1 input');
  return undefined;
};

function createColorTest(value: Expression): Expression {
  const text = createCall('strToLowerCase', value);
  const isNotation = createCall('strMatches', text, createLiteral(COLOR_PATTERN));
  return createCondition(isNotation, truth, createCall('in', text, ...colorNames));
}
