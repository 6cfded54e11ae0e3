/** Parses the appearance of a map besides its styles: background, resolution and rotation. */

import { type Problem, problem } from '../../../lib/problems/problem.ts';
import { findInterpolation, type Interpolation } from '../../../raster/warp/interpolate.ts';
import { type Parameters, readOptions, toOptionalProperty } from '../../ows/parameters.ts';
import { expandPerQuery } from '../../ows/selection.ts';
import { readEscapedOptions } from './escaped-options.ts';
import type { RequestedMap } from './request.ts';

type Appearance = Pick<
  RequestedMap,
  'isTransparent' | 'background' | 'environment' | 'formatOptions' | 'dpi' | 'palette' | 'hasTrueScale' | 'angle'
>;

/** The default background. */
const WHITE = '#ffffff';

export function readAppearance(parameters: Parameters): Appearance {
  const formatOptions = readOptions(parameters.get('format_options'));
  return {
    isTransparent: parameters.get('transparent')?.trim().toLowerCase() === 'true',
    background: readColour(parameters.get('bgcolor')),
    environment: readEscapedOptions(parameters.get('env') ?? ''),
    formatOptions,
    // Some clients send the parameters of three servers at the same time.
    ...toOptionalProperty(
      'dpi',
      readDpi(formatOptions.get('dpi') ?? parameters.get('map_resolution') ?? parameters.get('dpi')),
    ),
    ...toOptionalProperty('palette', parameters.get('palette')),
    hasTrueScale: readScaleMethod(parameters.get('scalemethod')),
    angle: readAngle(parameters.get('angle')),
  };
}

/** One per layer, or one for all; an empty value selects that of the layer. */
export function readInterpolations(text: string | undefined, layers: number): readonly (Interpolation | undefined)[] {
  if (text === undefined) return [];
  const names = text.split(',').map((each) => each.trim());
  const read = names.map((name) => {
    const interpolation = findInterpolation(name);
    if (name !== '' && interpolation === undefined) {
      throw createParameterProblem('interpolations', name, 'expected nearest neighbor, bilinear or bicubic');
    }
    return interpolation;
  });
  return expandPerQuery('interpolations', read, layers);
}

/** `0xRRGGBB` or `#RRGGBB`. */
function readColour(text: string | undefined): string {
  if (text === undefined) return WHITE;
  const [, digits] = /^\s*(?:0x|#)?([0-9a-f]{6})\s*$/i.exec(text) ?? [];
  if (digits === undefined) throw createParameterProblem('bgcolor', text, 'expected a colour such as 0xFFFFFF');
  return `#${digits.toLowerCase()}`;
}

function readAngle(text: string | undefined): number {
  const angle = text === undefined ? 0 : Number(text);
  if (text?.trim() === '' || !Number.isFinite(angle)) {
    throw createParameterProblem('angle', text ?? '', 'expected a number of degrees');
  }
  return angle % 360;
}

/** The range of screens and printers. */
const MIN_DPI = 10;
const MAX_DPI = 2_400;

function readDpi(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const dpi = Number(text);
  if (!(dpi >= MIN_DPI && dpi <= MAX_DPI)) {
    throw createParameterProblem('dpi', text, `expected a number from ${MIN_DPI} to ${MAX_DPI}`);
  }
  return dpi;
}

function readScaleMethod(text: string | undefined): boolean {
  const name = text?.trim().toLowerCase() ?? 'ogc';
  if (name !== 'ogc' && name !== 'accurate')
    throw createParameterProblem('scaleMethod', text ?? '', 'expected OGC or Accurate');
  return name === 'accurate';
}

function createParameterProblem(parameter: string, value: string, expected: string): Problem {
  return problem('ows-parameter-invalid', { parameter, value, expected, field: parameter });
}
