/**
 * Adds the API token of a request to the links of a document: clients that cannot send headers follow them. The token
 * is added while the document is sent, so that no cache of the server contains it.
 */

export interface KeyLinkOptions {
  /** The beginning of all links to this server: `https://maps.example.org/geoserver`. */
  readonly root: string;
  readonly key: string;
  /** XML escapes ampersands. */
  readonly isXml: boolean;
}

export function hasLinks(contentType: string): boolean {
  return /\b(?:xml|json)\b/.test(contentType);
}

/** Links to services only: namespaces can begin with the address of the server as well, and must not change. */
function createLinkPattern(root: string): RegExp {
  const start = root.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const stop = '\\s"\'<>\\\\';
  return new RegExp(
    `${start}(?:/(?!rest/)[^/?#${stop}]+){0,2}/(?:ows|wms|wfs|wcs|gwc|ogc)(?:[/?][^${stop}]*)?(?=[${stop}]|$)`,
    'g',
  );
}

export function addKeyToLinks(text: string, options: KeyLinkOptions): string {
  return replaceLinks(text, createLinkPattern(options.root), options);
}

function replaceLinks(text: string, pattern: RegExp, { key, isXml }: KeyLinkOptions): string {
  const and = isXml ? '&amp;' : '&';
  return text.replaceAll(pattern, (link) => {
    if (!link.includes('?')) return `${link}?authkey=${key}`;
    // Clients append their parameters to such a link.
    return /[?&]$|&amp;$/.test(link) ? `${link}authkey=${key}${and}` : `${link}${and}authkey=${key}`;
  });
}

/** Longer links are not completed across chunks. */
const MAX_HELD_CHARACTERS = 65_536;

/** Replaces links in chunks. A link can be split between chunks, so the text after the last delimiter waits. */
export async function* addKeyToChunks(
  chunks: AsyncIterable<string | Uint8Array>,
  options: KeyLinkOptions,
): AsyncGenerator<string> {
  const pattern = createLinkPattern(options.root);
  const decoder = new TextDecoder();
  let held = '';
  for await (const chunk of chunks) {
    held += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const end = Math.max(...['"', "'", '<', '>', ' ', '\n'].map((delimiter) => held.lastIndexOf(delimiter)));
    if (end > 0 || held.length > MAX_HELD_CHARACTERS) {
      const cut = end > 0 ? end : held.length;
      yield replaceLinks(held.slice(0, cut), pattern, options);
      held = held.slice(cut);
    }
  }
  yield replaceLinks(held + decoder.decode(), pattern, options);
}
