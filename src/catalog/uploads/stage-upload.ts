/** Brings uploaded data to where it can be looked at: a private folder, or the place on the server that a client names. */
import { createWriteStream } from 'node:fs';
import { mkdir, open, realpath, rename, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { basename, dirname } from 'node:path/posix';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import type { PathGate, Wanted } from '../../gates/path-gate.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import { enumerate } from '../../lib/wording.ts';
import type { Files } from '../../records/files.ts';
import type { StagedFile } from '../../records/staged-files.ts';
import { fileUrl } from '../stores/uploaded-files.ts';
import type { Unpack } from './unpack.ts';
import {
  endingsInWords,
  hasEnding,
  type StagedUpload,
  type UploadBody,
  type UploadedFormat,
  usualEnding,
} from './uploaded-format.ts';

export interface StagingServices {
  readonly files: Files;
  readonly urlGate: UrlGate;
  readonly pathGate: PathGate;
  readonly dataDir: string;
  readonly unpack: Unpack;
  /** As much as a body may have. */
  readonly maxUploadBytes: number;
}

/** Data that can be opened, and is nobody's yet. */
export interface StagedData {
  /** Where it is now: a folder, or one file. */
  readonly path: string;
  /** The folder of all that came with it; undefined for data that stays where it is. */
  readonly root: string | undefined;
  readonly isArchive: boolean;
  /** What the store gets; undefined for data that stays where it is. */
  readonly files: readonly StagedFile[] | undefined;
  /** The folder that the data is in, as a path among these files; empty for the outermost one. */
  readonly folder: string;
  /** Other main files of an archive of which a store takes one. */
  readonly unused: readonly string[];
  /** How the store will name it, if clients see its files at this place (relative to the data directory). */
  location(place: string): string;
}

const archiveTypes: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-zip-compressed',
  'multipart/x-zip',
]);

/** A ZIP archive begins with an entry, or with its end if it is empty. */
const archiveStarts: ReadonlySet<string> = new Set(['PK\x03\x04', 'PK\x05\x06']);

/** What an upload has brought: files of its own, or the name of something on the server. */
export type Received =
  | {
      readonly kind: 'files';
      readonly folder: string;
      readonly files: readonly StagedFile[];
      readonly isArchive: boolean;
    }
  | ({ readonly kind: 'outside'; readonly what: 'file' | 'folder' } & Pick<StagedData, 'path' | 'location'>);

/** How an upload comes, whatever it holds. */
export type ReceivedUpload = Pick<StagedUpload, 'method' | 'fileName' | 'body'> & {
  /** What is expected of the body, for whoever sends an empty one. */
  readonly expected: string;
  readonly wanted: 'file' | 'either';
};

/** Takes what a client sends, fetches what it names by a URL, or finds what it names on the server. Archives are unpacked. */
export async function receiveUpload(
  services: StagingServices,
  staging: string,
  principal: Principal,
  { method, body, fileName, expected, wanted }: ReceivedUpload,
): Promise<Received> {
  const spooled = join(staging, 'body');
  switch (method) {
    case 'file': {
      const bytes = await body.saveTo(spooled);
      if (bytes === 0) {
        throw problem('upload-empty', { expected });
      }
      return unfold(services, staging, spooled, fileName, archiveTypes.has(body.mediaType ?? ''));
    }
    case 'url': {
      const opened = await services.urlGate.open(await named(body, 'a URL'), { maxBytes: services.maxUploadBytes });
      await pipeline(opened.body, createWriteStream(spooled, { flags: 'wx', mode: 0o600 }));
      const mediaType = opened.contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
      return unfold(services, staging, spooled, fileName, archiveTypes.has(mediaType));
    }
    case 'external': {
      const outside = await receiveOutside(services, principal, await named(body, 'a path'), wanted);
      // An archive cannot be read in place; what is unpacked is a copy, and the archive stays as it is.
      return outside.what === 'file' && (await beginsLikeArchive(outside.path))
        ? unfold(services, staging, outside.path, fileName, true)
        : outside;
    }
  }
}

/** What a client names on the server, where it stays. */
export async function receiveOutside(
  { pathGate, dataDir }: Pick<StagingServices, 'pathGate' | 'dataDir'>,
  principal: Principal,
  named: string,
  wanted: Wanted,
): Promise<Extract<Received, { kind: 'outside' }>> {
  const { path, kind } = await pathGate.resolve(named, principal, wanted);
  const location = await externalLocation(dataDir, path, kind === 'folder' ? '/' : '');
  return { kind: 'outside', what: kind, path, location: () => location };
}

