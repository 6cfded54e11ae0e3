/** Which rules of a style a legend shows, and how its rows are laid out. */
import type { Fill, Rule, StyledLayerDescriptor } from '../model.ts';
import { isForMapsOnly } from './swatch.ts';

export interface LegendRow {
  readonly rule: Rule;
  /** What the style paints below everything. */
  readonly background: Fill | undefined;
  /** Empty if the rule is called nothing. */
  readonly label: string;
}

export interface RowSelection {
  readonly scaleDenominator?: number;
  readonly rule?: string;
}

/** The rules of all styles written out in the document, in its order: those drawn at the scale, and those so named. */
export function legendRows(model: StyledLayerDescriptor, selection: RowSelection): readonly LegendRow[] {
  return model.layers.flatMap(({ styles }) =>
    styles.flatMap((style) =>
      style.kind === 'namedStyle'
        ? []
        : style.featureTypeStyles
            .filter((each) => !isForMapsOnly(each))
            .flatMap(({ rules }) => rules)
            .filter((rule) => isShown(rule, selection))
            .map((rule) => ({ rule, background: style.background, label: rule.title ?? rule.name ?? '' })),
    ),
  );
}

function isShown(rule: Rule, { scaleDenominator: scale, rule: name }: RowSelection): boolean {
  if (name !== undefined && rule.name !== name) return false;
  if (isForMapsOnly(rule)) return false;
  if (scale === undefined) return true;
  return scale >= (rule.minScaleDenominator ?? 0) && scale < (rule.maxScaleDenominator ?? Number.POSITIVE_INFINITY);
}
