/** Templates by path: global, and in the folders of workspaces, stores and types. The server does not evaluate them. */

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
import { coverageKind } from '../kinds/coverage.ts';
import { coverageStoreKind } from '../kinds/coverage-store.ts';
import { dataStoreKind } from '../kinds/data-store.ts';
import { featureTypeKind } from '../kinds/feature-type.ts';
import { type Template, templateKind } from '../kinds/template.ts';
import { convertMissingFileError } from '../stores/uploaded-files.ts';
import {
  createUnknownResourceProblem,
  formatResourcePath,
  type ResourceEntry,
  type ResourcePath,
  type ResourceTarget,
} from './resource.ts';
import { listChildren, type SentFile } from './style-files.ts';

type TemplateTarget = Extract<ResourceTarget, { kind: 'templates' }>;

export interface TemplateFileWrite {
  readonly place: TemplateTarget;
  readonly body: SentFile;
  readonly precondition: Precondition;
  /** The source of a move, which is deleted in the same change. */
  readonly instead?: TemplateTarget;
}

/** A template folder: the resource that its templates belong to. */
interface TemplateFolder {
  /** Null for the global folder. */
  readonly id: string | null;
  readonly modifiedAtMs?: number;
  /** The direct subfolders. */
  readonly folders: readonly string[];
}

/** The store kinds that can have templates, with their resource kinds. */
const storeLevels = [
  { stores: toAnyLinkedKind(dataStoreKind), types: toAnyLinkedKind(featureTypeKind) },
  { stores: toAnyLinkedKind(coverageStoreKind), types: toAnyLinkedKind(coverageKind) },
];

/** Templates are small texts. */
const MAX_TEMPLATE_BYTES = 1_048_576;

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
    const { id, folders, modifiedAtMs } = home;
    const names = await catalog.listNames(templateKind, id);
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
  files: Files,
  principal: Principal,
  { place, body, precondition, instead }: TemplateFileWrite,
): Promise<{ readonly isNew: boolean; readonly warnings: readonly string[] }> {
  const name = place.path.at(-1) ?? '';
  const reason = findFileNameFault(name);
  if (reason !== undefined) {
    throw problem('file-name-illegal', { name: toPrintableFileName(name), reason });
  }
  await getTemplateFolder(catalog, place);
  const bytes = await body.bytes(MAX_TEMPLATE_BYTES);
  return files.runFileOperation(async (keeper) => {
    const kept = { content: await keeper.storeBytes(bytes), sizeBytes: bytes.length };
    const what = `${instead === undefined ? 'write' : 'move'} template ${formatResourcePath(toResourcePath(place))}`;
    return catalog.change(principal, what, async (transaction) => {
      const { id: parent } = await getTemplateFolder(transaction, place);
      const before = await transaction.find(templateKind, parent, name);
      checkPrecondition(precondition, before?.version);
      if (before === undefined) {
        await transaction.insert(templateKind, { parent, name, ...kept });
      } else {
        await transaction.update(templateKind, { ...before, ...kept });
      }
      if (instead !== undefined) {
        await removeTemplate(transaction, instead, {});
      }
      return { isNew: before === undefined, warnings: [] };
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
  return home && catalog.find(templateKind, home.id, path.at(-1) ?? '');
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
    return storeName === undefined ? { id: null, folders: [] } : undefined;
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
  return { id, modifiedAtMs, folders };
}

function toResourcePath({ workspace, path }: Pick<TemplateTarget, 'workspace' | 'path'>): ResourcePath {
  return [...(workspace === null ? ['templates'] : ['workspaces', workspace]), ...path];
}
