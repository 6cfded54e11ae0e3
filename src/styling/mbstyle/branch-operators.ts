/** Operators that choose between their inputs: conditions, labels, steps, interpolation and variables. */
import type { Expression } from '../../filter/model/expression.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { type DocumentValue, isList } from '../documents/document-value.ts';
import { createCall, createCondition, createInterpolation, type Stop } from './build-expression.ts';
import {
  type ExpressionContext,
  enterInput,
  type Translate,
  translateInput,
  translateInputs,
  type Variable,
} from './expression-inputs.ts';

export const translateCase: Translate = (inputs, context) => {
  if (inputs.length % 2 === 0) {
    context.complaints.add(context.path, 'a case needs pairs of a condition and an output, and a fallback');
    return undefined;
  }
  const fallback = translateInput(inputs, inputs.length - 1, context);
  const branches: [Expression, Expression][] = [];
  for (let index = 0; index + 1 < inputs.length; index += 2) {
    const [condition, output] = [
      translateInput(inputs, index, context, 'boolean'),
      translateInput(inputs, index + 1, context),
    ];
    if (condition === undefined || output === undefined) return undefined;
    branches.push([condition, output]);
  }
  return (
    fallback &&
    branches.reduceRight((others, [condition, output]) => createCondition(condition, output, others), fallback)
  );
};

/** Several labels of one branch become several items. */
export const translateMatch: Translate = (inputs, context) => {
  if (inputs.length < 4 || inputs.length % 2 !== 0) {
    context.complaints.add(context.path, 'a match needs an input, pairs of a label and an output, and a fallback');
    return undefined;
  }
  const lookup = translateInput(inputs, 0, context, 'text');
  const fallback = translateInput(inputs, inputs.length - 1, context);
  const items: Expression[] = [];
  for (let index = 1; index + 1 < inputs.length; index += 2) {
    const label = inputs[index];
    const output = translateInput(inputs, index + 1, context);
    if (label === undefined || output === undefined) return undefined;
    for (const each of isList(label) ? label : [label]) items.push(createLiteral(String(each)), output);
  }
  return (
    lookup &&
    fallback &&
    createCall('coalesce', { kind: 'function', name: 'Recode', arguments: [lookup, ...items] }, fallback)
  );
};

export const translateStep: Translate = (inputs, context) => {
  const lookup = translateInput(inputs, 0, context, 'number');
  const outputs = translateStops(inputs, context);
  const first = translateInput(inputs, 1, context);
  if (lookup === undefined || outputs === undefined || first === undefined) return undefined;
  return createCall('Categorize', lookup, first, ...outputs.flatMap(({ at, value }) => [createLiteral(at), value]));
};

/** Reads pairs of a number and an output, which follow two other inputs. */
function translateStops(inputs: readonly DocumentValue[], context: ExpressionContext): readonly Stop[] | undefined {
  const stops: Stop[] = [];
  for (let index = 2; index < inputs.length; index += 2) {
    const at = inputs[index];
    const value = translateInput(inputs, index + 1, context);
    if (typeof at !== 'number') {
      context.complaints.add(enterInput(context, index).path, 'expected a number');
      return undefined;
    }
    if (value === undefined) return undefined;
    stops.push({ at, value });
  }
  return stops;
}

export const translateInterpolate: Translate = (inputs, context) => {
  const lookup = translateInput(inputs, 1, context, 'number');
  const stops = translateStops(inputs, context);
  const base = readBase(inputs[0], enterInput(context, 0));
  if (stops?.length === 0) context.complaints.add(context.path, 'expected pairs of a number and an output');
  if (lookup === undefined || stops === undefined || stops.length === 0) return undefined;
  return createInterpolation({ lookup, stops, base, kind: context.kind });
};

/** Returns 1 for linear interpolation. */
function readBase(type: DocumentValue | undefined, { complaints, path }: ExpressionContext): number {
  const [name, base] = isList(type) ? type : [];
  if (name === 'linear') return 1;
  if (name === 'exponential' && typeof base === 'number') return base;
  if (name === 'cubic-bezier') complaints.warn(path, 'cubic-bezier is drawn as linear interpolation');
  else complaints.add(path, 'expected ["linear"], ["exponential", base] or ["cubic-bezier", x1, y1, x2, y2]');
  return 1;
}

/** The values of variables can use the variables around `let`, but not each other. */
export const translateLet: Translate = (inputs, context) => {
  const variables = new Map<string, Variable>(context.variables);
  for (let index = 0; index + 1 < inputs.length; index += 2) {
    const [name, value] = [inputs[index], inputs[index + 1]];
    if (typeof name !== 'string' || value === undefined || inputs.length % 2 === 0) {
      context.complaints.add(context.path, 'let needs pairs of a name and a value, and a result');
      return undefined;
    }
    variables.set(name, { value, path: enterInput(context, index + 1).path, variables: context.variables });
  }
  return translateInput(inputs, Math.max(0, inputs.length - 1), { ...context, variables });
};

export const translateVar: Translate = ([name], context) => {
  const found = typeof name === 'string' ? context.variables.get(name) : undefined;
  if (found === undefined) {
    context.complaints.add(context.path, `unknown variable '${String(name)}'`);
    return undefined;
  }
  return context.translate(found.value, { ...context, path: found.path, variables: found.variables });
};

export const translateCoalesce: Translate = (inputs, context) => {
  const all = translateInputs(inputs, context, context.kind);
  return all && createCall('coalesce', ...all);
};
