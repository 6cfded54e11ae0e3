/** What is drawn for some features at some scales: a rule in the making. */
import type { Expression } from '../../../data/filter/expression.ts';
import type { Filter } from '../../../data/filter/filter.ts';
import { createLiteral } from '../../../data/filter/literal.ts';
import type { Description, Translation } from '../../model/description.ts';
import type { VendorOption } from '../../model/paint.ts';
import type { SimpleRule } from '../cascade/simple-rule.ts';
import type { ScaleRange } from '../stylesheet.ts';
import { type Cascaded, cascade, textOf } from './cascaded.ts';
import { optionOf } from './options.ts';
import { type LevelledSymbolizer, symbolizersOf } from './symbolizers.ts';

export interface Drawing extends Description {
  readonly symbolizers: readonly LevelledSymbolizer[];
  readonly layer: LayerSettings;
}

/** What a feature type style has for all its rules. */
export interface LayerSettings {
  readonly transformation?: Expression | undefined;
  readonly vendorOptions: readonly VendorOption[];
}

/** A drawing, and for which features and scales it is. */
export interface PlacedDrawing {
  readonly drawing: Drawing;
  readonly scale: ScaleRange;
  /** Fits no feature of another drawing. */
  readonly exclusive: Filter | undefined;
  /** May fit features of drawings before it. */
  readonly positive: Filter | undefined;
}

/** The rules come strongest first. */
export function drawingOf(rules: readonly SimpleRule[]): Drawing {
  const cascaded = cascade(rules);
  const written = rules.toSorted((one, other) => one.order - other.order);
  return {
    title: joined(
      written.map(({ title }) => title),
      ', ',
    ),
    abstract: joined(
      written.map(({ abstract }) => abstract),
      '\n',
    ),
    translations: joinedTranslations(written.flatMap(({ translations = [] }) => translations)),
    symbolizers: symbolizersOf(cascaded),
    layer: layerSettings(cascaded),
  };
}

/** All that is said of the same in the same language, as one. */
function joinedTranslations(given: readonly Translation[]): readonly Translation[] | undefined {
  const groups = Map.groupBy(given, ({ of, language }) => `${of} ${language}`);
  const found = [...groups.values()].flatMap((group): Translation[] => {
    const [first] = group;
    if (first === undefined) return [];
    const texts = group.map(({ text }) => text);
    return [{ ...first, text: joined(texts, first.of === 'title' ? ', ' : '\n') ?? '' }];
  });
  return found.length === 0 ? undefined : found;
}

function joined(texts: readonly (string | undefined)[], separator: string): string | undefined {
  const given = new Set(texts.filter((text) => text !== undefined));
  return given.size === 0 ? undefined : [...given].join(separator);
}

function layerSettings(cascaded: Cascaded): LayerSettings {
  const own = cascaded.at(0);
  const transform = own('transform');
  const keys = cascaded.all('sort-by').map(textOf);
  const options = [
    keys.length === 0 ? undefined : { name: 'sortBy', value: createLiteral(keys.join(', ')) },
    optionOf('ruleEvaluation', own('rule-evaluation')),
    optionOf('sortByGroup', own('sort-by-group')),
    optionOf('composite', own('composite')),
    optionOf('composite-base', own('composite-base')),
  ];
  return {
    transformation: transform?.kind === 'transformation' ? transform.call : undefined,
    vendorOptions: options.filter((option) => option !== undefined),
  };
}
