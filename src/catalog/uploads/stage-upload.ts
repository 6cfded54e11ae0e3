/** Brings uploaded data to where it can be looked at: a private folder, or the place on the server that a client names. */
import { createWriteStream } from 'node:fs';
import { mkdir, open, realpath, rename } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { type ArchiveLimits, unpackArchive } from '../../gates/archive-gate.ts';
import type { PathGate } from '../../gates/path-gate.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import type { Files } from '../../storage/files.ts';
import { findData } from './find-data.ts';
import type { UploadFormat, UploadRequest } from './upload-request.ts';

export interface StagingServices {
  readonly files: Files;
  readonly urlGate: UrlGate;
  readonly pathGate: PathGate;
  readonly dataDir: string;
  readonly archiveLimits: ArchiveLimits;
  /** As much as a body may have. */
  readonly maxUploadBytes: number;
}

/** Data that can be opened, and is nobody's yet. */
export interface StagedData {
  /** Where it is now: a folder of shapefiles, or one file. */
  readonly path: string;
  /** What has to be moved into the place of the store; undefined for data that stays where it is. */
  readonly folder: string | undefined;
  /** How the store will name it, once the folder is at its place (relative to the data directory). */
  location(place: string): string;
}

const archiveTypes: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-zip-compressed',
  'multipart/x-zip',
]);

/** A ZIP archive begins with an entry, or with its end if it is empty. */
const archiveStarts: ReadonlySet<string> = new Set(['PK\x03\x04', 'PK\x05\x06']);

export async function stageUpload(
  services: StagingServices,
  staging: string,
  principal: Principal,
  request: UploadRequest,
): Promise<StagedData> {
  const { method, body, format } = request;
  const spooled = join(staging, 'body');
  switch (method) {
    case 'file': {
      const bytes = await body.saveTo(spooled);
      if (bytes === 0) {
        throw problem('upload-empty', { expected: `a ZIP archive or a .${format} file` });
      }
      return unfold(services, staging, spooled, request, archiveTypes.has(body.mediaType ?? ''));
    }
    case 'url': {
      const opened = await services.urlGate.open(await named(body, 'a URL'), { maxBytes: services.maxUploadBytes });
      await pipeline(opened.body, createWriteStream(spooled, { flags: 'wx', mode: 0o600 }));
      const mediaType = opened.contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
      return unfold(services, staging, spooled, request, archiveTypes.has(mediaType));
    }
    case 'external': {
      const wanted = format === 'shp' ? 'either' : 'file';
      const { path, kind } = await services.pathGate.resolve(await named(body, 'a path'), principal, wanted);
      // An archive cannot be read in place; what is unpacked is a copy, and the archive stays as it is.
      if (kind === 'file' && (await beginsLikeArchive(path))) {
        return unfold(services, staging, path, request, true);
      }
      if (kind === 'file' && !path.toLowerCase().endsWith(`.${format}`)) {
        throw problem('upload-without-data', { format, reason: `the file does not end with .${format}` });
      }
      const location = await externalLocation(services.dataDir, path, kind === 'folder' ? '/' : '');
      return { path, folder: undefined, location: () => location };
    }
  }
}

async function named(body: UploadRequest['body'], expected: string): Promise<string> {
  const text = await body.text();
  if (text === '') {
    throw problem('upload-empty', { expected });
  }
  return text;
}

/** From a file to a folder that holds nothing but the data. */
async function unfold(
  { archiveLimits }: StagingServices,
  staging: string,
  file: string,
  { format, fileName }: UploadRequest,
  isDeclaredArchive: boolean,
): Promise<StagedData> {
  const folder = join(staging, 'content');
  if (isDeclaredArchive || (await beginsLikeArchive(file))) {
    const unpacked = await unpackArchive(file, folder, { limits: archiveLimits });
    const inside = findData(
      unpacked.map(({ name }) => name),
      format,
    );
    return stagedIn(folder, inside, format);
  }
  await mkdir(folder, { mode: 0o700 });
  await rename(file, join(folder, fileName));
  return stagedIn(folder, format === 'shp' ? '' : fileName, format);
}

function stagedIn(folder: string, inside: string, format: UploadFormat): StagedData {
  const parts = inside.split('/').filter((part) => part !== '');
  return {
    path: join(folder, ...parts),
    folder,
    location: (place) => `${fileUrl([...place.split('/'), ...parts])}${format === 'shp' ? '/' : ''}`,
  };
}

/** What lies in the data directory is named relative to it, so that it may be moved as a whole. */
async function externalLocation(dataDir: string, path: string, ending: string): Promise<string> {
  const inside = relative(await realpath(dataDir), path);
  const isInside = inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`);
  return `${isInside ? fileUrl(inside.split(sep)) : pathToFileURL(path).href}${ending}`;
}

/** A place in the data directory as stores name it. */
export function fileUrl(parts: readonly string[]): string {
  return `file:${parts.map(encodeURIComponent).join('/')}`;
}

async function beginsLikeArchive(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return archiveStarts.has(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}
