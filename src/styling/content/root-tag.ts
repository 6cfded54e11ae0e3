/** Finds the start tag of the root of an XML text without reading the rest, for a first look; no entity is read. */

export type RootTag =
  | {
      readonly kind: 'element';
      readonly local: string;
      /** By name with prefix, as written. */
      readonly attributes: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'html' }
  /** A DOCTYPE, or what is not well-formed: the XML reader knows what to say about it. */
  | { readonly kind: 'unreadable' };

/** Tags of real roots declare a dozen namespaces; for one that is longer than this, the XML reader is asked. */
const maxTagLength = 16_384;

const startTag = /^<(?:[\w.-]+:)?([\w.-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/;

export function readRootTag(text: string): RootTag {
  const offset = findPrologEnd(text);
  const start = text.slice(offset, offset + maxTagLength);
  if (/^<!doctype\s+html\b/i.test(start)) return { kind: 'html' };
  const [, local, written = ''] = startTag.exec(start) ?? [];
  if (local === undefined) {
    return /^<html[\s>]/i.test(start) ? { kind: 'html' } : { kind: 'unreadable' };
  }
  if (local.toLowerCase() === 'html') return { kind: 'html' };
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single = ''] of written.matchAll(/([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    attributes.set(name, double ?? single);
  }
  return { kind: 'element', local, attributes };
}

/** Where something else than comments, instructions and space begins. */
export function findPrologEnd(text: string): number {
  let offset = 0;
  for (;;) {
    while (/[\s\uFEFF]/.test(text.charAt(offset))) offset += 1;
    const isComment = text.startsWith('<!--', offset);
    if (!isComment && !text.startsWith('<?', offset)) return offset;
    const terminator = isComment ? '-->' : '?>';
    const end = text.indexOf(terminator, offset + (isComment ? 4 : 2));
    if (end < 0) return text.length;
    offset = end + terminator.length;
  }
}
