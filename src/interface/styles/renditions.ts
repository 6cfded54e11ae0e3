/** The forms a style can be had in beside its entry, and those it can be sent in. */

import { drawStyle, type SampleSize } from '../../catalog/styles/draw-style.ts';
import {
  getContentFile,
  readStyleAs,
  readStyleAsCss,
  readStyleAsPackage,
  readStyleAsSld,
  type WrittenStyle,
} from '../../catalog/styles/read-style.ts';
import { isArchive } from '../../catalog/styles/sent-content.ts';
import type { StyleServices } from '../../catalog/styles/style-services.ts';
import type { StyleView } from '../../catalog/styles/style-view.ts';
import type { Rendition } from '../../http/negotiate/rendition.ts';
import type { FileBody, FileReply } from '../../http/routes/route.ts';
import { decodeText } from '../../lib/files/decode-text.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { css, findStyleFormat, getStyleMediaType, sld10, sld11 } from '../../styling/content/style-format.ts';
import type { StyleSource } from './page.ts';

export const styleRenditions = [
  // By its extension SLD comes in whatever version it is written; Accept names the version.
  { name: 'sld', extension: 'sld', mediaTypes: [] },
  { name: 'sld10', mediaTypes: [getStyleMediaType(sld10)], version: sld10.version },
  { name: 'sld11', mediaTypes: [getStyleMediaType(sld11), getStyleMediaType(sld10)], version: sld11.version },
  {
    name: 'css',
    extension: 'css',
    mediaTypes: [getStyleMediaType(css)],
    isNamedBy: (mediaType: string) => findStyleFormat(mediaType)?.language === 'css',
  },
  { name: 'zip', extension: 'zip', mediaTypes: ['application/zip'] },
  { name: 'png', extension: 'png', mediaTypes: ['image/png'] },
] as const satisfies readonly Rendition[];

type RenditionName = (typeof styleRenditions)[number]['name'];

/** What can be sent as the content of a style. */
export const styleContent: FileBody = {
  what: 'An SLD or CSS document, or a ZIP package of an SLD and the images it draws.',
  mediaTypes: [getStyleMediaType(sld10), getStyleMediaType(sld11), getStyleMediaType(css), 'application/zip'],
  // A Content-Type without its parameters: what they say is looked at with the body.
  isFile: (mediaType) => isArchive(mediaType) || findStyleFormat(mediaType) !== undefined,
  extensions: ['sld', 'css', 'zip'],
};

export async function renderStyle(
  catalog: CatalogReader,
  services: StyleServices,
  view: StyleView,
  rendition: string,
  size: SampleSize,
): Promise<FileReply> {
  // Only names from the table above come here.
  switch (rendition as RenditionName) {
    case 'sld':
      return toFileReply(await readStyleAsSld(services, view));
    case 'sld10':
      return toFileReply(await readStyleAs(services, view, sld10));
    case 'sld11':
      return toFileReply(await readStyleAs(services, view, sld11));
    case 'css':
      return toFileReply(await readStyleAsCss(services, view));
    case 'zip':
      return {
        mediaType: 'application/zip',
        bytes: await services.render(() => readStyleAsPackage(services, view)),
        saveAs: `${view.style.name}.zip`,
      };
    case 'png':
      return {
        mediaType: 'image/png',
        bytes: await services.render(() => drawStyle(catalog, services, view, size)),
      };
  }
}

function toFileReply({ format, bytes, filename }: WrittenStyle): FileReply {
  return { mediaType: getStyleMediaType(format), bytes, saveAs: filename };
}

/** As much of a style as a page shows. */
const SHOWN_CHARACTERS = 200_000;

export async function readStyleSource({ contents }: StyleServices, view: StyleView): Promise<StyleSource> {
  if (view.file === null || view.file.written === null) {
    return { kind: 'none' };
  }
  const { content, written } = getContentFile(view);
  const { format, charset } = written;
  const text = decodeText(await contents.read(content), charset ?? undefined, format.language === 'sld');
  const isCut = text.length > SHOWN_CHARACTERS;
  return { kind: 'text', language: format.language, text: text.slice(0, SHOWN_CHARACTERS).toWellFormed(), isCut };
}
