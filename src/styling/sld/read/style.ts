/** Reads user styles, their feature type styles and rules. */
import { readFilterElement } from '../../../filter/xml/xml.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child, listChildElements, listChildren, readChild, toOptionalList } from '../../../lib/xml/elements.ts';
import { findChildText, readElementText } from '../../../lib/xml/text.ts';
import type { FeatureTypeStyle, Rule, UserStyle } from '../../model/styled-layer-descriptor.ts';
import type { SldReadContext } from '../document/read-context.ts';
import { readFlag, readHref, readNumber, readVendorOptions } from './common-parts.ts';
import { createFilterReading, readOnlyExpression } from './expression.ts';
import { readDescription, readName } from './heading.ts';
import { readFill, readGraphic } from './paint.ts';
import { readSymbolizer } from './symbolizer.ts';
import { nonNegativeNumber } from './values.ts';

export function readUserStyle(reading: SldReadContext, element: XmlElement): UserStyle {
  return {
    kind: 'userStyle',
    name: readName(element),
    ...readDescription(element),
    isDefault: readChild(element, 'IsDefault', (each) => readFlag(reading, each)),
    background: readChild(element, 'Background', (each) => readFill(reading, each)),
    featureTypeStyles: listChildElements(element)
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
    featureTypeName: findChildText(element, ofCoverages ? 'CoverageName' : 'FeatureTypeName'),
    semanticTypeIdentifiers: toOptionalList(listChildren(element, 'SemanticTypeIdentifier').map(readElementText)),
    transformation: readChild(element, 'Transformation', (each) => readOnlyExpression(reading, each)),
    rules: listChildren(element, 'Rule').map((each) => reading.rules?.get(each) ?? readRule(reading, each)),
    remoteRules: readHrefs(reading, element),
    vendorOptions: readVendorOptions(reading, element),
  };
}

function readHrefs(reading: SldReadContext, element: XmlElement): readonly string[] | undefined {
  return toOptionalList(listChildren(element, 'OnlineResource').map((each) => readHref(reading, each)));
}

export function readRule(reading: SldReadContext, element: XmlElement): Rule {
  const filter = child(element, 'Filter');
  const readDenominator = (name: string) =>
    readChild(element, name, (each) => readNumber(reading, each, nonNegativeNumber));
  return {
    kind: 'rule',
    name: readName(element),
    ...readDescription(element),
    legendGraphic: readChild(element, 'LegendGraphic', (holder) =>
      readChild(holder, 'Graphic', (graphic) => readGraphic(reading, graphic)),
    ),
    filter:
      filter === undefined
        ? readChild(element, 'ElseFilter', () => ({ kind: 'else' as const }))
        : readFilterElement(createFilterReading(reading), filter),
    minScaleDenominator: readDenominator('MinScaleDenominator'),
    maxScaleDenominator: readDenominator('MaxScaleDenominator'),
    symbolizers: listChildElements(element).flatMap((each) => readSymbolizer(reading, each) ?? []),
    vendorOptions: readVendorOptions(reading, element),
  };
}
