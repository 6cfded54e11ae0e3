/** Templates by path: in a folder for everything, and in those of workspaces, stores and types. They have no effect here. */
import { objectionToFileName, printableFileName } from '../../lib/file-name.ts';
import { checkPrecondition, type Precondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import { fileOfBytes } from '../../lib/readable-file.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { Files } from '../../records/files.ts';
import type { RecordBase } from '../../records/record.ts';
import { toAnyLinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { coverageStoreKind } from '../coverage-stores/coverage-store.ts';
import { coverageKind } from '../coverages/coverage.ts';
import { featureTypeKind } from '../feature-types/feature-type.ts';
import { dataStoreKind } from '../stores/data-store.ts';
import { orMissing } from '../stores/uploaded-files.ts';
import { type Resource, type ResourcePath, type ResourcePlace, shownPath, unknownResource } from './resource.ts';
import { childrenOf, type SentFile } from './style-files.ts';
import { type Template, templateKind } from './template.ts';

type TemplatePlace = Extract<ResourcePlace, { kind: 'templates' }>;

export interface TemplateFileWrite {
  readonly precondition: Precondition;
  /** What goes with the same change: the source of a move. */
  readonly instead?: TemplatePlace;
}

/** What templates are for, as a folder. */
interface Home {
  /** Null for everything. */
  readonly id: string | null;
  readonly modifiedAtMs?: number;
  /** The folders right below. */
  readonly folders: readonly string[];
}

/** The kinds of stores that templates are kept for, and of what is published of them. */
const storeLevels = [
  { stores: toAnyLinkedKind(dataStoreKind), types: toAnyLinkedKind(featureTypeKind) },
  { stores: toAnyLinkedKind(coverageStoreKind), types: toAnyLinkedKind(coverageKind) },
];

/** Pages of text: a megabyte is a book. */
const MAX_TEMPLATE_BYTES = 1_048_576;

export function isTemplateName(name: string): boolean {
  return /[^.]\.ftl$/i.test(name);
}

export async function findTemplateResource(
  catalog: CatalogReader,
  files: Pick<Files, 'read'>,
  place: TemplatePlace,
): Promise<Resource | undefined> {
  const home = await homeAt(catalog, place.workspace, place.path);
  if (home !== undefined) {
    const { id, folders, modifiedAtMs } = home;
    const names = await catalog.listNames(templateKind, id);
    const children = childrenOf([...names, ...folders.map((name) => `${name}/`)]);
    return { kind: 'folder', children, ...(modifiedAtMs === undefined ? {} : { modifiedAtMs }) };
  }
  const template = await findTemplate(catalog, place);
  if (template === undefined) {
    return undefined;
  }
  const { content, ...facts } = template;
  const open = async () => ({ ...facts, file: fileOfBytes(await orMissing(files.read(content), facts.name)) });
  return { ...facts, kind: 'file', open };
}

/** Keeps a template of what is there already. */
export async function putTemplateFile(
  catalog: Catalog,
  files: Files,
  principal: Principal,
  place: TemplatePlace,
  body: SentFile,
  { precondition, instead }: TemplateFileWrite,
): Promise<{ readonly isNew: boolean; readonly warnings: readonly string[] }> {
  const name = place.path.at(-1) ?? '';
  const reason = objectionToFileName(name);
  if (reason !== undefined) {
    throw problem('file-name-illegal', { name: printableFileName(name), reason });
  }
  await homeOf(catalog, place);
  const bytes = await body.bytes(MAX_TEMPLATE_BYTES);
  return files.runFileOperation(async (keeper) => {
    const kept = { content: await keeper.storeBytes(bytes), sizeBytes: bytes.length };
    const what = `${instead === undefined ? 'write' : 'move'} template ${shownPath(pathOf(place))}`;
    return catalog.change(principal, what, async (transaction) => {
      const { id: parent } = await homeOf(transaction, place);
      const before = await transaction.find(templateKind, parent, name);
      checkPrecondition(precondition, before?.version);
      if (before === undefined) {
        await transaction.insert(templateKind, { parent, name, ...kept });
      } else {
        await transaction.update(templateKind, { ...before, ...kept });
      }
      if (instead !== undefined) {
        await remove(transaction, instead, {});
      }
      return { isNew: before === undefined, warnings: [] };
    });
  });
}

export function deleteTemplateFile(
  catalog: Catalog,
  principal: Principal,
  place: TemplatePlace,
  precondition: Precondition,
): Promise<void> {
  return catalog.change(principal, `delete template ${shownPath(pathOf(place))}`, (transaction) =>
    remove(transaction, place, precondition),
  );
}

async function remove(
  transaction: CatalogTransaction,
  place: TemplatePlace,
  precondition: Precondition,
): Promise<void> {
  const template = await findTemplate(transaction, place);
  checkPrecondition(precondition, template?.version);
  if (template === undefined) {
    throw unknownResource(pathOf(place));
  }
  await transaction.removeDeep(template.id);
}

async function findTemplate(catalog: CatalogReader, { workspace, path }: TemplatePlace): Promise<Template | undefined> {
  const home = await homeAt(catalog, workspace, path.slice(0, -1));
  return home && catalog.find(templateKind, home.id, path.at(-1) ?? '');
}

/** Throws where there is nothing that a template could be for. */
async function homeOf(catalog: CatalogReader, { workspace, path }: TemplatePlace): Promise<Home> {
  const home = await homeAt(catalog, workspace, path.slice(0, -1));
  if (home === undefined) {
    throw unknownResource(pathOf({ workspace, path: path.slice(0, -1) }));
  }
  return home;
}

/** A store called `styles` has none: that folder is taken. */
async function homeAt(
  catalog: CatalogReader,
  workspaceName: string | null,
  path: ResourcePath,
): Promise<Home | undefined> {
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
    return homeIn(workspace, ['styles', ...stores.flat()]);
  }
  for (const { stores, types } of storeLevels) {
    const store = await catalog.find(stores, workspace.id, storeName);
    if (store !== undefined && typeName === undefined) {
      return homeIn(store, await catalog.listNames(types, store.id));
    }
    const type = store && typeName !== undefined ? await catalog.find(types, store.id, typeName) : undefined;
    if (type !== undefined) {
      return homeIn(type, []);
    }
  }
  return undefined;
}

function homeIn({ id, modifiedAtMs }: RecordBase, folders: readonly string[]): Home {
  return { id, modifiedAtMs, folders };
}

function pathOf({ workspace, path }: Pick<TemplatePlace, 'workspace' | 'path'>): ResourcePath {
  return [...(workspace === null ? ['templates'] : ['workspaces', workspace]), ...path];
}
