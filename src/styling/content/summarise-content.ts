/** Summarises a style for lists: its title and the scales at which it draws. */
import type { StyledLayerDescriptor, UserStyle } from '../model/model.ts';

export interface StyleSummary {
  readonly title: string | undefined;
  readonly abstract: string | undefined;
  /** 0 if a rule has no lower limit. */
  readonly minScaleDenominator: number;
  /** Infinite if a rule has no upper limit. */
  readonly maxScaleDenominator: number;
}

export function summariseContent({ layers }: StyledLayerDescriptor): StyleSummary {
  const styles = layers.flatMap((layer) => layer.styles).filter((each): each is UserStyle => each.kind === 'userStyle');
  const rules = styles.flatMap(({ featureTypeStyles }) => featureTypeStyles.flatMap((each) => each.rules));
  const [first] = styles;
  return {
    title: first?.title,
    abstract: first?.abstract,
    minScaleDenominator: rules.length === 0 ? 0 : findMinimum(rules.map((rule) => rule.minScaleDenominator ?? 0)),
    maxScaleDenominator:
      rules.length === 0
        ? Number.POSITIVE_INFINITY
        : -findMinimum(rules.map((rule) => -(rule.maxScaleDenominator ?? Number.POSITIVE_INFINITY))),
  };
}

/** A style may have more rules than a call can have arguments. */
function findMinimum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.min(one, other));
}
