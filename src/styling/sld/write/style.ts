/** Writes user styles, the feature type styles in them, and their rules. */
import type { FeatureTypeStyle, Rule, UserStyle } from '../../model/styled-layer-descriptor.ts';
import { writeExpression, writeVendorOptions } from './expression.ts';
import { writeFilter } from './filter.ts';
import { writeHeading } from './heading.ts';
import { element, maybeText, type OutputElement, textElement } from './output.ts';
import { writeFill, writeGraphic, writeOnlineResource } from './paint.ts';
import { writeSymbolizer } from './symbolizer.ts';
import type { Writing } from './writing.ts';

export function writeUserStyle(writing: Writing, style: UserStyle): OutputElement {
  const flag = style.isDefault === undefined ? undefined : Number(style.isDefault);
  return element('UserStyle', [
    ...writeHeading(writing, style),
    maybeText('IsDefault', flag),
    style.background && writeFill(writing, style.background, 'Background'),
    ...style.featureTypeStyles.map((each, index) =>
      writing.inside(`FeatureTypeStyle[${index + 1}]`, () => writeFeatureTypeStyle(writing, each)),
    ),
    ...writeRemote(writing, style.remoteStyles, 'a style from another address'),
  ]);
}

/** Version 1.0.0 draws coverages with feature type styles too. */
function writeFeatureTypeStyle(writing: Writing, style: FeatureTypeStyle): OutputElement {
  const isCoverageStyle = style.ofCoverages === true && writing.isSymbologyEncoding;
  return element(writing.symbol(isCoverageStyle ? 'CoverageStyle' : 'FeatureTypeStyle'), [
    ...writeHeading(writing, style),
    maybeText(writing.symbol(isCoverageStyle ? 'CoverageName' : 'FeatureTypeName'), style.featureTypeName),
    ...(style.semanticTypeIdentifiers ?? []).map((each) => textElement(writing.symbol('SemanticTypeIdentifier'), each)),
    style.transformation && element(writing.symbol('Transformation'), [writeExpression(writing, style.transformation)]),
    ...style.rules.map((rule, index) => writing.inside(`Rule[${index + 1}]`, () => writeRule(writing, rule))),
    ...writeRemote(writing, style.remoteRules, 'a rule from another address'),
    ...writeVendorOptions(writing, style.vendorOptions),
  ]);
}

function writeRemote(writing: Writing, hrefs: readonly string[] | undefined, what: string): readonly OutputElement[] {
  if (hrefs !== undefined && !writing.isSymbologyEncoding) writing.lose(what);
  return (hrefs ?? []).map((href) => writeOnlineResource(writing, href));
}

function writeRule(writing: Writing, rule: Rule): OutputElement {
  const { legendGraphic, filter, minScaleDenominator, maxScaleDenominator } = rule;
  return element(writing.symbol('Rule'), [
    ...writeHeading(writing, rule),
    legendGraphic && element(writing.symbol('LegendGraphic'), [writeGraphic(writing, legendGraphic)]),
    filter && (filter.kind === 'else' ? element(writing.symbol('ElseFilter')) : writeFilter(writing, filter)),
    maybeText(writing.symbol('MinScaleDenominator'), minScaleDenominator),
    maybeText(
      writing.symbol('MaxScaleDenominator'),
      maxScaleDenominator === Number.POSITIVE_INFINITY ? undefined : maxScaleDenominator,
    ),
    ...rule.symbolizers.map((each, index) => writeSymbolizer(writing, each, index)),
    ...writeVendorOptions(writing, rule.vendorOptions),
  ]);
}
