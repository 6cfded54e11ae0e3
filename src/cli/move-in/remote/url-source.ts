/** A running GeoServer as a source: its data directory over `/rest/resource`, its catalog over `/rest` if it has no files. */
import { basename } from 'node:path/posix';
import { attribute, listChildren } from '../../../lib/xml/elements.ts';
import { findChildText } from '../../../lib/xml/text.ts';
import { MoveInError } from '../report/move-in-error.ts';
import type { Source } from '../source/source.ts';
import { DownloadedFiles } from './downloaded-files.ts';
import { KeptFiles } from './kept-files.ts';
import { hasCatalogFiles, listCatalog, parseDocument } from './list-catalog.ts';
import { fetchResource, listResources } from './list-resources.ts';
import { type RequestDeadlines, type SourceAddress, SourceServer } from './source-server.ts';

/** Documents with one password, or with the versions of three components. */
const MAX_DOCUMENT_BYTES = 65_536;

export async function openUrl(address: SourceAddress, deadlines?: RequestDeadlines): Promise<Source> {
  const server = new SourceServer(address, deadlines);
  const kept = new KeptFiles();
  const downloads = new DownloadedFiles(server, kept);
  const close = async () => {
    await server.close();
    await downloads.close();
    kept.close();
  };
  try {
    const listed = await listResources(server, kept);
    const hasFiles = listed.files.length > 0;
    const { files, unvisited } = hasCatalogFiles(listed.files, kept) ? listed : await listCatalog(server, kept, listed);
    return {
      kind: 'rest',
      label: basename(address.url.pathname) || address.url.host,
      version: await readVersion(server),
      files: files.sort(),
      unvisited,
      directory: undefined,
      ...(hasFiles && { locate: (path: string) => downloads.locate(path) }),
      read: (path, maxBytes) => readFile(server, kept, path, maxBytes),
      readMasterPassword: () => readMasterPassword(server),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readFile(
  server: SourceServer,
  kept: KeptFiles,
  path: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const known = kept.read(path);
  if (known !== undefined) return known.length > maxBytes ? undefined : known;
  const { status, bytes } = await fetchResource(server, path, { maxBytes });
  if (status !== 200) {
    throw new MoveInError('source-unreadable', `The source returns status ${status} for the file '${path}'.`);
  }
  if (bytes !== undefined) kept.keep(path, bytes);
  return bytes;
}

/** Undefined if the server does not return it, for example to users who are not its root administrator. */
async function readMasterPassword(server: SourceServer): Promise<string | undefined> {
  const { status, bytes } = await server.tryGet('/rest/security/masterpw.json', { maxBytes: MAX_DOCUMENT_BYTES });
  if (status !== 200 || bytes === undefined) return undefined;
  try {
    const { oldMasterPassword } = JSON.parse(bytes.toString()) as { readonly oldMasterPassword?: unknown };
    return typeof oldMasterPassword === 'string' || typeof oldMasterPassword === 'number'
      ? String(oldMasterPassword)
      : undefined;
  } catch {
    // An HTML page of a proxy, or null.
    return undefined;
  }
}

async function readVersion(server: SourceServer): Promise<string | null> {
  const { status, bytes } = await server.tryGet('/rest/about/version.xml', { maxBytes: MAX_DOCUMENT_BYTES });
  const root = status === 200 ? bytes && parseDocument(bytes) : undefined;
  const resource = root && listChildren(root, 'resource').find((each) => attribute(each, 'name') === 'GeoServer');
  const version = resource && findChildText(resource, 'Version');
  return version?.slice(0, 80) || null;
}
