/** Writes user styles, their feature type styles and rules. */
import type { FeatureTypeStyle, Rule, UserStyle } from '../../model/styled-layer-descriptor.ts';
import { writeExpression, writeVendorOptions } from './expression.ts';
import { writeFilter } from './filter.ts';
import { writeHeading } from './heading.ts';
import { createElement, createOptionalText, createTextElement, type OutputElement } from './output.ts';
import { writeFill, writeGraphic, writeOnlineResource } from './paint.ts';
import { writeSymbolizer } from './symbolizer.ts';
import type { SldWriteContext } from './write-context.ts';

export function writeUserStyle(writing: SldWriteContext, style: UserStyle): OutputElement {
  const flag = style.isDefault === undefined ? undefined : Number(style.isDefault);
  return createElement('UserStyle', [
    ...writeHeading(writing, style),
    createOptionalText('IsDefault', flag),
    style.background && writeFill(writing, style.background, 'Background'),
    ...style.featureTypeStyles.map((each, index) =>
      writing.runInside(`FeatureTypeStyle[${index + 1}]`, () => writeFeatureTypeStyle(writing, each)),
    ),
    ...writeRemote(writing, style.remoteStyles, 'a reference to an external style'),
  ]);
}

/** Version 1.0.0 uses feature type styles for coverages too. */
function writeFeatureTypeStyle(writing: SldWriteContext, style: FeatureTypeStyle): OutputElement {
  const isCoverageStyle = style.ofCoverages === true && writing.isSymbologyEncoding;
  return createElement(writing.toSymbolName(isCoverageStyle ? 'CoverageStyle' : 'FeatureTypeStyle'), [
    ...writeHeading(writing, style),
    createOptionalText(
      writing.toSymbolName(isCoverageStyle ? 'CoverageName' : 'FeatureTypeName'),
      style.featureTypeName,
    ),
    ...(style.semanticTypeIdentifiers ?? []).map((each) =>
      createTextElement(writing.toSymbolName('SemanticTypeIdentifier'), each),
    ),
    style.transformation &&
      createElement(writing.toSymbolName('Transformation'), [writeExpression(writing, style.transformation)]),
    ...style.rules.map((rule, index) => writing.runInside(`Rule[${index + 1}]`, () => writeRule(writing, rule))),
    ...writeRemote(writing, style.remoteRules, 'a reference to an external rule'),
    ...writeVendorOptions(writing, style.vendorOptions),
  ]);
}

function writeRemote(
  writing: SldWriteContext,
  hrefs: readonly string[] | undefined,
  what: string,
): readonly OutputElement[] {
  if (hrefs !== undefined && !writing.isSymbologyEncoding) writing.reportLoss(what);
  return (hrefs ?? []).map((href) => writeOnlineResource(writing, href));
}

export function writeRule(writing: SldWriteContext, rule: Rule): OutputElement {
  const { legendGraphic, filter, minScaleDenominator, maxScaleDenominator } = rule;
  return createElement(writing.toSymbolName('Rule'), [
    ...writeHeading(writing, rule),
    legendGraphic && createElement(writing.toSymbolName('LegendGraphic'), [writeGraphic(writing, legendGraphic)]),
    filter &&
      (filter.kind === 'else' ? createElement(writing.toSymbolName('ElseFilter')) : writeFilter(writing, filter)),
    createOptionalText(writing.toSymbolName('MinScaleDenominator'), minScaleDenominator),
    createOptionalText(
      writing.toSymbolName('MaxScaleDenominator'),
      maxScaleDenominator === Number.POSITIVE_INFINITY ? undefined : maxScaleDenominator,
    ),
    ...rule.symbolizers.map((each, index) => writeSymbolizer(writing, each, index)),
    ...writeVendorOptions(writing, rule.vendorOptions),
  ]);
}
