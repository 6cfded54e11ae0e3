/** Where nodes share their tiles: a mounted directory or an object store. */
import { fileURLToPath } from 'node:url';
import {
  isObjectStoreAddress,
  type ObjectStoreLocation,
  parseObjectStoreLocation,
} from '../../storage/objects/location.ts';

export type TilesLocation =
  | { readonly kind: 'directory'; readonly directory: string; readonly shown: string }
  | { readonly kind: 'objects'; readonly location: ObjectStoreLocation; readonly shown: string };

/** Parses `file:/directory` and `s3://bucket/prefix?endpoint=…&region=…`. Returns undefined for an invalid address. */
export function parseTilesLocation(text: string): TilesLocation | undefined {
  if (isObjectStoreAddress(text)) {
    const location = parseObjectStoreLocation(text);
    return location && { kind: 'objects', location, shown: location.shown };
  }
  const directory = parseFileAddress(text);
  return directory === undefined ? undefined : { kind: 'directory', directory, shown: `file:${directory}` };
}

function parseFileAddress(text: string): string | undefined {
  const url = /^file:\//i.test(text) ? URL.parse(text) : null;
  if (url === null || url.host !== '' || url.search !== '' || url.hash !== '' || url.pathname === '/') return undefined;
  try {
    const directory = fileURLToPath(url).replace(/\/+$/, '');
    return directory.includes('\0') ? undefined : directory;
  } catch {
    // The path contains an encoded slash or an invalid escape.
    return undefined;
  }
}
