/** Reads the vendor options of an element, in their order. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { VendorOption } from '../../model/vendor-option.ts';
import { attribute, children, listOrNone } from './elements.ts';
import { readParameter } from './parameter.ts';
import type { Reading } from './reading.ts';
import { anyText } from './values.ts';

export function readVendorOptions(reading: Reading, element: XmlElement): readonly VendorOption[] | undefined {
  const options: VendorOption[] = [];
  for (const each of children(element, 'VendorOption')) {
    const value = readParameter(reading, each, anyText);
    if (value !== undefined) options.push({ name: attribute(each, 'name') ?? '', value });
  }
  return listOrNone(options);
}
