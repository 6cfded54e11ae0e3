/** Checks the attributes of an element against the grammar. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Complaints } from '../document/complaints.ts';
import type { Attributes } from './content.ts';
import { quoteText } from './expected.ts';
import { isComputing } from './lenient-names.ts';

/** Reports unknown and missing attributes of an element. */
export function checkAttributes(element: XmlElement, allowed: Attributes, complaints: Complaints): void {
  for (const { uri, name } of element.attributes) {
    if (uri === '' && !Object.hasOwn(allowed, name)) complainOfAttribute(element, name, allowed, complaints);
  }
  for (const name in allowed) {
    if (allowed[name] === 'required' && !element.attributes.some((each) => each.uri === '' && each.name === name))
      complaints.add(element, `the attribute '${name}' is missing on ${element.local}`);
  }
}

/**
 * Unknown attributes have no effect. Misspelt ones, and those of conditions, are errors, because an effect was
 * intended.
 */
function complainOfAttribute(element: XmlElement, name: string, allowed: Attributes, complaints: Complaints): void {
  const problem = `${element.local} has no attribute ${quoteText(name)}`;
  const isMisspelt = Object.keys(allowed).some((known) => known.toLowerCase() === name.toLowerCase());
  if (isMisspelt || isComputing(element.local)) {
    complaints.add(element, problem + formatExpectedAttributes(allowed));
  } else {
    complaints.warnUnlessStrict(element, `${problem}: it has no effect`, problem + formatExpectedAttributes(allowed));
  }
}

function formatExpectedAttributes(allowed: Attributes): string {
  const names = Object.keys(allowed);
  return names.length === 0 ? '' : `. Expected: ${names.join(', ')}`;
}
