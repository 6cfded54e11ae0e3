/** A path or `file:` URL as a client writes it -> an absolute path, not yet looked for on the disk. */
import { isAbsolute, resolve } from 'node:path';

/** What Linux takes. */
const MAX_PATH_BYTES = 4_096;

export type ParsedPath = { readonly path: string } | { readonly objection: string };

/** A relative path begins in `base`. */
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

/** The path of a `file:` URL, decoded once. `file:data/roads.shp`, which is no proper URL, is common and relative. */
function parseLocalPart(rest: string): ParsedPath {
  if (/[?#]/.test(rest)) {
    return { objection: 'it is a URL with a query or fragment' };
  }
  const [, host = '', path = rest] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? [];
  if (host !== '' && host.toLowerCase() !== 'localhost') {
    return { objection: 'it names a host; write file:/path or file:///path' };
  }
  if (/%(?:2f|5c|00)/i.test(path)) {
    return { objection: 'it holds an encoded separator' };
  }
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return { objection: 'it holds a percent sign that starts no valid escape' };
  }
  const objection = findTextFault(decoded);
  return objection === undefined ? { path: decoded } : { objection };
}

function toAbsolutePath(path: string, base: string): ParsedPath {
  if (path.includes('\\')) {
    return { objection: 'it holds a backslash' };
  }
  if (path.startsWith('//')) {
    return { objection: 'it names another machine' };
  }
  if (path.split('/').includes('..')) {
    return { objection: 'it holds ..' };
  }
  return { path: isAbsolute(path) ? resolve(path) : resolve(base, path) };
}
