/** Paths of data as stores of the source name them. */
import { normalize } from 'node:path/posix';

export interface PathReplacement {
  readonly from: string;
  readonly to: string;
}

export type SourcePath =
  /** Inside the source. */
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'absolute'; readonly path: string }
  | { readonly kind: 'fault'; readonly code: 'path-foreign' | 'path-outside-source'; readonly message: string };

/** Parses a path or `file:` URL. Replacements match a leading directory as it is written, with either slash. */
export function parseSourcePath(text: string, replacements: readonly PathReplacement[]): SourcePath {
  const written = removeScheme(text.trim());
  const path = replaceDirectory(written, replacements) ?? decodePath(text, written);
  if (/^[a-z]:/i.test(path) || path.includes('\\')) {
    return { kind: 'fault', code: 'path-foreign', message: `The path '${text}' is a path of Windows.` };
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) {
    return { kind: 'fault', code: 'path-foreign', message: `'${text}' is a URL, but not a file: URL.` };
  }
  if (path.startsWith('/')) return { kind: 'absolute', path: normalize(path) };
  const inside = normalize(path).replace(/\/$/, '');
  return inside === '..' || inside.startsWith('../')
    ? { kind: 'fault', code: 'path-outside-source', message: `The path '${text}' leads out of the data directory.` }
    : { kind: 'inside', path: inside };
}

/** `file:data/x`, `file:///x`, `file:////x` and `file://F:\x` without the scheme and superfluous slashes. */
function removeScheme(text: string): string {
  const path = text.replace(/^file:/i, '');
  return path.replace(/^\/+(?=[a-z]:)/i, '').replace(/^\/\/+/, '/');
}

/** A `file:` URL can contain escapes. */
function decodePath(text: string, path: string): string {
  if (!/^file:/i.test(text.trim())) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The longest match wins. */
function replaceDirectory(path: string, replacements: readonly PathReplacement[]): string | undefined {
  const plain = toSlashes(path);
  const matches = replacements.flatMap(({ from, to }) => {
    const start = toSlashes(removeScheme(from)).replace(/\/+$/, '');
    const isMatch = plain === start || plain.startsWith(`${start}/`);
    return isMatch ? [{ length: start.length, path: `${to.replace(/\/+$/, '')}${plain.slice(start.length)}` }] : [];
  });
  return matches.toSorted((one, other) => other.length - one.length)[0]?.path;
}

function toSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}
