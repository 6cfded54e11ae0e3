/** Which rules of a style a legend shows, in which order. */
import type { Fill, Rule, StyledLayerDescriptor } from '../model.ts';
import { isForMapsOnly } from './swatch.ts';

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
}

/** The rules of all styles written out in the document, in its order: those drawn at the scale, and those so named. */
export function rulesShown(model: StyledLayerDescriptor, selection: RowSelection): readonly LegendRow[] {
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
