/**
 * Collects warnings for an accepted style: irregularities, files that are not stored, and graphics that cannot be
 * drawn.
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
  // Images of the same package exist, or would after a dry run.
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
          return 'its host name cannot be resolved';
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
    `A package may contain a style and images beside or below it. These files are ignored: ${enumerate(names, ignored.length)}.`,
  ];
}
