/**
 * What a client should know of a style that was accepted: what is not as it should be, what was not kept, and which
 * graphics will not be drawn.
 */
import type { UrlGate } from '../../gates/url-gate.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';
import { enumerate } from '../../lib/text/wording.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { listGraphicWarnings } from '../../styling/graphics/check-graphics.ts';
import type { SentContent } from './sent-content.ts';
import { findStyleFile, type StyleView } from './style-view.ts';

export async function collectStyleWarnings(
  catalog: CatalogReader,
  urlGate: UrlGate,
  { style }: { readonly style: Pick<StyleView['style'], 'parent'> },
  {
    references,
    referenceCount,
    warnings,
    ignored,
    images,
  }: Pick<SentContent, 'references' | 'referenceCount' | 'warnings' | 'ignored' | 'images'>,
): Promise<readonly string[]> {
  // What came with it is there, or would be after a dry run.
  const sent = new Set(images?.map(({ path }) => path));
  const graphics = await listGraphicWarnings(
    references,
    async (path) => sent.has(path) || (await findStyleFile(catalog, style.parent, path))?.written === null,
    async (url) => {
      const decision = await urlGate.check(url);
      switch (decision.kind) {
        case 'open':
          return 'allowed';
        case 'unresolved':
          return 'its host has no address';
        case 'refused':
          return decision.reason;
      }
    },
    referenceCount,
  );
  return [...warnings, ...collectIgnoredWarnings(ignored), ...graphics];
}

function collectIgnoredWarnings(ignored: readonly string[]): readonly string[] {
  if (ignored.length === 0) {
    return [];
  }
  const names = ignored.map((name) => `'${toPrintableFileName(name)}'`);
  return [
    `Of the package only the style and images beside or below it are kept, but not ${enumerate(names, ignored.length)}.`,
  ];
}
