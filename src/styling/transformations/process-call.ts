/** Reads the transformation of a feature type style: a call of a process, whose data can be calls of others. */
import type { Expression, FunctionCall } from '../../filter/model/expression.ts';
import { findProcess, type Process } from './processes.ts';

export interface ProcessCall {
  readonly process: Process;
  /** Calls that compute the input; the layer if the list is empty. */
  readonly inputs: readonly ProcessCall[];
  /** The values of each parameter by its name in lower case, without the data. */
  readonly given: ReadonlyMap<string, readonly Expression[]>;
  /** Names of parameters that the process does not have, as written. */
  readonly unknown: readonly string[];
}

export type CallOutcome =
  | { readonly kind: 'call'; readonly call: ProcessCall }
  | { readonly kind: 'invalid'; readonly process: string; readonly reason: string };

/** Any of these names is accepted for the data, because examples confuse them. */
export const dataNames: ReadonlySet<string> = new Set(['data', 'features', 'coverage', 'coverages']);

/** The number of processes in a chain. */
const MAX_CALLS = 20;

export function readProcessCall(expression: Expression): CallOutcome {
  return readCall(expression, { left: MAX_CALLS });
}

function readCall(expression: Expression, budget: { left: number }): CallOutcome {
  if (expression.kind !== 'function')
    return { kind: 'invalid', process: expression.kind, reason: 'a transformation must be a function' };
  const process = findProcess(expression.name);
  if (process === undefined) return { kind: 'invalid', process: expression.name, reason: 'the process is unknown' };
  budget.left -= 1;
  if (budget.left < 0)
    return { kind: 'invalid', process: process.name, reason: `a chain can have ${MAX_CALLS} processes` };
  const given = new Map<string, readonly Expression[]>();
  const unknown: string[] = [];
  const inputs: ProcessCall[] = [];
  for (const argument of expression.arguments) {
    const parameter = readArgument(argument);
    if (parameter === undefined)
      return { kind: 'invalid', process: process.name, reason: 'each argument must be a parameter with a name' };
    const { name, values } = parameter;
    const isKnown = Object.keys(process.parameters).some((each) => each.toLowerCase() === name.toLowerCase());
    if (isKnown) given.set(name.toLowerCase(), values);
    else if (!dataNames.has(name.toLowerCase())) unknown.push(name);
    else {
      for (const value of values) {
        const inner = readCall(value, budget);
        if (inner.kind === 'invalid') return inner;
        inputs.push(inner.call);
      }
    }
  }
  if (inputs.length > 1 && process.hasSeveralInputs === undefined)
    return { kind: 'invalid', process: process.name, reason: `parameter '${process.data}' must be one input` };
  return { kind: 'call', call: { process, inputs, given, unknown } };
}

function readArgument(
  argument: Expression,
): { readonly name: string; readonly values: readonly Expression[] } | undefined {
  if (!isParameter(argument)) return undefined;
  const [name, ...values] = argument.arguments;
  return name?.kind === 'literal' ? { name: name.value.trim(), values } : undefined;
}

function isParameter(expression: Expression): expression is FunctionCall {
  return expression.kind === 'function' && expression.name.toLowerCase() === 'parameter';
}
