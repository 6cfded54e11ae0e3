/** Reads addresses. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { xlinkNamespace } from '../namespaces.ts';
import { child } from './elements.ts';
import type { Reading } from './reading.ts';

/** The address in an `OnlineResource`; without the namespace of XLink too, as the field has it. */
export function readHref(reading: Reading, element: XmlElement): string {
  const link = element.attributes.find(({ local, uri }) => local === 'href' && (uri === xlinkNamespace || uri === ''));
  const href = link?.value.trim() ?? '';
  if (href === '') reading.complaints.add(element, "the attribute 'xlink:href' is missing or empty on OnlineResource");
  return href;
}

/** The address in the `OnlineResource` of an element. */
export function readChildHref(reading: Reading, element: XmlElement): string | undefined {
  const resource = child(element, 'OnlineResource');
  return resource === undefined ? undefined : readHref(reading, resource);
}
