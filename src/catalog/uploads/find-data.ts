/** Finds the data among unpacked files: the folder with the shapefiles, or the one file of a database. */
import { basename, dirname, extname } from 'node:path/posix';
import { problem } from '../../lib/problem.ts';
import type { UploadFormat } from './upload-request.ts';

/** Where the data is inside a folder, with slashes; empty for a shapefile folder that is the folder itself. */
export function findData(names: readonly string[], format: UploadFormat): string {
  const found = names.filter((name) => isData(name, format)).sort(shallowFirst);
  const [first] = found;
  if (first === undefined) {
    throw problem('upload-without-data', { format, reason: `there is no file that ends with .${format}` });
  }
  if (format !== 'shp') {
    return first;
  }
  const folder = folderOf(first);
  const other = found.find((name) => folderOf(name) !== folder);
  if (other !== undefined) {
    const reason = `there are shapefiles in several folders ('${first}' and '${other}'); put them into one`;
    throw problem('upload-without-data', { format, reason });
  }
  return folder;
}

/** Macs pack a shadow of each file into the archive. */
function isData(name: string, format: UploadFormat): boolean {
  return (
    extname(name).toLowerCase() === `.${format}` &&
    !basename(name).startsWith('.') &&
    !name.split('/').includes('__MACOSX')
  );
}

function folderOf(name: string): string {
  const folder = dirname(name);
  return folder === '.' ? '' : folder;
}

function shallowFirst(a: string, b: string): number {
  const depth = a.split('/').length - b.split('/').length;
  return depth === 0 ? (a < b ? -1 : 1) : depth;
}
