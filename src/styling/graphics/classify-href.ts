/** Classifies the location of a graphic: in the folder of the style, remote, or forbidden. */
import { findFileNameFault } from '../../lib/text/file-name.ts';
import { isChartAddress } from './chart-address.ts';

export type GraphicReference =
  /** In the folder of the style. */
  | {
      readonly href: string;
      readonly kind: 'local' /** Relative, with slashes, without `..`. */;
      readonly path: string;
    }
  /** A URL of any scheme. The URL gate decides whether it is opened. */
  | { readonly href: string; readonly kind: 'remote' }
  /** Contains `${…}` and is known only with a feature. Classify the result again before reading it. */
  | { readonly href: string; readonly kind: 'dynamic' }
  /** Absolute, or outside of the folder: never read. */
  | { readonly href: string; readonly kind: 'outside' /** The end of a sentence. */; readonly reason: string };

/** A placeholder for an unknown value. It contains no separator, and cannot form a scheme. */
const anyValue = 'x';

/** Returns undefined for a font (`ttf://…`) and for a chart, which are not files of the style. */
export function classifyHref(written: string): GraphicReference | undefined {
  const href = written.trim();
  if (/^ttf:/i.test(href) || isChartAddress(href)) return undefined;
  const isDynamic = href.includes('${');
  const found = classifyPlain(isDynamic ? href.replaceAll(/\$\{[^}]*\}?/g, anyValue) : href);
  if (found.kind === 'outside') return { href: written, ...found };
  return isDynamic ? { href: written, kind: 'dynamic' } : { href: written, ...found };
}

/** A placeholder that no real path contains. */
const MARKED_VALUE = '\u{F0000}';

/**
 * Returns the path of an address with `${…}` in the folder of the style, with `*` between its fixed beginning and end;
 * undefined for a URL.
 */
export function formatAddressPattern(href: string): string | undefined {
  const found = classifyPlain(href.trim().replaceAll(/\$\{[^}]*\}?/g, MARKED_VALUE));
  if (found.kind !== 'local') return undefined;
  const first = found.path.indexOf(MARKED_VALUE);
  if (first < 0) return found.path;
  const end = found.path.lastIndexOf(MARKED_VALUE) + MARKED_VALUE.length;
  return `${found.path.slice(0, first)}*${found.path.slice(end)}`;
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

  // `icon.svg?fill=red` passes parameters to an SVG picture.
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

/** Keeps a percent sign that is not an escape. Returns undefined if separators or dots are encoded. */
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
