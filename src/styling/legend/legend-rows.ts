/** Selects the rules of a style that a legend shows, and their order. */
import { isForMapsOnly } from '../model/inclusion.ts';
import type { Fill, Rule, StyledLayerDescriptor } from '../model/model.ts';

/** One rule of the style in the legend. */
export interface LegendRow {
  readonly rule: Rule;
  /** The background of the style. */
  readonly background: Fill | undefined;
  /** Empty for a rule without a title and name. */
  readonly label: string;
}

export interface RowSelection {
  /** Shows only the rules at this scale. */
  readonly scaleDenominator?: number;
  /** Shows only the rules with this name. */
  readonly rule?: string;
  /** The number of features of each selected rule, in order, if counted. */
  readonly counts?: readonly number[];
  /** Whether rules without features are omitted. */
  readonly hidesEmpty?: boolean;
  /** Whether labels include the number of features. */
  readonly tellsCounts?: boolean;
}

/** Lists the rules of all user styles in document order, filtered by scale, name and feature count. */
export function listVisibleRows(model: StyledLayerDescriptor, selection: RowSelection): readonly LegendRow[] {
  const { counts, hidesEmpty, tellsCounts } = selection;
  const rows = listSelectedRows(model, selection);
  if (counts === undefined) return rows;
  return rows.flatMap((row, index) => {
    const count = counts[index] ?? 0;
    if (hidesEmpty && count === 0) return [];
    return tellsCounts ? { ...row, label: `${row.label} (${count})`.trim() } : row;
  });
}

/** Lists the rules filtered by scale and name only. */
export function listSelectedRows(
  model: StyledLayerDescriptor,
  selection: Pick<RowSelection, 'scaleDenominator' | 'rule'>,
): readonly LegendRow[] {
  return model.layers.flatMap(({ styles }) =>
    styles.flatMap((style) =>
      style.kind === 'namedStyle'
        ? []
        : style.featureTypeStyles
            .filter((each) => !isForMapsOnly(each))
            .flatMap(({ rules }) => rules)
            .filter((rule) => isSelected(rule, selection))
            .map((rule) => ({ rule, background: style.background, label: rule.title ?? rule.name ?? '' })),
    ),
  );
}

function isSelected(rule: Rule, { scaleDenominator: scale, rule: name }: RowSelection): boolean {
  if (name !== undefined && rule.name !== name) return false;
  if (isForMapsOnly(rule)) return false;
  if (scale === undefined) return true;
  return scale >= (rule.minScaleDenominator ?? 0) && scale < (rule.maxScaleDenominator ?? Number.POSITIVE_INFINITY);
}
