/** Where the uploaded files of several nodes are: a mounted directory or an object store. */
import { resolve } from 'node:path';
import {
  isObjectStoreAddress,
  type ObjectStoreLocation,
  parseObjectStoreLocation,
} from '../../storage/objects/location.ts';

export type BlobsLocation =
  | { readonly kind: 'directory'; readonly directory: string }
  | { readonly kind: 'objects'; readonly location: ObjectStoreLocation };

export function parseBlobsLocation(text: string): BlobsLocation | undefined {
  if (isObjectStoreAddress(text)) {
    const location = parseObjectStoreLocation(text);
    return location && { kind: 'objects', location };
  }
  // Another scheme is no directory.
  if (text === '' || text.includes('\0') || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined;
  return { kind: 'directory', directory: resolve(text) };
}
