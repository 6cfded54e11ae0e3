/** Finds the errors of a transformation that are known before a map is drawn. */
import { isStatistics } from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { evaluateParameters } from './evaluate-parameters.ts';
import { JiffleError } from './jiffle/jiffle-syntax.ts';
import { listSourceNames, parseJiffle } from './jiffle/parse-jiffle.ts';
import { type ParameterIssue, type ParameterValues, readParameters } from './parameters.ts';
import { type ProcessCall, readProcessCall } from './process-call.ts';
import { jiffle, type Process } from './processes.ts';

/** Returns sentences; none for a transformation that can be drawn. */
export function checkTransformation(transformation: Expression): readonly string[] {
  const outcome = readProcessCall(transformation);
  if (outcome.kind === 'call') return checkCall(outcome.call);
  return [`Invalid transformation '${excerpt(outcome.process)}': ${outcome.reason}. Maps in this style are rejected.`];
}

function checkCall({ process, given, unknown, inputs }: ProcessCall): readonly string[] {
  const ignored = unknown.map(
    (name) => `The parameter '${excerpt(name)}' of the transformation '${process.name}' is unknown and ignored.`,
  );
  // Variables and statistics are known when a map is drawn; until then any value is acceptable.
  const isVariable = (name: string) => given.get(name.toLowerCase())?.some(hasVariable) === true;
  const known = Object.fromEntries(Object.entries(process.parameters).filter(([name]) => !isVariable(name)));
  const outcome = readParameters(known, evaluateParameters(given));
  const issue =
    'issue' in outcome
      ? outcome.issue
      : (findMissingAlternative(process, given) ?? checkScript(process, outcome.values, inputs.length));
  const issues =
    issue === undefined
      ? []
      : [
          `Invalid transformation '${process.name}': parameter '${issue.parameter}' ${issue.reason}. Maps in this style are rejected.`,
        ];
  return [...ignored, ...issues, ...inputs.flatMap(checkCall)];
}

function findMissingAlternative({ alternatives = [] }: Process, given: ProcessCall['given']) {
  const [first, ...others] = alternatives;
  if (first === undefined || alternatives.some((name) => given.has(name.toLowerCase()))) return undefined;
  return { parameter: first, reason: `or '${others.join("', '")}' is required` };
}

/** The script of Jiffle. It is checked with the map if the script or one of its names is a variable. */
function checkScript(
  process: Process,
  values: Partial<ParameterValues<typeof jiffle.parameters>>,
  inputs: number,
): ParameterIssue | undefined {
  const { script, destName, sourceName } = values;
  if (process !== jiffle || script === undefined || destName === undefined || !('sourceName' in values))
    return undefined;
  try {
    parseJiffle(script, { sources: listSourceNames(sourceName, Math.max(1, inputs)), destination: destName });
    return undefined;
  } catch (error) {
    if (error instanceof JiffleError) return { parameter: 'script', reason: `is invalid: ${error.message}` };
    throw error;
  }
}

function hasVariable(part: object): boolean {
  const isCall = 'kind' in part && part.kind === 'function' && 'name' in part;
  if (isCall && (String(part.name).toLowerCase() === 'env' || isStatistics(part))) return true;
  return Object.values(part).some((inner) => typeof inner === 'object' && inner !== null && hasVariable(inner));
}
