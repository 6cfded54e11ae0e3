/** How copies of schemas are laid out that are elsewhere. */
import { posix } from 'node:path';

/** The folder of copies, beside the main mapping or in the data directory. */
export const CACHE_FOLDER = 'app-schema-cache';

/**
 * The path of the copy of an address in the folder of copies, as app-schema caches have always been laid out: the parts of
 * the host from the last to the first, then the path. Undefined for what is no address of the web.
 */
export function findCachePath(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '') return undefined;
  const host = url.hostname.split('.').reverse().join('/');
  return posix.normalize(`${CACHE_FOLDER}/${host}/${url.pathname}`);
}