export async function stageUpload(
  services: StagingServices,
  staging: string,
  principal: Principal,
  request: StagedUpload,
): Promise<StagedData> {
  const { uploaded } = request;
  const received = await receiveUpload(services, staging, principal, {
    ...request,
    expected: `a ZIP archive or a ${usualEnding(uploaded)} file`,
    wanted: uploaded.store === 'folder' ? 'either' : 'file',
  });
  if (received.kind === 'outside') {
    if (received.what === 'file' && !hasEnding(received.path, uploaded)) {
      const reason = `the file does not end with ${endingsInWords(uploaded)}`;
      throw problem('upload-without-data', { format: uploaded.format, reason });
    }
    const { path, location } = received;
    return { path, root: undefined, isArchive: false, files: undefined, folder: '', unused: [], location };
  }
  const { folder, files, isArchive } = received;
  const names = files.map(({ path }) => path);
  const only = uploaded.store === 'folder' ? '' : (names[0] ?? '');
  const found = isArchive ? findData(names, uploaded) : { inside: only, unused: [] };
  return { ...stagedIn(folder, files, found, uploaded), isArchive };
}

/** What of an archive is not taken, for whoever sent it in the belief that all of it is. */
export function unusedWarnings({ unused }: StagedData): readonly string[] {
  const names = unused.map((name) => `'${name}'`);
  return unused.length === 0
    ? []
    : [`One file of this kind is taken out of an archive: ${enumerate(names, unused.length)} will not be seen.`];
}

async function named(body: UploadBody, expected: string): Promise<string> {
  const text = await body.text();
  if (text === '') {
    throw problem('upload-empty', { expected });
  }
  return text;
}

/** From a file to a folder that holds nothing but the data. */
async function unfold(
  { unpack }: StagingServices,
  staging: string,
  file: string,
  fileName: string,
  isDeclaredArchive: boolean,
): Promise<Received> {
  const folder = join(staging, 'content');
  if (isDeclaredArchive || (await beginsLikeArchive(file))) {
    const unpacked = await unpack(file, folder);
    const files = unpacked.map(({ name, path, ...rest }) => ({ path: name, file: path, ...rest }));
    return { kind: 'files', folder, files, isArchive: true };
  }
  await mkdir(folder, { mode: 0o700 });
  const single = join(folder, fileName);
  await rename(file, single);
  const files = [{ path: fileName, file: single, bytes: (await stat(single)).size }];
  return { kind: 'files', folder, files, isArchive: false };
}

/** Where the data is among its files, with slashes; empty for a folder of data that is the outermost one. */
interface FoundData {
  readonly inside: string;
  readonly unused: readonly string[];
}

function stagedIn(
  folder: string,
  files: readonly StagedFile[],
  { inside, unused }: FoundData,
  { store }: UploadedFormat,
): StagedData {
  const parts = inside.split('/').filter((part) => part !== '');
  return {
    path: join(folder, ...parts),
    root: folder,
    isArchive: false,
    files,
    folder: store === 'folder' ? inside : folderOf(inside),
    unused,
    location: (place) => `${fileUrl([...place.split('/'), ...parts])}${store === 'folder' ? '/' : ''}`,
  };
}

function findData(names: readonly string[], uploaded: UploadedFormat): FoundData {
  const { format, store } = uploaded;
  const found = names.filter((name) => isData(name, uploaded)).sort(shallowFirst);
  const [first, ...others] = found;
  if (first === undefined) {
    throw problem('upload-without-data', {
      format,
      reason: `there is no file that ends with ${endingsInWords(uploaded)}`,
    });
  }
  if (store === 'file') {
    return { inside: first, unused: others };
  }
  const folder = folderOf(first);
  const other = found.find((name) => folderOf(name) !== folder);
  if (other !== undefined) {
    const reason = `there are files that end with ${endingsInWords(uploaded)} in several folders ('${first}' and '${other}'); put them into one`;
    throw problem('upload-without-data', { format, reason });
  }
  return { inside: folder, unused: [] };
}

/** Macs pack a shadow of each file into the archive. */
function isData(name: string, uploaded: UploadedFormat): boolean {
  return hasEnding(name, uploaded) && !basename(name).startsWith('.') && !name.split('/').includes('__MACOSX');
}

function folderOf(name: string): string {
  const folder = dirname(name);
  return folder === '.' ? '' : folder;
}

function shallowFirst(a: string, b: string): number {
  const depth = a.split('/').length - b.split('/').length;
  return depth === 0 ? (a < b ? -1 : 1) : depth;
}

/** What lies in the data directory is named relative to it, so that it may be moved as a whole. */
async function externalLocation(dataDir: string, path: string, ending: string): Promise<string> {
  const inside = relative(await realpath(dataDir), path);
  const isInside = inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`);
  return `${isInside ? fileUrl(inside.split(sep)) : pathToFileURL(path).href}${ending}`;
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
