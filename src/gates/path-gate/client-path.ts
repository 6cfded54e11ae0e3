/** Parses a path or `file:` URL of a client into an absolute path, without accessing the disk. */
import { isAbsolute, resolve } from 'node:path';

/** The limit of Linux. */
const MAX_PATH_BYTES = 4_096;

export type ParsedPath = { readonly path: string } | { readonly objection: string };

/** Relative paths start in `base`. */
export function parseClientPath(text: string, base: string): ParsedPath {
  const objection = findTextFault(text);
  if (objection !== undefined) {
    return { objection };
  }
  const [scheme] = /^[a-z][a-z0-9+.-]*:/i.exec(text) ?? [];
  if (scheme === undefined) {
    return toAbsolutePath(text, base);
  }
  if (scheme.length === 2) {
    return { objection: 'it begins with a drive letter' };
  }
  if (scheme.toLowerCase() !== 'file:') {
    return { objection: 'it is a URL, but not a file: URL' };
  }
  const local = parseLocalPart(text.slice(scheme.length));
  return 'objection' in local ? local : toAbsolutePath(local.path, base);
}

function findTextFault(text: string): string | undefined {
  if (text.trim() === '') {
    return 'it is empty';
  }
  if (!text.isWellFormed() || /[\p{Cc}\u2028\u2029]/u.test(text)) {
    return 'it contains a control character or is not valid Unicode text';
  }
  return Buffer.byteLength(text) > MAX_PATH_BYTES ? `it is longer than ${MAX_PATH_BYTES} bytes` : undefined;
}

/**
 * Parses the path of a `file:` URL and decodes it once. `file:data/roads.shp` is no valid URL, but common; it is
 * relative.
 */
function parseLocalPart(rest: string): ParsedPath {
  if (/[?#]/.test(rest)) {
    return { objection: 'it is a URL with a query or fragment' };
  }
  const [, host = '', path = rest] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? [];
  if (host !== '' && host.toLowerCase() !== 'localhost') {
    return { objection: 'it contains a host name; use file:/path or file:///path' };
  }
  if (/%(?:2f|5c|00)/i.test(path)) {
    return { objection: 'it contains an encoded separator' };
  }
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return { objection: 'it contains an invalid percent escape' };
  }
  const objection = findTextFault(decoded);
  return objection === undefined ? { path: decoded } : { objection };
}

function toAbsolutePath(path: string, base: string): ParsedPath {
  if (path.includes('\\')) {
    return { objection: 'it contains a backslash' };
  }
  if (path.startsWith('//')) {
    return { objection: 'it is a network path' };
  }
  if (path.split('/').includes('..')) {
    return { objection: "it contains '..'" };
  }
  return { path: isAbsolute(path) ? resolve(path) : resolve(base, path) };
}
