/** Parses the appearance of a map besides its styles: background, resolution and rotation. */

import { type Parameters, toOptionalProperty } from '../../ows/parameters.ts';
import { readParameter } from '../../ows/service-parameters.ts';
import { mapFormatOptions, mapParameters } from './parameters.ts';
import type { RequestedMap } from './request.ts';

type Appearance = Pick<
  RequestedMap,
  'isTransparent' | 'background' | 'environment' | 'formatOptions' | 'dpi' | 'palette' | 'hasTrueScale' | 'angle'
>;

export function readAppearance(parameters: Parameters): Appearance {
  const formatOptions = readParameter(parameters, mapParameters.formatOptions);
  return {
    isTransparent: readParameter(parameters, mapParameters.transparent),
    background: readParameter(parameters, mapParameters.bgcolor),
    environment: readParameter(parameters, mapParameters.env),
    formatOptions,
    // Some clients send the parameters of three servers at the same time.
    ...toOptionalProperty(
      'dpi',
      readParameter(formatOptions, mapFormatOptions.parameters.dpi) ?? readParameter(parameters, mapParameters.dpi),
    ),
    ...toOptionalProperty('palette', readParameter(parameters, mapParameters.palette)),
    hasTrueScale: readParameter(parameters, mapParameters.scaleMethod) === 'accurate',
    angle: readParameter(parameters, mapParameters.angle),
  };
}
