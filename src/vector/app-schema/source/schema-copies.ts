/** Where copies of schemas are that are elsewhere: in a folder by their addresses, or where a catalog of the upload says. */
import { posix } from 'node:path';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Mapping } from '../../port/mapping.ts';
import type { DiagnosticList } from '../diagnostics.ts';
import { type DocumentFiles, readDocument, resolveRelativePath } from '../document-files.ts';
import { findCachePath } from './schema-cache.ts';

/** Tells the path among the files of a copy of an address; undefined if there is none. */
export type FindCopy = (address: string) => string | undefined;

export function createFindCopy(
  files: DocumentFiles,
  main: string,
  mappings: readonly Mapping[],
  limits: DocumentLimits,
  complaints: DiagnosticList,
): FindCopy {
  const entries = mappings.flatMap((mapping) => readCatalog(files, mapping, limits, complaints));
  return (address) => {
    const entry = entries.find(({ start, isWhole }) => (isWhole ? address === start : address.startsWith(start)));
    const copied = entry && (entry.isWhole ? entry.to : posix.normalize(entry.to + address.slice(entry.start.length)));
    if (copied !== undefined && files.has(copied)) return copied;
    const path = findCachePath(address);
    // Beside the main mapping, or in the folder that the server has for all.
    const beside = path && resolveRelativePath(main, path);
    return [beside, path].find((each) => each !== undefined && files.has(each));
  };
}

interface CatalogEntry {
  readonly start: string;
  readonly to: string;
  /** Whether it is about one address, or about all that begin so. */
  readonly isWhole: boolean;
}

/** The elements of an OASIS catalog that say where something is, with the attributes that say it. */
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
  // Examples name catalogs of the machine they were written on: a schema that is missed then is told by its own name.
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
