/** Writes the capabilities of the two WMS versions in pieces, because there may be a hundred thousand layers. */

import type { WmsVersion } from '../request/request.ts';
import type { CapabilitiesContent } from './content.ts';
import { writeCapabilities11 } from './version-1-1.ts';
import { writeCapabilities13 } from './version-1-3.ts';

export type { CapabilitiesContent, ListedBox, ListedMap, ListedStyle } from './content.ts';

const writers: Readonly<Record<WmsVersion, (content: CapabilitiesContent) => Iterable<string>>> = {
  '1.1.1': writeCapabilities11,
  '1.3.0': writeCapabilities13,
};

export function writeCapabilities(version: WmsVersion, content: CapabilitiesContent): Iterable<string> {
  return writers[version](content);
}
