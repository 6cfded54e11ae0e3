/** Brings uploaded data to where it can be looked at: a private folder, or the place on the server that a client names. */
import { createWriteStream } from 'node:fs';
import { mkdir, open, realpath, rename, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { basename, dirname } from 'node:path/posix';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import type { ExpectedKind, PathGate } from '../../gates/path-gate.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { enumerate } from '../../lib/text/wording.ts';
import type { Files } from '../../records/files/files.ts';
import type { StagedFile } from '../../records/files/staged-files.ts';
import { formatFileUrl } from '../stores/uploaded-files.ts';
import type { Unpack } from './unpack.ts';
import {
  formatExtensions,
  getDefaultExtension,
  hasExtension,
  type StagedUpload,
  type UploadBody,
  type UploadedFormat,
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
  formatLocation(place: string): string;
}

const archiveTypes: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-zip-compressed',
  'multipart/x-zip',
]);

/** A ZIP archive begins with an entry, or with its end if it is empty. */
const archiveSignatures: ReadonlySet<string> = new Set(['PK\x03\x04', 'PK\x05\x06']);

/** What an upload has brought: files of its own, or the name of something on the server. */
export type ReceivedData =
  | {
      readonly kind: 'files';
      readonly folder: string;
      readonly files: readonly StagedFile[];
      readonly isArchive: boolean;
    }
  | ({ readonly kind: 'outside'; readonly what: 'file' | 'folder' } & Pick<StagedData, 'path' | 'formatLocation'>);

/** How an upload comes, whatever it holds. */
export type UploadToReceive = Pick<StagedUpload, 'method' | 'fileName' | 'body'> & {
  /** What is expected of the body, for whoever sends an empty one. */
  readonly expected: string;
  readonly wanted: 'file' | 'either';
};

/** Takes what a client sends, fetches what it names by a URL, or finds what it names on the server. Archives are unpacked. */
export async function receiveUpload(
  services: StagingServices,
  staging: string,
  principal: Principal,
  { method, body, fileName, expected, wanted }: UploadToReceive,
): Promise<ReceivedData> {
  const spooled = join(staging, 'body');
  switch (method) {
    case 'file': {
      const bytes = await body.saveTo(spooled);
      if (bytes === 0) {
        throw problem('upload-empty', { expected });
      }
      return unpackIfArchive(services, staging, spooled, fileName, archiveTypes.has(body.mediaType ?? ''));
    }
    case 'url': {
      const opened = await services.urlGate.open(await named(body, 'a URL'), { maxBytes: services.maxUploadBytes });
      await pipeline(opened.body, createWriteStream(spooled, { flags: 'wx', mode: 0o600 }));
      const mediaType = opened.contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
      return unpackIfArchive(services, staging, spooled, fileName, archiveTypes.has(mediaType));
    }
    case 'external': {
      const outside = await receiveExternal(services, principal, await named(body, 'a path'), wanted);
      // An archive cannot be read in place; what is unpacked is a copy, and the archive stays as it is.
      return outside.what === 'file' && (await hasArchiveSignature(outside.path))
        ? unpackIfArchive(services, staging, outside.path, fileName, true)
        : outside;
    }
  }
}

/** What a client names on the server, where it stays. */
export async function receiveExternal(
  { pathGate, dataDir }: Pick<StagingServices, 'pathGate' | 'dataDir'>,
  principal: Principal,
  named: string,
  wanted: ExpectedKind,
): Promise<Extract<ReceivedData, { kind: 'outside' }>> {
  const { path, kind } = await pathGate.resolve(named, principal, wanted);
  const location = await formatExternalLocation(dataDir, path, kind === 'folder' ? '/' : '');
  return { kind: 'outside', what: kind, path, formatLocation: () => location };
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
    expected: `a ZIP archive or a ${getDefaultExtension(uploaded)} file`,
    wanted: uploaded.store === 'folder' ? 'either' : 'file',
  });
  if (received.kind === 'outside') {
    if (received.what === 'file' && !hasExtension(received.path, uploaded)) {
      const reason = `the file does not end with ${formatExtensions(uploaded)}`;
      throw problem('upload-without-data', { format: uploaded.format, reason });
    }
    const { path, formatLocation: location } = received;
    return {
      path,
      root: undefined,
      isArchive: false,
      files: undefined,
      folder: '',
      unused: [],
      formatLocation: location,
    };
  }
  const { folder, files, isArchive } = received;
  const names = files.map(({ path }) => path);
  const only = uploaded.store === 'folder' ? '' : (names[0] ?? '');
  const found = isArchive ? findDataFile(names, uploaded) : { inside: only, unused: [] };
  return { ...toStagedData(folder, files, found, uploaded), isArchive };
}

/** What of an archive is not taken, for whoever sent it in the belief that all of it is. */
export function collectUnusedWarnings({ unused }: StagedData): readonly string[] {
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
async function unpackIfArchive(
  { unpack }: StagingServices,
  staging: string,
  file: string,
  fileName: string,
  isDeclaredArchive: boolean,
): Promise<ReceivedData> {
  const folder = join(staging, 'content');
  if (isDeclaredArchive || (await hasArchiveSignature(file))) {
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

function toStagedData(
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
    folder: store === 'folder' ? inside : getFolder(inside),
    unused,
    formatLocation: (place) => `${formatFileUrl([...place.split('/'), ...parts])}${store === 'folder' ? '/' : ''}`,
  };
}

function findDataFile(names: readonly string[], uploaded: UploadedFormat): FoundData {
  const { format, store } = uploaded;
  const found = names.filter((name) => isDataFile(name, uploaded)).sort(compareDepth);
  const [first, ...others] = found;
  if (first === undefined) {
    throw problem('upload-without-data', {
      format,
      reason: `there is no file that ends with ${formatExtensions(uploaded)}`,
    });
  }
  if (store === 'file') {
    return { inside: first, unused: others };
  }
  const folder = getFolder(first);
  const other = found.find((name) => getFolder(name) !== folder);
  if (other !== undefined) {
    const reason = `there are files that end with ${formatExtensions(uploaded)} in several folders ('${first}' and '${other}'); put them into one`;
    throw problem('upload-without-data', { format, reason });
  }
  return { inside: folder, unused: [] };
}

/** Macs pack a shadow of each file into the archive. */
function isDataFile(name: string, uploaded: UploadedFormat): boolean {
  return hasExtension(name, uploaded) && !basename(name).startsWith('.') && !name.split('/').includes('__MACOSX');
}

function getFolder(name: string): string {
  const folder = dirname(name);
  return folder === '.' ? '' : folder;
}

function compareDepth(a: string, b: string): number {
  const depth = a.split('/').length - b.split('/').length;
  return depth === 0 ? (a < b ? -1 : 1) : depth;
}

/** What lies in the data directory is named relative to it, so that it may be moved as a whole. */
async function formatExternalLocation(dataDir: string, path: string, ending: string): Promise<string> {
  const inside = relative(await realpath(dataDir), path);
  const isInside = inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`);
  return `${isInside ? formatFileUrl(inside.split(sep)) : pathToFileURL(path).href}${ending}`;
}

async function hasArchiveSignature(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return archiveSignatures.has(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}
