/** The attribution in data: a text of any origin, often HTML with links, that becomes plain text and one safe link. */

export interface DataAttribution {
  readonly text: string;
  /** The address of the first link to a web page. */
  readonly href?: string;
}

/** Attributions name some dozen sources at most; each map displays them. */
const MAX_TEXT_CHARACTERS = 1_000;

/** The usual limit of addresses in browsers and proxies. */
const MAX_HREF_CHARACTERS = 2_000;

/** The named characters that attributions contain. */
const entities: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®', trade: '™' }),
  ...Object.entries({ ndash: '–', mdash: '—', middot: '·', bull: '•', hellip: '…', laquo: '«', raquo: '»' }),
]);

/** Tags end at the first `>`, also within quotation marks, where attributions have none. */
const tag = /<[^<>]*>/g;

/** Elements whose content is not text. */
const hidden = /<(script|style)\b[^<>]*>[^<]*(?:<(?!\/\1)[^<]*)*(?:<\/\1[^<>]*>|$)/gi;

const link = /<a\b[^<>]*?\shref\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))[^<>]*>/gi;

/** Returns undefined if nothing readable remains. */
export function parseAttribution(html: string): DataAttribution | undefined {
  const shown = html.replaceAll(hidden, ' ');
  const text = toPlainText(shown.replaceAll(tag, ''));
  if (text === '') return undefined;
  for (const [, doubled, single, bare] of shown.matchAll(link)) {
    const href = toWebAddress(decodeEntities(doubled ?? single ?? bare ?? ''));
    if (href !== undefined) return { text, href };
  }
  return { text };
}

function toPlainText(text: string): string {
  const words = decodeEntities(text)
    .toWellFormed()
    // XML allows no other control characters, and no document needs these.
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\uFFFE\uFFFF\s]+/gu, ' ')
    .trim();
  return [...words].slice(0, MAX_TEXT_CHARACTERS).join('');
}

/** Decoded once: what a decoded text contains is text. */
function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entities.get(String(name)) ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hexadecimal), 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

/** Other schemes, such as `javascript:`, are ignored. */
function toWebAddress(text: string): string | undefined {
  const address = URL.parse(text.trim());
  if (address === null || !['http:', 'https:'].includes(address.protocol)) return undefined;
  const isPlain = address.username === '' && address.password === '' && address.href.length <= MAX_HREF_CHARACTERS;
  return isPlain ? address.href : undefined;
}
