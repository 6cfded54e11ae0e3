/** Writes the capabilities of the three WFS versions in pieces, because there may be a hundred thousand types. */

import type { WfsVersion } from '../request/request.ts';
import type { CapabilitiesContent } from './content.ts';
import { writeCapabilities10 } from './version-1-0.ts';
import { writeCapabilities11 } from './version-1-1.ts';
import { writeCapabilities20 } from './version-2-0.ts';

export type { CapabilitiesContent, ListedType } from './content.ts';

const writers: Readonly<Record<WfsVersion, (content: CapabilitiesContent) => Iterable<string>>> = {
  '1.0.0': writeCapabilities10,
  '1.1.0': writeCapabilities11,
  '2.0.0': writeCapabilities20,
};

export function writeCapabilities(version: WfsVersion, content: CapabilitiesContent): Iterable<string> {
  return writers[version](content);
}
