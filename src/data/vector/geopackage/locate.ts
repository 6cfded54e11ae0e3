/** Where the file of a GeoPackage store is: asked anew each time, since files come, go and change places. */
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { problem } from '../../../lib/problem.ts';
import type { DriverContext } from '../driver.ts';

export interface Place {
  readonly path: string;
  /** 0 for a file that is not there yet, or that was made and never filled. */
  readonly sizeBytes: number;
  readonly exists: boolean;
}

/** A file that is not there may be made later: if its folder is there, and if its name is that of a GeoPackage. */
export async function locate(named: string, context: DriverContext): Promise<Place> {
  const path = await context.resolvePath(named);
  const file = basename(path);
  const status = await stat(path).catch(() => undefined);
  if (status !== undefined) {
    if (!status.isFile()) throw problem('vector-file-unreadable', { file, reason: 'it is not a file' });
    return { path, sizeBytes: status.size, exists: true };
  }
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (!/\.gpkg$/i.test(file) || !folder?.isDirectory()) throw problem('vector-file-missing', { file });
  return { path, sizeBytes: 0, exists: false };
}
