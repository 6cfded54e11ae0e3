/** Where a graphic of a style lies: beside the style, on another host, or where nobody may read. */
import { findFileNameFault } from '../../lib/text/file-name.ts';

export type GraphicReference =
  /** Below the folder of the style. */
  | {
      readonly href: string;
      readonly kind: 'local' /** Relative, with slashes, free of `..`. */;
      readonly path: string;
    }
  /** A URL, of whatever scheme: the URL gate has to say whether it is opened. */
  | { readonly href: string; readonly kind: 'remote' }
  /** Holds `${…}`, and is known only with a feature. Classify what comes out once more before reading it. */
  | { readonly href: string; readonly kind: 'dynamic' }
  /** Absolute, or leading out of the folder: never read. */
  | { readonly href: string; readonly kind: 'outside' /** The end of a sentence. */; readonly reason: string };

/** What stands for a value that is not known yet; it has no separator, and no scheme can come of it. */
const anyValue = 'x';

/** Undefined for a font (`ttf://…`), which is installed and no file of a style. */
export function classifyHref(written: string): GraphicReference | undefined {
  const href = written.trim();
  if (/^ttf:/i.test(href)) return undefined;
  const isDynamic = href.includes('${');
  const found = classifyPlain(isDynamic ? href.replaceAll(/\$\{[^}]*\}?/g, anyValue) : href);
  if (found.kind === 'outside') return { href: written, ...found };
  return isDynamic ? { href: written, kind: 'dynamic' } : { href: written, ...found };
}

type HrefClass =
  | { readonly kind: 'local'; readonly path: string }
  | { readonly kind: 'remote' }
  | { readonly kind: 'outside'; readonly reason: string };

function classifyPlain(href: string): HrefClass {
  const [scheme] = /^[a-z][a-z0-9+.-]*:/i.exec(href) ?? [];
  if (scheme?.length === 2) return createOutside('it begins with a drive letter');
  if (scheme?.toLowerCase() === 'file:') return createOutside('it is a file: URL');
  if (scheme !== undefined) return { kind: 'remote' };

  // `icon.svg?fill=red` is how values are handed to a drawing.
  const [file = ''] = href.split(/[?#]/, 1);
  const decoded = decodeOnce(file);
  if (decoded === undefined) return createOutside('it contains an encoded separator or dot');
  if (decoded.includes('\\')) return createOutside('it contains a backslash');
  if (decoded.startsWith('/'))
    return createOutside(decoded.startsWith('//') ? 'it refers to another host' : 'its path is absolute');
  return classifyPath(decoded);
}

function classifyPath(path: string): HrefClass {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return createOutside('its path leaves the folder of the style');
  }
  if (parts.length === 0 || path.endsWith('/')) return createOutside('it does not name a file');
  for (const part of parts) {
    const objection = findFileNameFault(part);
    if (objection !== undefined) return createOutside(`a part of its path is not a valid file name: ${objection}`);
  }
  return { kind: 'local', path: parts.join('/') };
}

/** A name with a percent sign that is no escape is taken as it is. Undefined if separators or dots were hidden. */
function decodeOnce(text: string): string | undefined {
  const hidden = /%(?:25)*(?:2e|2f|5c|00)/i;
  if (hidden.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function createOutside(reason: string): HrefClass {
  return { kind: 'outside', reason };
}
