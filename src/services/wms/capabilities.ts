/** The capabilities of a WMS in its two versions, in pieces: there may be a hundred thousand layers. */
import type { CapabilitiesContent } from './capabilities/content.ts';
import { capabilities11 } from './capabilities/version-1-1.ts';
import { capabilities13 } from './capabilities/version-1-3.ts';
import type { WmsVersion } from './request.ts';

export type { CapabilitiesContent, ListedBox, ListedMap, ListedStyle } from './capabilities/content.ts';

const writers: Readonly<Record<WmsVersion, (content: CapabilitiesContent) => Iterable<string>>> = {
  '1.1.1': capabilities11,
  '1.3.0': capabilities13,
};

export function writeCapabilities(version: WmsVersion, content: CapabilitiesContent): Iterable<string> {
  return writers[version](content);
}
