/** Plans a transformation of a style: evaluates its parameters and determines its input and output. */

import type { Expression } from '../../filter/model/expression.ts';
import { problem } from '../../lib/problems/problem.ts';
import { evaluateParameters } from '../../styling/transformations/evaluate-parameters.ts';
import type { RawParameters } from '../../styling/transformations/parameters.ts';
import { type ProcessCall, readProcessCall } from '../../styling/transformations/process-call.ts';
import { bindVariables } from '../rules/bind-style.ts';
import type { Reach } from './model/transformation.ts';
import type { DataDescription, TransformedMap } from './model/transformed-data.ts';
import { getTransformation } from './registry.ts';

/** A process with its evaluated parameters, as it is sent to a thread. */
export interface TransformationStep {
  readonly process: string;
  readonly raw: RawParameters;
  /** The layer if the list is empty. */
  readonly inputs: readonly TransformationStep[];
}

export interface TransformationPlan {
  readonly step: TransformationStep;
  readonly output: DataDescription;
  /** The distance around the map in which the layer is read. */
  readonly reach: Reach;
  /** Whether cells of the coverage are read, instead of pixels of the map. */
  readonly readsCells: boolean;
  /** Returns the attributes of the layer that the wanted attributes of the output need. */
  listAttributes(wanted: readonly string[]): readonly string[];
}

/** Throws a Problem for unknown processes and invalid parameters. */
export function planTransformation(
  expression: Expression,
  layer: DataDescription,
  variables: Readonly<Record<string, string>>,
  map: TransformedMap,
): TransformationPlan {
  const outcome = readProcessCall(expression);
  if (outcome.kind === 'invalid')
    throw problem('map-transformation-invalid', { process: outcome.process, reason: outcome.reason });
  return planCall(outcome.call, layer, variables, map);
}

function planCall(
  call: ProcessCall,
  layer: DataDescription,
  variables: Readonly<Record<string, string>>,
  map: TransformedMap,
): TransformationPlan {
  const transformation = getTransformation(call.process);
  const inputs = call.inputs.map((each) => planCall(each, layer, variables, map));
  const raw = evaluateParameters(
    new Map([...call.given].map(([name, values]) => [name, values.map((each) => bindVariables(each, variables))])),
  );
  const output = transformation.describe(inputs.length === 0 ? [layer] : inputs.map((each) => each.output), raw, map);
  const own = transformation.reach(raw, map);
  return {
    step: { process: call.process.name, raw, inputs: inputs.map(({ step }) => step) },
    output,
    reach: {
      pixels: own.pixels + Math.max(0, ...inputs.map(({ reach }) => reach.pixels)),
      units: own.units + Math.max(0, ...inputs.map(({ reach }) => reach.units)),
    },
    readsCells: inputs.length === 0 ? transformation.readsCells : inputs.some(({ readsCells }) => readsCells),
    listAttributes: (wanted) => {
      const needed = transformation.listAttributes(raw, wanted);
      return inputs.length === 0 ? needed : [...new Set(inputs.flatMap((each) => each.listAttributes(needed)))];
    },
  };
}
