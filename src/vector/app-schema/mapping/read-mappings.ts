/** Reads a mapping with its includes from a set of files; no other file is opened. */
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import type { Mapping, QualifiedName, TypeMapping } from '../../port/mapping.ts';
import {
  createDiagnosticList,
  type Diagnostic,
  type DiagnosticList,
  formatExcerpt,
  sortDiagnostics,
} from '../diagnostics.ts';
import { type DocumentFiles, readDocument, resolveRelativePath } from '../document-files.ts';
import { readMapping } from './read-mapping.ts';

export interface MappingFiles {
  readonly files: DocumentFiles;
  /** The path of the main mapping among the files. */
  readonly main: string;
}

export interface MappingOptions {
  readonly limits: DocumentLimits;
  /** The maximum number of mapping documents, including the main one. */
  readonly maxFiles: number;
  /** Values for `${name}` placeholders. */
  readonly properties: ReadonlyMap<string, string>;
}

export type MappingsOutcome = {
  /** The main mapping first, then its includes in document order, each once; only those that could be read. */
  readonly mappings: readonly Mapping[];
  /** About parts of the mappings that have no effect. */
  readonly warnings: readonly Diagnostic[];
} & (
  | { readonly kind: 'read' }
  /** In the order of the files, by line. */
  | { readonly kind: 'refused'; readonly complaints: readonly Diagnostic[] }
);

export function readMappings({ files, main }: MappingFiles, options: MappingOptions): MappingsOutcome {
  const complaints = createDiagnosticList();
  const ignored = createDiagnosticList();
  const context = { complaints, warnings: ignored, properties: options.properties };
  const found = new Map<string, Mapping | undefined>();
  let isFull = false;

  /** `chain` lists the files that lead here, the main one first. */
  const visit = (path: string, chain: readonly string[]): void => {
    const root = readDocument(files, path, options.limits, complaints);
    const mapping = root && readMapping(root, path, context);
    found.set(path, mapping);
    for (const include of mapping?.includes ?? []) {
      const target = resolveRelativePath(path, include.path);
      if (target === undefined) {
        const reason = 'the path must be relative to this file and refer to another file of the upload';
        complaints.add(
          path,
          include.line,
          `The included mapping '${formatExcerpt(include.path)}' cannot be read: ${reason}.`,
        );
      } else if (target === path || chain.includes(target)) {
        const circle = [...chain.slice(Math.max(chain.indexOf(target), 0)), path, target];
        const cyclePath = target === path ? [path, path] : circle;
        complaints.add(
          path,
          include.line,
          `Mappings include each other in a cycle: ${cyclePath.map(formatExcerpt).join(' -> ')}.`,
        );
      } else if (found.has(target)) {
        continue;
      } else if (!files.has(target)) {
        complaints.add(
          path,
          include.line,
          `The included mapping '${formatExcerpt(include.path)}' is missing from the uploaded files.`,
        );
      } else if (found.size >= options.maxFiles) {
        if (!isFull) complaints.add(path, include.line, `The mapping consists of more than ${options.maxFiles} files.`);
        isFull = true;
      } else {
        visit(target, [...chain, path]);
      }
      if (isFull) return;
    }
  };

  if (files.has(main)) visit(main, []);
  else complaints.add(main, 1, `The mapping '${formatExcerpt(main)}' is missing from the uploaded files.`);
  const mappings = resolveStores([...found.values()].filter((mapping) => mapping !== undefined));
  // Skips the check if a file is invalid, because it could contain the missing definitions.
  if (mappings.length === found.size && !isFull) checkReferences(mappings, complaints);
  const { list } = complaints;
  const paths = [...found.keys()];
  const warnings = sortDiagnostics(ignored.list, paths);
  return list.length === 0
    ? { kind: 'read', mappings, warnings }
    : { kind: 'refused', complaints: sortDiagnostics(list, paths), mappings, warnings };
}

/** A store that a file does not define is taken from the first file that defines its id. */
function resolveStores(mappings: readonly Mapping[]): readonly Mapping[] {
  const first = new Map(mappings.flatMap(({ stores }) => stores.map(({ id, key }) => [id, key] as const)).reverse());
  return mappings.map((mapping) => {
    const own = new Set(mapping.stores.map(({ id }) => id));
    const resolveStoreKey = ({ sourceStore, storeKey }: TypeMapping): string =>
      own.has(sourceStore) ? storeKey : (first.get(sourceStore) ?? storeKey);
    return { ...mapping, types: mapping.types.map((type) => ({ ...type, storeKey: resolveStoreKey(type) })) };
  });
}

/** Checks references between mappings: store ids, chained types and unique names. */
function checkReferences(mappings: readonly Mapping[], complaints: DiagnosticList): void {
  const stores = new Set(mappings.flatMap((mapping) => mapping.stores.map(({ id }) => id)));
  const names = new Map<string, { readonly file: string; readonly line: number }>();
  const targets = new Set<string>();
  for (const { file, types } of mappings) {
    for (const type of types) {
      const key = type.name === undefined ? formatNameKey(type.targetElement) : type.name;
      const known = names.get(key);
      if (known === undefined) names.set(key, { file, line: type.line });
      else {
        const what = type.name === undefined ? formatExcerpt(formatName(type.targetElement)) : formatExcerpt(type.name);
        complaints.add(
          file,
          type.line,
          `'${what}' is also mapped in '${formatExcerpt(known.file)}', line ${known.line}. Set a unique mappingName on one of the mappings.`,
        );
      }
      targets.add(formatNameKey(type.targetElement));
    }
  }
  for (const { file, types } of mappings) {
    for (const type of types) {
      for (const store of [type.sourceStore, type.indexStore ?? '']) {
        if (store !== '' && !stores.has(store)) {
          complaints.add(
            file,
            type.line,
            `The mapping of '${formatExcerpt(formatName(type.targetElement))}' refers to the unknown source data store '${formatExcerpt(store)}'.`,
          );
        }
      }
      checkLinks(file, type, { names, targets }, complaints);
    }
  }
}

function checkLinks(
  file: string,
  { attributes, targetElement }: TypeMapping,
  { names, targets }: { readonly names: ReadonlyMap<string, unknown>; readonly targets: ReadonlySet<string> },
  complaints: DiagnosticList,
): void {
  for (const { source, line } of attributes) {
    if (source?.kind !== 'link' || 'kind' in source.type) continue;
    const { type } = source;
    if (targets.has(formatNameKey(type)) || names.has(formatName(type))) continue;
    complaints.add(
      file,
      line,
      `The mapping of '${formatExcerpt(formatName(targetElement))}' chains '${formatExcerpt(formatName(type))}', which is neither the targetElement nor the mappingName of a mapping.`,
    );
  }
}

function formatNameKey({ uri, local }: QualifiedName): string {
  return `{${uri}}${local}`;
}

function formatName({ prefix, local }: QualifiedName): string {
  return prefix === '' ? local : `${prefix}:${local}`;
}
