/** The layout of schemas that an upload refers to but does not contain. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { resolveRelativePath } from '../document-files.ts';
import type { SchemaReferrer } from '../xsd/read-schemas.ts';

/** The cache folder, next to the main mapping or in the data directory. */
export const CACHE_FOLDER = 'app-schema-cache';

/** The copies of such schemas in an upload, so that every node has them. */
export const COPIES_FOLDER = 'app-schema-copies';

/** Contains schemas on the disk of the server: below `root` by their path, below `data` those of the data directory. */
const SERVER_FOLDER = 'app-schema-files';

/**
 * Returns the path of a copy in the cache, in the layout of app-schema caches: the reversed parts of the host, then
 * the path. A port follows the host, and a query is hashed. Returns undefined for a URL that is not http or https.
 */
export function findCachePath(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const host = url.hostname.split('.').reverse().join('/');
  const port = url.port === '' ? '' : `/_${url.port}`;
  const query = url.search === '' ? '' : `@${createHash('sha256').update(url.search).digest('hex').slice(0, 16)}`;
  return posix.normalize(`${CACHE_FOLDER}/${host}${port}/${url.pathname}${query}`);
}

/**
 * Returns the document path of a schema on the disk of the server: a `file:` URL, an absolute path, a path of a
 * mapping in the data directory, or a path relative to another such schema.
 */
export function findServerDocument(location: string, from: SchemaReferrer): string | undefined {
  if (!/^(?:file:|\/)/i.test(location) && !from.isMapping) {
    const beside = resolveRelativePath(from.path, location);
    return beside?.startsWith(`${SERVER_FOLDER}/`) === true ? beside : undefined;
  }
  const path = decodeFileUrl(location);
  if (path === undefined || path === '' || /[\\\0]/.test(path)) return undefined;
  const normal = posix.normalize(path);
  if (normal === '..' || normal.startsWith('../')) return undefined;
  return posix.isAbsolute(normal) ? `${SERVER_FOLDER}/root${normal}` : `${SERVER_FOLDER}/data/${normal}`;
}

/** Returns the path on the server for the path gate; undefined for other documents. */
export function findServerPath(document: string): string | undefined {
  const [, base, path = ''] = /^app-schema-files\/(root|data)\/(.+)$/s.exec(document) ?? [];
  if (base === undefined) return undefined;
  return base === 'root' ? `/${path}` : path;
}

function decodeFileUrl(location: string): string | undefined {
  const [, rest] = /^file:(?:\/\/(?:localhost)?(?=\/))?(.*)$/is.exec(location) ?? [];
  if (rest === undefined) return /^[a-z][a-z0-9+.-]*:/i.test(location) ? undefined : location;
  try {
    return decodeURIComponent(rest);
  } catch {
    return undefined;
  }
}
