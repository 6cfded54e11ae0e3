/** Translates the path of a store to one that the target can open. */
import { join } from 'node:path/posix';
import { parseSourcePath } from '../read/source-paths.ts';
import type { Subject } from '../report/report.ts';
import type { Move } from './move.ts';

export interface DataPath {
  readonly url: string;
  /** The path inside the source; undefined for data outside of it. */
  readonly inside: string | undefined;
  /** The path on this machine of data outside of the source; undefined if it is a path of another machine. */
  readonly outside: string | undefined;
}

/** Returns undefined if the path is not usable; the report then has the reason. */
export function translateDataPath(move: Move, text: string, subject: Subject): DataPath | undefined {
  const { options, source, report } = move;
  const parsed = parseSourcePath(text, options.paths);
  switch (parsed.kind) {
    case 'fault':
      report.add(parsed.code, subject, parsed.message, "Use --path 'OLD=NEW' with the directory on the target.");
      return undefined;
    case 'absolute': {
      const root = source.directory;
      const inside =
        root !== undefined && parsed.path.startsWith(`${root}/`) ? parsed.path.slice(root.length + 1) : undefined;
      if (inside !== undefined) accountForData(move, inside, subject);
      const isHere = root !== undefined || options.paths.some(({ to }) => isAtOrBelow(parsed.path, to));
      const outside = inside === undefined && isHere ? parsed.path : undefined;
      return { url: formatUrl(parsed.path), inside, outside };
    }
    case 'inside': {
      accountForData(move, parsed.path, subject);
      const { directory } = source;
      const path = directory === undefined ? parsed.path : join(directory, parsed.path);
      const url = directory === undefined ? `file:${encodeURI(path)}` : formatUrl(path);
      return { url, inside: parsed.path, outside: undefined };
    }
  }
}

function isAtOrBelow(path: string, folder: string): boolean {
  const start = folder.replace(/\/+$/, '');
  return path === start || path.startsWith(`${start}/`);
}

/** The data belongs to the store; an entry names data that does not exist. */
function accountForData({ files, report }: Move, path: string, subject: Subject): void {
  if (path.includes('${')) return;
  if (files.has(path)) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const stem = path.slice(folder.length).replace(/\.[^.]*$/, '');
    // The other files of a shapefile, and the world file of a raster.
    for (const name of files.listFiles(folder.slice(0, -1))) {
      if (name.startsWith(`${stem}.`)) files.account(`${folder}${name}`);
    }
    return;
  }
  const below = files.listBelow(path);
  if (below.length === 0) {
    report.add('data-missing', subject, `The source does not contain '${path}'.`, 'Copy the data to this place.');
  } else if (!/^workspaces(?:\/|$)|^\.?$/.test(path)) {
    files.accountBelow(path);
  }
}

/** A `file:` URL, or the plain path if a URL would have escapes. */
function formatUrl(path: string): string {
  return /[%?#\s]|[^\x20-\x7e]/.test(path) ? path : `file://${path}`;
}
