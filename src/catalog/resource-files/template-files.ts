/** Templates and layouts by path: global ones, and templates in the folders of workspaces, stores and types. */

import { createFileFromBytes } from '../../lib/files/readable-file.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { findFileNameFault, toPrintableFileName } from '../../lib/text/file-name.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import type { RecordBase } from '../../records/record.ts';
import { toAnyLinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { MAX_LAYOUT_BYTES, readLayout } from '../../styling/layout/read-layout.ts';
import { isImageName } from '../../styling/package/check-image.ts';
import { coverageKind } from '../kinds/coverage.ts';
import { coverageStoreKind } from '../kinds/coverage-store.ts';
import { dataStoreKind } from '../kinds/data-store.ts';
import { featureTypeKind } from '../kinds/feature-type.ts';
import { LAYOUTS, type Template, templateKind } from '../kinds/template.ts';
import { convertMissingFileError } from '../stores/uploaded-files.ts';
import type { StyleServices } from '../styles/style-services.ts';
import {
  createUnknownResourceProblem,
  formatResourcePath,
  type ResourceEntry,
  type ResourcePath,
  type ResourceTarget,
} from './resource.ts';
import { checkSentImage, listChildren, type SentFile } from './style-files.ts';

type TemplateTarget = Extract<ResourceTarget, { kind: 'templates' }>;

export interface TemplateFileWrite {
  readonly place: TemplateTarget;
  readonly body: SentFile;
  readonly precondition: Precondition;
  readonly strict: boolean;
  /** The source of a move, which is deleted in the same change. */
  readonly instead?: TemplateTarget;
}

/** A template folder: the resource that its templates belong to. */
interface TemplateFolder {
  /** Null for the global folders. */
  readonly id: string | null;
  /** Precedes the names of its records: the files of layouts are templates of the server with a path. */
  readonly prefix: string;
  readonly modifiedAtMs?: number;
  /** The direct subfolders. */
  readonly folders: readonly string[];
}

/** The store kinds that can have templates, with their resource kinds. */
const storeLevels = [
  { stores: toAnyLinkedKind(dataStoreKind), types: toAnyLinkedKind(featureTypeKind) },
  { stores: toAnyLinkedKind(coverageStoreKind), types: toAnyLinkedKind(coverageKind) },
];

/** Templates are small texts, and pictures of layouts are logos. */
const MAX_TEMPLATE_BYTES = 1_048_576;

/** A layout, or a picture of layouts. */
export function isLayoutFileName(name: string): boolean {
  return /[^.]\.xml$/i.test(name) || isImageName(name);
}

export function isTemplateName(name: string): boolean {
  return /[^.]\.ftl$/i.test(name);
}

export async function findTemplateResource(
  catalog: CatalogReader,
  files: Pick<Files, 'read'>,
  place: TemplateTarget,
): Promise<ResourceEntry | undefined> {
  const home = await findTemplateFolder(catalog, place.workspace, place.path);
  if (home !== undefined) {
    const { id, prefix, folders, modifiedAtMs } = home;
    const names = await listTemplateNames(catalog, id, prefix);
    const children = listChildren([...names, ...folders.map((name) => `${name}/`)]);
    return { kind: 'folder', children, ...(modifiedAtMs === undefined ? {} : { modifiedAtMs }) };
  }
  const template = await findTemplate(catalog, place);
  if (template === undefined) {
    return undefined;
  }
  const { content, ...facts } = template;
  const openContent = async () => ({
    ...facts,
    file: createFileFromBytes(await convertMissingFileError(files.read(content), facts.name)),
  });
  return { ...facts, kind: 'file', open: openContent };
}

/** Stores a template of an existing resource. */
export async function putTemplateFile(
  catalog: Catalog,
  { files, styles }: { readonly files: Files; readonly styles: StyleServices },
  principal: Principal,
  { place, body, precondition, strict, instead }: TemplateFileWrite,
): Promise<{ readonly isNew: boolean; readonly warnings: readonly string[] }> {
  const name = place.path.at(-1) ?? '';
  const reason = findFileNameFault(name);
  if (reason !== undefined) {
    throw problem('file-name-illegal', { name: toPrintableFileName(name), reason });
  }
  const { prefix } = await getTemplateFolder(catalog, place);
  const { bytes, warnings } = await readSentFile(styles, body, { name, isLayout: prefix === LAYOUTS, strict });
  return files.runFileOperation(async (keeper) => {
    const kept = { content: await keeper.storeBytes(bytes), sizeBytes: bytes.length };
    const what = `${instead === undefined ? 'write' : 'move'} template ${formatResourcePath(toResourcePath(place))}`;
    return catalog.change(principal, what, async (transaction) => {
      const { id: parent } = await getTemplateFolder(transaction, place);
      const before = await transaction.find(templateKind, parent, `${prefix}${name}`);
      checkPrecondition(precondition, before?.version);
      if (before === undefined) {
        await transaction.insert(templateKind, { parent, name: `${prefix}${name}`, ...kept });
      } else {
        await transaction.update(templateKind, { ...before, ...kept });
      }
      if (instead !== undefined) {
        await removeTemplate(transaction, instead, {});
      }
      return { isNew: before === undefined, warnings };
    });
  });
}

export function deleteTemplateFile(
  catalog: Catalog,
  principal: Principal,
  place: TemplateTarget,
  precondition: Precondition,
): Promise<void> {
  return catalog.change(principal, `delete template ${formatResourcePath(toResourcePath(place))}`, (transaction) =>
    removeTemplate(transaction, place, precondition),
  );
}

/** Checks a sent file and returns it with warnings. */
async function readSentFile(
  { templates, work }: StyleServices,
  body: SentFile,
  { name, isLayout, strict }: { readonly name: string; readonly isLayout: boolean; readonly strict: boolean },
): Promise<{ readonly bytes: Uint8Array; readonly warnings: readonly string[] }> {
  if (isLayout && !isImageName(name)) {
    const bytes = await body.bytes(MAX_LAYOUT_BYTES);
    return { bytes, warnings: readLayout(bytes, { strict }).warnings };
  }
  const bytes = await body.bytes(MAX_TEMPLATE_BYTES);
  if (!isLayout) return { bytes, warnings: isTemplateName(name) ? await templates.check(bytes) : [] };
  const warning = await checkSentImage(work, ['layouts', name], bytes);
  return { bytes, warnings: warning === undefined ? [] : [warning] };
}

/** Lists the names of one folder. */
async function listTemplateNames(
  catalog: CatalogReader,
  id: string | null,
  prefix: string,
): Promise<readonly string[]> {
  const names = await catalog.listNames(templateKind, id);
  return prefix === ''
    ? names.filter((name) => !name.includes('/'))
    : names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

async function removeTemplate(
  transaction: CatalogTransaction,
  place: TemplateTarget,
  precondition: Precondition,
): Promise<void> {
  const template = await findTemplate(transaction, place);
  checkPrecondition(precondition, template?.version);
  if (template === undefined) {
    throw createUnknownResourceProblem(toResourcePath(place));
  }
  await transaction.removeDeep(template.id);
}

async function findTemplate(
  catalog: CatalogReader,
  { workspace, path }: TemplateTarget,
): Promise<Template | undefined> {
  const home = await findTemplateFolder(catalog, workspace, path.slice(0, -1));
  return home && catalog.find(templateKind, home.id, `${home.prefix}${path.at(-1) ?? ''}`);
}

/** Throws if the path refers to no resource. */
async function getTemplateFolder(catalog: CatalogReader, { workspace, path }: TemplateTarget): Promise<TemplateFolder> {
  const home = await findTemplateFolder(catalog, workspace, path.slice(0, -1));
  if (home === undefined) {
    throw createUnknownResourceProblem(toResourcePath({ workspace, path: path.slice(0, -1) }));
  }
  return home;
}

/** A store named `styles` has no template folder, because that path is the style folder. */
async function findTemplateFolder(
  catalog: CatalogReader,
  workspaceName: string | null,
  path: ResourcePath,
): Promise<TemplateFolder | undefined> {
  const [storeName, typeName, ...further] = path;
  if (workspaceName === null) {
    if (path.length !== 1) return undefined;
    return { id: null, prefix: path[0] === 'layouts' ? LAYOUTS : '', folders: [] };
  }
  const workspace = await catalog.find(workspaceKind, null, workspaceName);
  if (workspace === undefined || further.length > 0) {
    return undefined;
  }
  if (storeName === undefined) {
    const stores = await Promise.all(storeLevels.map(({ stores: kind }) => catalog.listNames(kind, workspace.id)));
    return toTemplateFolder(workspace, ['styles', ...stores.flat()]);
  }
  for (const { stores, types } of storeLevels) {
    const store = await catalog.find(stores, workspace.id, storeName);
    if (store !== undefined && typeName === undefined) {
      return toTemplateFolder(store, await catalog.listNames(types, store.id));
    }
    const type = store && typeName !== undefined ? await catalog.find(types, store.id, typeName) : undefined;
    if (type !== undefined) {
      return toTemplateFolder(type, []);
    }
  }
  return undefined;
}

function toTemplateFolder({ id, modifiedAtMs }: RecordBase, folders: readonly string[]): TemplateFolder {
  return { id, prefix: '', modifiedAtMs, folders };
}

function toResourcePath({ workspace, path }: Pick<TemplateTarget, 'workspace' | 'path'>): ResourcePath {
  return workspace === null ? path : ['workspaces', workspace, ...path];
}
