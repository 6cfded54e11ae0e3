/** The layout of cached copies of remote schemas. */
import { posix } from 'node:path';

/** The cache folder, next to the main mapping or in the data directory. */
export const CACHE_FOLDER = 'app-schema-cache';

/**
 * Returns the path of a copy in the cache, in the layout of app-schema caches: the reversed parts of the host, then
 * the path. Returns undefined for a URL that is not http or https.
 */
export function findCachePath(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '') return undefined;
  const host = url.hostname.split('.').reverse().join('/');
  return posix.normalize(`${CACHE_FOLDER}/${host}/${url.pathname}`);
}
