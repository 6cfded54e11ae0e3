/** Reads the descriptor and its layers. */
import { readFilterElement } from '../../../filter/xml/xml.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child, listChildElements, listChildren, readChild, toOptionalList } from '../../../lib/xml/elements.ts';
import { findChildText } from '../../../lib/xml/text.ts';
import type {
  FeatureTypeConstraint,
  Layer,
  NamedLayer,
  NamedStyle,
  RemoteService,
  StyledLayerDescriptor,
  UserLayer,
  UserStyle,
} from '../../model/styled-layer-descriptor.ts';
import type { SldReadContext } from '../document/read-context.ts';
import { quoteText } from '../grammar/expected.ts';
import { readChildHref, toForeignElement } from './common-parts.ts';
import { createFilterReading } from './expression.ts';
import { readDescription, readName } from './heading.ts';
import { readUserStyle } from './style.ts';

export function readDescriptor(reading: SldReadContext, root: XmlElement): StyledLayerDescriptor {
  return {
    kind: 'styledLayerDescriptor',
    name: readName(root),
    ...readDescription(root),
    libraries: toOptionalList(
      listChildren(root, 'UseSLDLibrary').flatMap((each) => readChildHref(reading, each) ?? []),
    ),
    layers: listChildElements(root).flatMap((each) => readLayer(reading, each) ?? []),
  };
}

function readLayer(reading: SldReadContext, element: XmlElement): Layer | undefined {
  switch (element.local) {
    case 'NamedLayer':
      return readNamedLayer(reading, element);
    case 'UserLayer':
      return readUserLayer(reading, element);
    default:
      return undefined;
  }
}

function readNamedLayer(reading: SldReadContext, element: XmlElement): NamedLayer {
  return {
    kind: 'namedLayer',
    name: readName(element) ?? '',
    ...readDescription(element),
    featureConstraints: readConstraints(reading, element),
    styles: listChildElements(element).flatMap((each): readonly (NamedStyle | UserStyle)[] => {
      if (each.local === 'UserStyle') return [readUserStyle(reading, each)];
      if (each.local !== 'NamedStyle') return [];
      return [{ kind: 'namedStyle', name: readName(each) ?? '', ...readDescription(each) }];
    }),
  };
}

function readUserLayer(reading: SldReadContext, element: XmlElement): UserLayer {
  const inline = child(element, 'InlineFeature');
  return {
    kind: 'userLayer',
    name: readName(element),
    ...readDescription(element),
    source:
      inline === undefined
        ? readChild(element, 'RemoteOWS', (each) => readRemoteService(reading, each))
        : { kind: 'inlineFeatures', element: toForeignElement(inline) },
    featureConstraints: readConstraints(reading, element),
    coverageConstraints: readChild(element, 'LayerCoverageConstraints', toForeignElement),
    styles: listChildren(element, 'UserStyle').map((each) => readUserStyle(reading, each)),
  };
}

function readRemoteService(reading: SldReadContext, element: XmlElement): RemoteService | undefined {
  const service = findChildText(element, 'Service');
  const href = readChildHref(reading, element);
  if (service === undefined) return undefined;
  if (service === 'WFS' || service === 'WCS')
    return href === undefined ? undefined : { kind: 'remoteService', service, href };
  reading.complaints.add(
    child(element, 'Service') ?? element,
    `the Service is ${quoteText(service)}, but WFS or WCS was expected`,
  );
  return undefined;
}

function readConstraints(reading: SldReadContext, element: XmlElement): readonly FeatureTypeConstraint[] | undefined {
  return readChild(element, 'LayerFeatureConstraints', (holder) =>
    listChildren(holder, 'FeatureTypeConstraint').map((each) => ({
      featureTypeName: findChildText(each, 'FeatureTypeName'),
      filter: readChild(each, 'Filter', (filter) => readFilterElement(createFilterReading(reading), filter)),
      extents: listChildren(each, 'Extent').map((extent) => ({
        name: findChildText(extent, 'Name') ?? '',
        value: findChildText(extent, 'Value') ?? '',
      })),
    })),
  );
}
