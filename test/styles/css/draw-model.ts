/** Draws a feature by the rules of a translated style, in the same notation as `drawDirectly`. */
import { evaluateFilter } from '../../../src/filter/evaluate/evaluate.ts';
import type {
  Expression,
  FeatureTypeStyle,
  Fill,
  Graphic,
  Rule,
  Stroke,
  StyledLayerDescriptor,
  Symbolizer,
} from '../../../src/styling/model/model.ts';
import type { View } from './random-stylesheets.ts';

export function drawModel(model: StyledLayerDescriptor, view: View): readonly string[] {
  const styles = model.layers
    .flatMap(({ styles: each }) => each)
    .flatMap((style) => (style.kind === 'userStyle' ? style.featureTypeStyles : []));
  const isNamed = styles.some(({ featureTypeName }) => featureTypeName === view.feature.type);
  return styles
    .filter(({ featureTypeName }) => featureTypeName === (isNamed ? view.feature.type : undefined))
    .flatMap((style) => rulesFor(style, view).flatMap(({ symbolizers }) => symbolizers.map(describeSymbolizer)));
}

/** The number of matching rules of each style: in exclusive mode at most one. */
export function fittingRules(model: StyledLayerDescriptor, view: View): readonly number[] {
  return model.layers
    .flatMap(({ styles }) => styles)
    .flatMap((style) => (style.kind === 'userStyle' ? style.featureTypeStyles : []))
    .map(({ rules }) => rules.filter((rule) => fits(rule, view)).length);
}

function rulesFor({ rules, vendorOptions }: FeatureTypeStyle, view: View): readonly Rule[] {
  const found = rules.filter((rule) => fits(rule, view));
  const isFirstOnly = vendorOptions?.some(({ name, value }) => name === 'ruleEvaluation' && text(value) === 'first');
  return isFirstOnly ? found.slice(0, 1) : found;
}

function fits(
  { filter, minScaleDenominator = 0, maxScaleDenominator = Number.POSITIVE_INFINITY }: Rule,
  view: View,
): boolean {
  if (view.scale < minScaleDenominator || view.scale >= maxScaleDenominator) return false;
  if (filter === undefined) return true;
  if (filter.kind === 'else') throw new Error('No style sheet is translated to an else.');
  const { a, b, c, id } = view.feature;
  const result = evaluateFilter(filter, { a, b, c, '@id': id });
  if (result === undefined) throw new Error('Everything is known about the feature.');
  return result;
}

function describeSymbolizer(symbolizer: Symbolizer): string {
  switch (symbolizer.kind) {
    case 'polygonSymbolizer':
      return words('polygon', fillText(symbolizer.fill), strokeText(symbolizer.stroke));
    case 'lineSymbolizer':
      return words('line', strokeText(symbolizer.stroke), measured('offset', symbolizer.perpendicularOffset));
    case 'pointSymbolizer':
      return words('point', graphicText(symbolizer.graphic));
    case 'textSymbolizer': {
      const label =
        symbolizer.label?.kind === 'property' ? `[${symbolizer.label.name}]` : `'${text(symbolizer.label)}'`;
      return words('text', label, text(symbolizer.fill?.color));
    }
    default:
      throw new Error(`There is no ${symbolizer.kind} in random style sheets.`);
  }
}

function words(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

function text(expression: Expression | undefined): string | undefined {
  if (expression !== undefined && expression.kind !== 'literal') throw new Error('A literal was expected.');
  return expression?.value;
}

function measured(name: string, expression: Expression | undefined): string {
  return expression === undefined ? '' : `${name} ${text(expression)}`;
}

function fillText(fill: Fill | undefined): string {
  if (fill === undefined) return '';
  const paint = fill.graphicFill === undefined ? (text(fill.color) ?? 'default') : graphicText(fill.graphicFill);
  return words('fill', paint, measured('opacity', fill.opacity));
}

function strokeText(stroke: Stroke | undefined): string {
  if (stroke === undefined) return '';
  const paint =
    stroke.graphicStroke === undefined ? (text(stroke.color) ?? 'default') : graphicText(stroke.graphicStroke.graphic);
  return words('stroke', paint, measured('width', stroke.width));
}

function graphicText(graphic: Graphic | undefined): string {
  const [mark] = graphic?.symbols ?? [];
  if (mark?.kind !== 'mark') throw new Error('A mark was expected.');
  return `(${words(text(mark.wellKnownName), fillText(mark.fill), strokeText(mark.stroke), measured('size', graphic?.size))})`;
}
