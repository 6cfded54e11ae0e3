/** Stages uploaded data: in a private folder, or at the path on the server that a client names. */
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
import { formatFileUrl } from '../../lib/text/file-place.ts';
import { enumerate } from '../../lib/text/wording.ts';
import type { Files, StagingFolder } from '../../records/files/files.ts';
import type { StagedFile } from '../../records/files/staged-files.ts';
import type { IncomingBlob } from '../../storage/blobs/port.ts';
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
  /** The size limit of a body. */
  readonly maxUploadBytes: number;
}

/** Data that can be opened and belongs to no store yet. */
export interface StagedData {
  /** Its current path: a folder, or one file. */
  readonly path: string;
  /** The folder of all uploaded files; undefined for data that stays in place. */
  readonly root: string | undefined;
  readonly isArchive: boolean;
  /** The files of the store; undefined for data that stays in place. */
  readonly files: readonly StagedFile[] | undefined;
  /** The folder of the data within these files; empty for the root. */
  readonly folder: string;
  /** Further main files of an archive, of which a store uses only one. */
  readonly unused: readonly string[];
  /** Returns the store URL for files at this path, relative to the data directory. */
  formatLocation(place: string): string;
}

const archiveTypes: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-zip-compressed',
  'multipart/x-zip',
]);

/** A ZIP archive starts with an entry, or with its end record if it is empty. */
const archiveSignatures: ReadonlySet<string> = new Set(['PK\x03\x04', 'PK\x05\x06']);

/** The received data: uploaded files, or a path on the server. */
export type ReceivedData =
  | {
      readonly kind: 'files';
      readonly folder: string;
      readonly files: readonly StagedFile[];
      readonly isArchive: boolean;
    }
  | ({ readonly kind: 'outside'; readonly what: 'file' | 'folder' } & Pick<StagedData, 'path' | 'formatLocation'>);

/** The transport of an upload, independent of its format. */
export type UploadToReceive = Pick<StagedUpload, 'method' | 'fileName' | 'body'> & {
  /** The expected content, for the error message about an empty body. */
  readonly expected: string;
  readonly wanted: 'file' | 'either';
};

/** Receives the body, downloads the URL, or resolves the server path that a client sends. Archives are unpacked. */
export async function receiveUpload(
  services: StagingServices,
  folder: StagingFolder,
  principal: Principal,
  { method, body, fileName, expected, wanted }: UploadToReceive,
): Promise<ReceivedData> {
  const staging = folder.path;
  const spooled = join(staging, 'body');
  switch (method) {
    case 'file': {
      const isDeclaredArchive = archiveTypes.has(body.mediaType ?? '');
      // The files of an archive are known after it was unpacked.
      const isStorable = async () => !isDeclaredArchive && !(await hasArchiveSignature(spooled));
      const incoming = folder.follow?.(spooled, isStorable);
      const bytes = await body.saveTo(spooled, { onWritten: (written) => incoming?.advance(written) });
      incoming?.end();
      if (bytes === 0) {
        throw problem('upload-empty', { expected });
      }
      return unpackIfArchive(services, staging, { file: spooled, fileName, isDeclaredArchive, incoming });
    }
    case 'url': {
      const opened = await services.urlGate.open(await named(body, 'a URL'), { maxBytes: services.maxUploadBytes });
      await pipeline(opened.body, createWriteStream(spooled, { flags: 'wx', mode: 0o600 }));
      const mediaType = opened.contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
      return unpackIfArchive(services, staging, {
        file: spooled,
        fileName,
        isDeclaredArchive: archiveTypes.has(mediaType),
      });
    }
    case 'external': {
      const outside = await receiveExternal(services, principal, await named(body, 'a path'), wanted);
      // An archive cannot be read in place: it is unpacked into a copy and stays unchanged.
      return outside.what === 'file' && (await hasArchiveSignature(outside.path))
        ? unpackIfArchive(services, staging, { file: outside.path, fileName, isDeclaredArchive: true })
        : outside;
    }
  }
}

/** Resolves a path on the server; the data stays in place. */
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
  staging: StagingFolder,
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
      const reason = `the file does not have the extension ${formatExtensions(uploaded)}`;
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

/** Warns about main files of an archive that are not used. */
export function collectUnusedWarnings({ unused }: StagedData): readonly string[] {
  const names = unused.map((name) => `'${name}'`);
  return unused.length === 0
    ? []
    : [`An archive can contain only one file of this type. Ignored: ${enumerate(names, unused.length)}.`];
}

async function named(body: UploadBody, expected: string): Promise<string> {
  const text = await body.text();
  if (text === '') {
    throw problem('upload-empty', { expected });
  }
  return text;
}

interface SpooledFile {
  readonly file: string;
  readonly fileName: string;
  readonly isDeclaredArchive: boolean;
  readonly incoming?: IncomingBlob | undefined;
}

/** Turns an archive into a folder that contains only the data. */
async function unpackIfArchive(
  { unpack }: StagingServices,
  staging: string,
  { file, fileName, isDeclaredArchive, incoming }: SpooledFile,
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
  const { size } = await stat(single);
  const files = [{ path: fileName, file: single, bytes: size, ...(incoming === undefined ? {} : { incoming }) }];
  return { kind: 'files', folder, files, isArchive: false };
}

/** The path of the data within its files, with slashes; empty for a data folder at the root. */
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
      reason: `no file has the extension ${formatExtensions(uploaded)}`,
    });
  }
  if (store === 'file') {
    return { inside: first, unused: others };
  }
  const folder = getFolder(first);
  const other = found.find((name) => getFolder(name) !== folder);
  if (other !== undefined) {
    const reason = `files with the extension ${formatExtensions(uploaded)} are in several folders ('${first}' and '${other}'). Put them into one folder`;
    throw problem('upload-without-data', { format, reason });
  }
  return { inside: folder, unused: [] };
}

/** macOS archives contain a hidden companion of each file. */
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

/** Paths within the data directory are stored relative to it, so that the directory can be moved. */
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
