/** Reads the parameters of a colour ramp. */
import { problem } from '../../lib/problems/problem.ts';
import type { ColorRamp, RampName } from '../../styling/classification/color-ramps.ts';
import type { Parameters } from '../ows/parameters.ts';
import { readParameter, type ServiceParameter } from '../ows/service-parameters.ts';

export interface RampParameters {
  readonly ramp: ServiceParameter<RampName>;
  readonly startColor: ServiceParameter<string | undefined>;
  readonly midColor: ServiceParameter<string | undefined>;
  readonly endColor: ServiceParameter<string | undefined>;
  readonly colors: ServiceParameter<readonly string[]>;
  readonly reverse: ServiceParameter<boolean>;
}

/** A custom ramp needs a start and an end, or a list of colours. */
export function readRamp(parameters: Parameters, declared: RampParameters): ColorRamp {
  const ramp: ColorRamp = {
    name: readParameter(parameters, declared.ramp),
    start: readParameter(parameters, declared.startColor),
    mid: readParameter(parameters, declared.midColor),
    end: readParameter(parameters, declared.endColor),
    colors: readParameter(parameters, declared.colors),
    isReversed: readParameter(parameters, declared.reverse),
  };
  if (ramp.name !== 'custom' || ramp.colors.length > 0) return ramp;
  const missing = ramp.start === undefined ? 'startColor' : ramp.end === undefined ? 'endColor' : undefined;
  if (missing !== undefined)
    throw problem('ows-parameter-missing', {
      parameter: missing,
      expected: 'a custom ramp requires startColor and endColor, or colors',
      field: missing,
    });
  return ramp;
}
