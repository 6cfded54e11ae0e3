/** The capabilities of a WFS in its three versions, in pieces: there may be a hundred thousand types. */
import type { CapabilitiesContent } from './capabilities/content.ts';
import { writeCapabilities10 } from './capabilities/version-1-0.ts';
import { writeCapabilities11 } from './capabilities/version-1-1.ts';
import { writeCapabilities20 } from './capabilities/version-2-0.ts';
import type { WfsVersion } from './request.ts';

export type { CapabilitiesContent, ListedType } from './capabilities/content.ts';

const writers: Readonly<Record<WfsVersion, (content: CapabilitiesContent) => Iterable<string>>> = {
  '1.0.0': writeCapabilities10,
  '1.1.0': writeCapabilities11,
  '2.0.0': writeCapabilities20,
};

export function writeCapabilities(version: WfsVersion, content: CapabilitiesContent): Iterable<string> {
  return writers[version](content);
}
