/** Finds the elements that are open at the end of an incomplete XML text. */

export interface OpenElement {
  /** Without its prefix. */
  readonly name: string;
  readonly prefix: string;
  /** As written. */
  readonly tag: string;
}

const pieces =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|<(\/?)([\w:.-]+)(?:[^<>"']|"[^"]*"|'[^']*')*?(\/?)>/g;

export function findOpenElements(text: string): readonly OpenElement[] {
  const open: OpenElement[] = [];
  for (const [, slash, tag, selfClosing] of text.matchAll(pieces)) {
    if (tag === undefined) continue;
    if (slash === '/') {
      const at = open.findLastIndex((each) => each.tag === tag);
      if (at >= 0) open.length = at;
    } else if (selfClosing !== '/') {
      const colon = tag.indexOf(':');
      open.push({ tag, name: tag.slice(colon + 1), prefix: colon < 0 ? '' : tag.slice(0, colon) });
    }
  }
  return open;
}
