/** Which rules of a style a legend shows, in which order. */
import type { Fill, Rule, StyledLayerDescriptor } from '../model/model.ts';
import { isForMapsOnly } from './symbols/swatch.ts';

/** One rule of the style, as the legend shows it. */
export interface LegendRow {
  readonly rule: Rule;
  /** What the style paints below everything. */
  readonly background: Fill | undefined;
  /** Empty if the rule is called nothing. */
  readonly label: string;
}

export interface RowSelection {
  /** Shows only the rules drawn at this scale. */
  readonly scaleDenominator?: number;
  /** Shows only the rules of this name. */
  readonly rule?: string;
  /** How many features each rule of the selection draws, in their order, where somebody has counted. */
  readonly counts?: readonly number[];
  /** Whether rules that draw no features are left out. */
  readonly hidesEmpty?: boolean;
  /** Whether the number of features stands behind the label. */
  readonly tellsCounts?: boolean;
}

/** The rules of all styles written out in the document, in its order: those drawn at the scale, and those so named. */
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

/** The same, however many features each of them draws. */
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
