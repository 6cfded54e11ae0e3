/** Finds the start tag of the root element of an XML text without parsing the rest or resolving entities. */

export type RootTag =
  | {
      readonly kind: 'element';
      readonly local: string;
      /** By qualified name, as written. */
      readonly attributes: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'html' }
  /** A DOCTYPE or malformed XML: the XML reader reports it. */
  | { readonly kind: 'unreadable' };

/** Real root tags declare about a dozen namespaces; longer ones are left to the XML reader. */
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

/** Returns the offset after comments, processing instructions and white space. */
function findPrologEnd(text: string): number {
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
