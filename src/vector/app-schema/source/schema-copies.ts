/** Finds copies of remote schemas: in a cache folder by URL, or through an uploaded catalog. */
import { posix } from 'node:path';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Mapping } from '../../port/mapping.ts';
import type { DiagnosticList } from '../diagnostics.ts';
import { type DocumentFiles, readDocument, resolveRelativePath } from '../document-files.ts';
import { findCachePath } from './schema-cache.ts';

/** Returns the path of the copy of a URL among the files, or undefined. */
export type FindCopy = (address: string) => string | undefined;

export function createFindCopy(
  files: DocumentFiles,
  { main, mappings }: { readonly main: string; readonly mappings: readonly Mapping[] },
  limits: DocumentLimits,
  complaints: DiagnosticList,
): FindCopy {
  const entries = mappings.flatMap((mapping) => readCatalog(files, mapping, limits, complaints));
  return (address) => {
    const entry = entries.find(({ start, isWhole }) => (isWhole ? address === start : address.startsWith(start)));
    const copied = entry && (entry.isWhole ? entry.to : posix.normalize(entry.to + address.slice(entry.start.length)));
    if (copied !== undefined && files.has(copied)) return copied;
    const path = findCachePath(address);
    // Next to the main mapping, or in the shared folder of the server.
    const beside = path && resolveRelativePath(main, path);
    return [beside, path].find((each) => each !== undefined && files.has(each));
  };
}

interface CatalogEntry {
  readonly start: string;
  readonly to: string;
  /** Whether the entry matches a whole URL or a prefix. */
  readonly isWhole: boolean;
}

/** The mapping elements of an OASIS catalog with their attributes. */
const entryKinds: Readonly<Record<string, readonly [from: string, to: string, isWhole: boolean]>> = {
  uri: ['name', 'uri', true],
  system: ['systemId', 'uri', true],
  rewriteURI: ['uriStartString', 'rewritePrefix', false],
  rewriteSystem: ['systemIdStartString', 'rewritePrefix', false],
};

function readCatalog(
  files: DocumentFiles,
  { file, catalog }: Mapping,
  limits: DocumentLimits,
  complaints: DiagnosticList,
): readonly CatalogEntry[] {
  const path = catalog === undefined ? undefined : resolveRelativePath(file, catalog);
  // Sample mappings refer to catalogs on the machine of their author; a missing schema is then reported by its own
  // name.
  if (path === undefined || !files.has(path)) return [];
  const root = readDocument(files, path, limits, complaints);
  const children = root?.children.filter((child): child is XmlElement => child.kind === 'element') ?? [];
  return children.flatMap((element) => {
    const kind = Object.hasOwn(entryKinds, element.local) ? entryKinds[element.local] : undefined;
    const readAttribute = (name: string): string => element.attributes.find(({ local }) => local === name)?.value ?? '';
    if (kind === undefined) return [];
    const [from, target, isWhole] = kind;
    const to = resolveRelativePath(
      path,
      readAttribute(target) === '' ? '' : `./${readAttribute(target).replace(/^file:(?!\/)/, '')}`,
    );
    const start = readAttribute(from);
    return to === undefined || start === ''
      ? []
      : [{ start, to: readAttribute(target).endsWith('/') ? `${to.replace(/\/$/, '')}/` : to, isWhole }];
  });
}
