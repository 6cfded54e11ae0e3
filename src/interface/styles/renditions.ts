/** The formats in which a style is returned and accepted, besides its entry. */

import { drawStyle, type SampleSize } from '../../catalog/styles/draw-style.ts';
import {
  getContentFile,
  readStyleAs,
  readStyleAsPackage,
  readStyleAsSld,
  type WrittenStyle,
} from '../../catalog/styles/read-style.ts';
import { isArchive } from '../../catalog/styles/sent-content.ts';
import type { StyleServices } from '../../catalog/styles/style-services.ts';
import type { StyleView } from '../../catalog/styles/style-view.ts';
import type { FileReply } from '../../http/routes/outcome.ts';
import type { FileBody, Rendition } from '../../http/routes/route.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { decodeStyle } from '../../styling/content/decode-style.ts';
import {
  css,
  findStyleFormat,
  getStyleMediaType,
  mbStyle,
  sld10,
  sld11,
  ysld,
} from '../../styling/content/style-format.ts';
import type { StyleSource } from './page.ts';

export const styleRenditions = [
  // The extension returns SLD in its own version; Accept selects a version.
  { name: 'sld', extension: 'sld', mediaTypes: [] },
  { name: 'sld10', mediaTypes: [getStyleMediaType(sld10)], version: sld10.version },
  { name: 'sld11', mediaTypes: [getStyleMediaType(sld11), getStyleMediaType(sld10)], version: sld11.version },
  {
    name: 'css',
    extension: 'css',
    mediaTypes: [getStyleMediaType(css)],
    isNamedBy: (mediaType: string) => findStyleFormat(mediaType)?.language === 'css',
  },
  {
    name: 'mbstyle',
    extension: 'mbstyle',
    mediaTypes: [getStyleMediaType(mbStyle), 'application/vnd.mapbox.style+json'],
    isNamedBy: (mediaType: string) => findStyleFormat(mediaType)?.language === 'mbstyle',
  },
  {
    name: 'ysld',
    extension: 'ysld',
    mediaTypes: [getStyleMediaType(ysld)],
    isNamedBy: (mediaType: string) => findStyleFormat(mediaType)?.language === 'ysld',
  },
  { name: 'zip', extension: 'zip', mediaTypes: ['application/zip'] },
  { name: 'png', extension: 'png', mediaTypes: ['image/png'] },
] as const satisfies readonly Rendition[];

type RenditionName = (typeof styleRenditions)[number]['name'];

/** Media types accepted as the content of a style. */
export const styleContent: FileBody = {
  what: 'An SLD, CSS, YSLD or MapLibre style document, or a ZIP package of an SLD and its images.',
  mediaTypes: [
    getStyleMediaType(sld10),
    getStyleMediaType(sld11),
    getStyleMediaType(css),
    getStyleMediaType(mbStyle),
    getStyleMediaType(ysld),
    'application/zip',
  ],
  // A Content-Type without its parameters, which are checked with the body.
  isFile: (mediaType) => isArchive(mediaType) || findStyleFormat(mediaType) !== undefined,
  extensions: ['sld', 'css', 'mbstyle', 'ysld', 'zip'],
};

export async function renderStyle(
  { catalog, styles }: { readonly catalog: CatalogReader; readonly styles: StyleServices },
  view: StyleView,
  rendition: string,
  size: SampleSize,
): Promise<FileReply> {
  // Only names from the table above are passed.
  switch (rendition as RenditionName) {
    case 'sld':
      return toFileReply(await readStyleAsSld(styles, view));
    case 'sld10':
      return toFileReply(await readStyleAs(styles, view, sld10));
    case 'sld11':
      return toFileReply(await readStyleAs(styles, view, sld11));
    case 'css':
      return toFileReply(await readStyleAs(styles, view, css));
    case 'mbstyle':
      return toFileReply(await readStyleAs(styles, view, mbStyle));
    case 'ysld':
      return toFileReply(await readStyleAs(styles, view, ysld));
    case 'zip':
      return {
        mediaType: 'application/zip',
        bytes: await styles.render(() => readStyleAsPackage(styles, view)),
        saveAs: `${view.style.name}.zip`,
      };
    case 'png':
      return {
        mediaType: 'image/png',
        bytes: await styles.render(() => drawStyle(catalog, styles, view, size)),
      };
  }
}

function toFileReply({ format, bytes, filename }: WrittenStyle): FileReply {
  return { mediaType: getStyleMediaType(format), bytes, saveAs: filename };
}

/** Maximum length of the source on a page. */
const SHOWN_CHARACTERS = 200_000;

export async function readStyleSource({ contents }: StyleServices, view: StyleView): Promise<StyleSource> {
  if (view.file === null || view.file.written === null) {
    return { kind: 'none' };
  }
  const { content, written } = getContentFile(view);
  const { format, charset } = written;
  const { text } = decodeStyle(await contents.read(content), {
    charset: charset ?? undefined,
    isXml: format.language === 'sld',
    strict: false,
  });
  const isCut = text.length > SHOWN_CHARACTERS;
  return { kind: 'text', language: format.language, text: text.slice(0, SHOWN_CHARACTERS).toWellFormed(), isCut };
}
