/** Splits the rules of a feature type style into stages, so that symbolizers with `composite` are blended alone. */
import type { Rule, Symbolizer } from '../../styling/model/model.ts';
import { type Blend, readBlend } from '../rasterizer/blend.ts';

/** A part of each rule that is painted before the next stage. */
export interface CompositeStage {
  readonly blend: Blend | undefined;
  /** All rules, since those without symbolizers still decide which others apply. */
  readonly rules: readonly Rule[];
}

/** Each stage is a picture; further symbolizers are painted with the last stage of their mode. */
const MAX_STAGES = 32;

interface GrowingStage {
  readonly composite: string;
  readonly symbolizers: Map<Rule, Symbolizer[]>;
}

/** Returns one stage with the same rules if no symbolizer has the option. */
export function splitByComposite(rules: readonly Rule[]): readonly CompositeStage[] {
  if (!rules.some(({ symbolizers }) => symbolizers.some((each) => readComposite(each) !== '')))
    return [{ blend: undefined, rules }];
  const stages: GrowingStage[] = [];
  for (const rule of rules) {
    for (const symbolizer of rule.symbolizers) {
      const { symbolizers } = selectStage(stages, readComposite(symbolizer));
      symbolizers.set(rule, [...(symbolizers.get(rule) ?? []), symbolizer]);
    }
  }
  return stages.map(({ composite, symbolizers }) => ({
    blend: readBlend(composite),
    rules: rules.map((rule) => ({ ...rule, symbolizers: symbolizers.get(rule) ?? [] })),
  }));
}

/** Returns the stage of the next symbolizer: the last one if it has the same mode, or a new one. */
function selectStage(stages: GrowingStage[], composite: string): GrowingStage {
  const last = stages.at(-1);
  if (last?.composite === composite) return last;
  const earlier =
    stages.length < MAX_STAGES ? undefined : (stages.findLast((each) => each.composite === composite) ?? last);
  if (earlier !== undefined) return earlier;
  const added = { composite, symbolizers: new Map() };
  stages.push(added);
  return added;
}

/** Returns an empty text without a valid mode. Labels are drawn after everything else and are not blended. */
export function readComposite({ kind, vendorOptions }: Symbolizer): string {
  const value = vendorOptions?.find(({ name }) => name.toLowerCase() === 'composite')?.value;
  const text = value?.kind === 'literal' && kind !== 'textSymbolizer' ? value.value : '';
  return readBlend(text) === undefined ? '' : text;
}
