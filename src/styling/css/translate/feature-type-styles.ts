/** Groups drawings into feature type styles, by z-index and by the settings of the style. */
import type { Filter } from '../../../filter/model/filter.ts';
import { createLiteral } from '../../../filter/model/literal.ts';
import type { VendorOption } from '../../model/paint.ts';
import type { FeatureTypeStyle, Rule } from '../../model/styled-layer-descriptor.ts';
import { omitUndefined } from './omit-undefined.ts';
import type { ConditionalDrawing, LayerSettings } from './rule-drawing.ts';

/** Whether the first matching rule draws a feature, or all matching rules. */
export type RuleEvaluation = 'first' | 'all';

export interface LevelledStyle {
  readonly zIndex: number;
  readonly style: FeatureTypeStyle;
}

interface Group {
  readonly zIndex: number;
  readonly layer: LayerSettings;
  readonly key: string;
}

export function buildFeatureTypeStyles(
  drawings: readonly ConditionalDrawing[],
  evaluation: RuleEvaluation,
  featureTypeName: string | undefined,
): readonly LevelledStyle[] {
  const groups = new Map<string, Group>();
  for (const { drawing } of drawings) {
    for (const { zIndex } of drawing.symbolizers) {
      const key = toGroupKey(zIndex, drawing.layer);
      if (!groups.has(key)) groups.set(key, { zIndex, layer: drawing.layer, key });
    }
  }
  return [...groups.values()].map((group) => {
    const vendorOptions: readonly VendorOption[] = [
      ...(evaluation === 'first' ? [{ name: 'ruleEvaluation', value: createLiteral('first') }] : []),
      ...group.layer.vendorOptions.filter(({ name }) => evaluation === 'all' || name !== 'ruleEvaluation'),
    ];
    const style = omitUndefined<FeatureTypeStyle>({
      kind: 'featureTypeStyle',
      featureTypeName,
      transformation: group.layer.transformation,
      rules: buildRules(drawings, group, evaluation),
      vendorOptions: vendorOptions.length === 0 ? undefined : vendorOptions,
    });
    return { zIndex: group.zIndex, style };
  });
}

function toGroupKey(zIndex: number, layer: LayerSettings): string {
  return layer.transformation === undefined && layer.vendorOptions.length === 0
    ? String(zIndex)
    : `${zIndex} ${JSON.stringify(layer)}`;
}

function buildRules(
  drawings: readonly ConditionalDrawing[],
  group: Group,
  evaluation: RuleEvaluation,
): readonly Rule[] {
  const rules: Rule[] = [];
  // After a drawing without symbolizers in this group, only an exclusive filter keeps later rules from drawing its
  // features.
  let isSomeMissing = false;
  for (const { drawing, scale, exclusive, positive } of drawings) {
    const symbolizers = drawing.symbolizers
      .filter(({ zIndex }) => toGroupKey(zIndex, drawing.layer) === group.key)
      .map(({ symbolizer }) => symbolizer);
    if (symbolizers.length === 0) {
      isSomeMissing = true;
      continue;
    }
    const filter: Filter | undefined = evaluation === 'first' && !isSomeMissing ? positive : exclusive;
    rules.push(
      omitUndefined<Rule>({
        kind: 'rule',
        title: drawing.title,
        abstract: drawing.abstract,
        translations: drawing.translations,
        filter,
        minScaleDenominator: scale.from > 0 ? scale.from : undefined,
        maxScaleDenominator: Number.isFinite(scale.to) ? scale.to : undefined,
        symbolizers,
      }),
    );
  }
  return rules;
}
