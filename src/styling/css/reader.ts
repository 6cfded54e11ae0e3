/** Reads style sheets (GeoCSS) into the style model, or reports all errors. */
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import type { StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import { AtomFactory } from './cascade/atom.ts';
import { flatten } from './cascade/flatten.ts';
import { CssComplaints } from './model/css-complaints.ts';
import { type CssLimits, cssLimits } from './model/css-limits.ts';
import type { Stylesheet } from './model/stylesheet.ts';
import { parseStylesheet } from './parse/parser.ts';
import { translateStylesheet } from './translate/translator.ts';

export interface CssReadResult {
  /** Deeply frozen. */
  readonly model: StyledLayerDescriptor;
  readonly stylesheet: Stylesheet;
  /** Sentences with positions about tolerated deviations, up to a limit. */
  readonly warnings: readonly string[];
}

export interface CssReadingOptions {
  readonly limits?: CssLimits;
  /** Whether tolerable deviations are errors. */
  readonly strict?: boolean;
}

/** Throws `style-invalid` with every error of the style sheet. */
export function readCss(text: string, { limits = cssLimits, strict = false }: CssReadingOptions = {}): CssReadResult {
  const complaints = new CssComplaints(text, strict);
  const stylesheet = deepFreeze(parseStylesheet(text, complaints, limits));
  const atoms = new AtomFactory();
  const rules = flatten(stylesheet, complaints, limits, atoms);
  const model =
    complaints.count === 0 ? translateStylesheet(stylesheet, rules, { complaints, limits, atoms }) : undefined;
  const problem = complaints.toProblem();
  if (problem !== undefined) throw problem;
  if (model === undefined) throw new Error('A style sheet without errors was not translated.');
  return { model, stylesheet, warnings: complaints.toWarnings() };
}
