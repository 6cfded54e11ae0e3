/** Reads the vendor options of an element, in their order. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { VendorOption } from '../../model/vendor-option.ts';
import { attribute, childElements, listOrNone } from './elements.ts';
import { readParameter } from './parameter.ts';
import type { Reading } from './reading.ts';
import { anyText } from './values.ts';

export function readVendorOptions(reading: Reading, element: XmlElement): readonly VendorOption[] | undefined {
  return readNamedValues(reading, element, 'VendorOption');
}

/** What is in elements of these names, by their attribute `name`. */
export function readNamedValues(
  reading: Reading,
  element: XmlElement,
  ...locals: readonly string[]
): readonly VendorOption[] | undefined {
  const options: VendorOption[] = [];
  for (const each of childElements(element)) {
    if (!locals.includes(each.local)) continue;
    const value = readParameter(reading, each, anyText);
    if (value !== undefined) options.push({ name: attribute(each, 'name') ?? '', value });
  }
  return listOrNone(options);
}
