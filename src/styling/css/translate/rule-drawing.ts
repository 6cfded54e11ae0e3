/** Builds the content of a rule: the drawing for some features at some scales. */
import type { Expression } from '../../../filter/model/expression.ts';
import type { Filter } from '../../../filter/model/filter.ts';
import { createLiteral } from '../../../filter/model/literal.ts';
import type { Description, Translation } from '../../model/description.ts';
import type { VendorOption } from '../../model/paint.ts';
import { type CascadedProperties, cascadeRules, findLiteralText } from '../cascade/cascaded-properties.ts';
import type { SimpleRule } from '../cascade/simple-rule.ts';
import type { ScaleRange } from '../model/stylesheet.ts';
import { toVendorOption } from './options.ts';
import { buildSymbolizers, type LevelledSymbolizer } from './symbolizers.ts';

export interface RuleDrawing extends Description {
  readonly symbolizers: readonly LevelledSymbolizer[];
  readonly layer: LayerSettings;
}

/** The settings that all rules of a feature type style share. */
export interface LayerSettings {
  readonly transformation?: Expression | undefined;
  readonly vendorOptions: readonly VendorOption[];
}

/** A drawing with its filters and scales. */
export interface ConditionalDrawing {
  readonly drawing: RuleDrawing;
  readonly scale: ScaleRange;
  /** Matches no feature of another drawing. */
  readonly exclusive: Filter | undefined;
  /** May match features of earlier drawings. */
  readonly positive: Filter | undefined;
}

/** `rules` are sorted by descending priority. */
export function buildRuleDrawing(rules: readonly SimpleRule[]): RuleDrawing {
  const cascaded = cascadeRules(rules);
  const written = rules.toSorted((one, other) => one.order - other.order);
  return {
    title: joinTexts(
      written.map(({ title }) => title),
      ', ',
    ),
    abstract: joinTexts(
      written.map(({ abstract }) => abstract),
      '\n',
    ),
    translations: joinTranslations(written.flatMap(({ translations = [] }) => translations)),
    symbolizers: buildSymbolizers(cascaded),
    layer: readLayerSettings(cascaded),
  };
}

/** Merges texts for the same member in the same language. */
function joinTranslations(given: readonly Translation[]): readonly Translation[] | undefined {
  const groups = Map.groupBy(given, ({ of, language }) => `${of} ${language}`);
  const found = [...groups.values()].flatMap((group): Translation[] => {
    const [first] = group;
    if (first === undefined) return [];
    const texts = group.map(({ text }) => text);
    return [{ ...first, text: joinTexts(texts, first.of === 'title' ? ', ' : '\n') ?? '' }];
  });
  return found.length === 0 ? undefined : found;
}

function joinTexts(texts: readonly (string | undefined)[], separator: string): string | undefined {
  const given = new Set(texts.filter((text) => text !== undefined));
  return given.size === 0 ? undefined : [...given].join(separator);
}

function readLayerSettings(cascaded: CascadedProperties): LayerSettings {
  const own = cascaded.getLookup(0);
  const transform = own('transform');
  const keys = cascaded.listValues('sort-by').map(findLiteralText);
  const options = [
    keys.length === 0 ? undefined : { name: 'sortBy', value: createLiteral(keys.join(', ')) },
    toVendorOption('ruleEvaluation', own('rule-evaluation')),
    toVendorOption('sortByGroup', own('sort-by-group')),
    toVendorOption('composite', own('composite')),
    toVendorOption('composite-base', own('composite-base')),
  ];
  return {
    transformation: transform?.kind === 'transformation' ? transform.call : undefined,
    vendorOptions: options.filter((option) => option !== undefined),
  };
}
