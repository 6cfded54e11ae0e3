/** Reads user styles, the feature type styles in them, and their rules. */
import { readFilterElement } from '../../../data/filter/xml.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child, childElements, children, ifThere, listOrNone } from '../../../lib/xml/elements.ts';
import { childText, textOf } from '../../../lib/xml/text.ts';
import type { FeatureTypeStyle, Rule, UserStyle } from '../../model/styled-layer-descriptor.ts';
import { readFlag, readHref, readNumber, readVendorOptions } from './common-parts.ts';
import { createFilterReading, readOnlyExpression } from './expression.ts';
import { readDescription, readName } from './heading.ts';
import { readFill, readGraphic } from './paint.ts';
import type { SldReadContext } from './reading.ts';
import { readSymbolizer } from './symbolizer.ts';
import { nonNegativeNumber } from './values.ts';

export function readUserStyle(reading: SldReadContext, element: XmlElement): UserStyle {
  return {
    kind: 'userStyle',
    name: readName(element),
    ...readDescription(element),
    isDefault: ifThere(element, 'IsDefault', (each) => readFlag(reading, each)),
    background: ifThere(element, 'Background', (each) => readFill(reading, each)),
    featureTypeStyles: childElements(element)
      .filter(({ local }) => local === 'FeatureTypeStyle' || local === 'CoverageStyle')
      .map((each) => readFeatureTypeStyle(reading, each)),
    remoteStyles: readHrefs(reading, element),
  };
}

function readFeatureTypeStyle(reading: SldReadContext, element: XmlElement): FeatureTypeStyle {
  const ofCoverages = element.local === 'CoverageStyle' ? true : undefined;
  return {
    kind: 'featureTypeStyle',
    name: readName(element),
    ...readDescription(element),
    ofCoverages,
    featureTypeName: childText(element, ofCoverages ? 'CoverageName' : 'FeatureTypeName'),
    semanticTypeIdentifiers: listOrNone(children(element, 'SemanticTypeIdentifier').map(textOf)),
    transformation: ifThere(element, 'Transformation', (each) => readOnlyExpression(reading, each)),
    rules: children(element, 'Rule').map((each) => reading.rules?.get(each) ?? readRule(reading, each)),
    remoteRules: readHrefs(reading, element),
    vendorOptions: readVendorOptions(reading, element),
  };
}

function readHrefs(reading: SldReadContext, element: XmlElement): readonly string[] | undefined {
  return listOrNone(children(element, 'OnlineResource').map((each) => readHref(reading, each)));
}

export function readRule(reading: SldReadContext, element: XmlElement): Rule {
  const filter = child(element, 'Filter');
  const readDenominator = (name: string) => ifThere(element, name, (each) => readNumber(reading, each, nonNegativeNumber));
  return {
    kind: 'rule',
    name: readName(element),
    ...readDescription(element),
    legendGraphic: ifThere(element, 'LegendGraphic', (holder) =>
      ifThere(holder, 'Graphic', (graphic) => readGraphic(reading, graphic)),
    ),
    filter:
      filter === undefined
        ? ifThere(element, 'ElseFilter', () => ({ kind: 'else' as const }))
        : readFilterElement(createFilterReading(reading), filter),
    minScaleDenominator: readDenominator('MinScaleDenominator'),
    maxScaleDenominator: readDenominator('MaxScaleDenominator'),
    symbolizers: childElements(element).flatMap((each) => readSymbolizer(reading, each) ?? []),
    vendorOptions: readVendorOptions(reading, element),
  };
}
