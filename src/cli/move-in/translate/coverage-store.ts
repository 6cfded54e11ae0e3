/** Translates the type and the URL of a coverage store. */
import { findText } from '../read/values.ts';
import { translateDataPath } from './data-paths.ts';
import type { Move } from './move.ts';
import { disableForPlaceholder, type StoreDocument, type StoreFields } from './store-document.ts';
import { adviseCoverageStore, isSupportedCoverageType } from './store-types.ts';

/** Returns whether the store is supported; the report has the reason otherwise. */
export function translateCoverageStore(move: Move, { root, subject }: StoreDocument, fields: StoreFields): boolean {
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
  fields.set('type', type).set('url', type === 'ImageMosaic' ? findMosaicFolder(path.url) : path.url);
  return true;
}

/** Some stores name the index of a mosaic instead of its directory. */
function findMosaicFolder(url: string): string {
  return /\.(?:shp|properties|xml|sqlite)$/i.test(url) ? url.slice(0, url.lastIndexOf('/')) : url;
}
