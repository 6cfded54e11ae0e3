/** Translates the type and the URL of a coverage store. */

import { findText } from '../read/values.ts';
import { copyData } from './copy-data.ts';
import { type DataPath, translateDataPath } from './data-paths.ts';
import type { Move } from './move.ts';
import { disableForPlaceholder, type StoreDocument, type StoreFields } from './store-document.ts';
import { adviseCoverageStore, isSupportedCoverageType } from './store-types.ts';

/** Returns whether the store is supported; the report has the reason otherwise. */
export async function translateCoverageStore(
  move: Move,
  { root, path: store, subject }: StoreDocument,
  fields: StoreFields,
): Promise<boolean> {
  const type = findText(root, 'type') ?? '';
  const url = findText(root, 'url');
  if (!isSupportedCoverageType(type)) {
    const message = `Store type '${type}' is not supported.`;
    move.report.add('store-type-unsupported', subject, message, adviseCoverageStore(type));
    return false;
  }
  const isPlaceholder = url?.includes('${') === true;
  const expanded = url === undefined ? '' : isPlaceholder ? move.secrets.expandText(url) : url;
  if (expanded === undefined) {
    disableForPlaceholder(move, fields, subject, url ?? '');
    fields.set('type', type).set('url', url ?? '');
    return true;
  }
  const path = translateDataPath(move, expanded, subject);
  if (path === undefined) return false;
  const isMosaic = type === 'ImageMosaic';
  const data = isMosaic ? findMosaicFolder(path) : path;
  const copied = await copyData(move, { path: store, subject }, isMosaic ? 'mosaic' : 'raster', data);
  if (copied !== undefined) fields.set('files', copied.files);
  fields.set('type', type).set('url', copied?.url ?? data.url);
  return true;
}

/** Some stores name the index of a mosaic instead of its directory. */
function findMosaicFolder(path: DataPath): DataPath {
  if (!/\.(?:shp|properties|xml|sqlite)$/i.test(path.url)) return path;
  const removeName = (text: string | undefined) => text?.slice(0, Math.max(text.lastIndexOf('/'), 0));
  return { url: removeName(path.url) ?? '', inside: removeName(path.inside), outside: removeName(path.outside) };
}
