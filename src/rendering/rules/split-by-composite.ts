/** Splits the rules of a feature type style into stages, so that symbolizers with `composite` are blended alone. */
import type { Rule, Symbolizer } from '../../styling/model/model.ts';
import { type Blend, readBlend } from '../rasterizer/blend.ts';

/** A part of each rule that is painted before the next stage. */
export interface CompositeStage {
  readonly blend: Blend | undefined;
  /** All rules, since those without symbolizers still decide which others apply. */
  readonly rules: readonly Rule[];
}

/** Each stage is a picture of its own; symbolizers of further stages are painted with the last one. */
const MAX_STAGES = 32;

/** Returns one stage with the same rules if no symbolizer has the option. */
export function splitByComposite(rules: readonly Rule[]): readonly CompositeStage[] {
  if (!rules.some(({ symbolizers }) => symbolizers.some((each) => readComposite(each) !== '')))
    return [{ blend: undefined, rules }];
  const stages: { readonly composite: string; readonly symbolizers: Map<Rule, Symbolizer[]> }[] = [];
  for (const rule of rules) {
    let at = 0;
    for (const symbolizer of rule.symbolizers) {
      const composite = readComposite(symbolizer);
      while (at < MAX_STAGES - 1 && stages[at] !== undefined && stages[at]?.composite !== composite) at += 1;
      stages[at] ??= { composite, symbolizers: new Map() };
      const painted = stages[at]?.symbolizers;
      painted?.set(rule, [...(painted.get(rule) ?? []), symbolizer]);
    }
  }
  return stages.map(({ composite, symbolizers }) => ({
    blend: readBlend(composite),
    rules: rules.map((rule) => ({ ...rule, symbolizers: symbolizers.get(rule) ?? [] })),
  }));
}

/** Returns an empty text without a valid mode. Labels are drawn after everything else and are not blended. */
export function readComposite({ kind, vendorOptions }: Symbolizer): string {
  const value = vendorOptions?.find(({ name }) => name.toLowerCase() === 'composite')?.value;
  const text = value?.kind === 'literal' && kind !== 'textSymbolizer' ? value.value : '';
  return readBlend(text) === undefined ? '' : text;
}
