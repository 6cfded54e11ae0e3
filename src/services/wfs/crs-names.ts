/** How the versions of a WFS name coordinate reference systems where a client has no wish. */
import type { WfsVersion } from './request.ts';

/** `EPSG:4326` as the lists of capabilities have it. */
export function spelledFor(version: WfsVersion, code: string): string {
  const [authority = '', number = ''] = code.split(':');
  switch (version) {
    case '1.0.0':
      return code;
    case '1.1.0':
      return `urn:x-ogc:def:crs:${authority}:${number}`;
    case '2.0.0':
      return `urn:ogc:def:crs:${authority}::${number}`;
  }
}
