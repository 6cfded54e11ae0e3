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
import { denominator } from './values.ts';

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
    rules: listChildren(element, 'Rule').flatMap((each) => reading.rules?.get(each) ?? readRule(reading, each) ?? []),
    remoteRules: readHrefs(reading, element),
    vendorOptions: readVendorOptions(reading, element),
  };
}

function readHrefs(reading: SldReadContext, element: XmlElement): readonly string[] | undefined {
  return toOptionalList(listChildren(element, 'OnlineResource').flatMap((each) => readHref(reading, each) ?? []));
}

/**
 * Returns undefined if the filter has a condition that cannot be read: without it, the rule would apply to features
 * that it was not meant for.
 */
export function readRule(reading: SldReadContext, element: XmlElement): Rule | undefined {
  const filterElement = child(element, 'Filter');
  const filter =
    filterElement === undefined ? undefined : readFilterElement(createFilterReading(reading), filterElement);
  const isUnreadable =
    filterElement !== undefined && filter === undefined && listChildElements(filterElement).length > 0;
  if (isUnreadable && !reading.complaints.isStrict) {
    reading.complaints.warnUnlessStrict(filterElement, 'the filter cannot be read, so its rule is not drawn');
    return undefined;
  }
  const readDenominator = (name: string) => readChild(element, name, (each) => readNumber(reading, each, denominator));
  return {
    kind: 'rule',
    name: readName(element),
    ...readDescription(element),
    legendGraphic: readChild(element, 'LegendGraphic', (holder) =>
      readChild(holder, 'Graphic', (graphic) => readGraphic(reading, graphic)),
    ),
    filter: filter ?? (filterElement === undefined ? readElse(element) : undefined),
    minScaleDenominator: readDenominator('MinScaleDenominator'),
    maxScaleDenominator: readDenominator('MaxScaleDenominator'),
    symbolizers: listChildElements(element).flatMap((each) => readSymbolizer(reading, each) ?? []),
    vendorOptions: readVendorOptions(reading, element),
  };
}

function readElse(element: XmlElement): Rule['filter'] {
  return readChild(element, 'ElseFilter', () => ({ kind: 'else' as const }));
}
