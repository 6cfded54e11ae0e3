/** Creates styles: an entry whose content may follow later, or an entry with its content. */
import type { Principal } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import { checkName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { styleKind } from '../kinds/style.ts';
import type { SentContent } from './sent-content.ts';
import { storeContent } from './store-content.ts';
import { mergeDeclaredFormat, type StyleDraft } from './style-draft.ts';
import {
  checkFileName,
  formatStyleFileName,
  generateStyleName,
  getFormatByFileName,
  isStyleName,
  styleNameRule,
} from './style-names.ts';
import { buildStyleView, findStyleWorkspace, listStylesByFile, type StyleView } from './style-view.ts';
import { writeContent } from './write-content.ts';

/** Creates an entry; an existing file with its file name becomes its content. */
export function createStyleEntry(
  catalog: Catalog,
  principal: Principal,
  workspaceName: string | undefined,
  draft: StyleDraft,
): Promise<StyleView> {
  const name = draft.name ?? '';
  const filename = draft.filename ?? '';
  checkName(name, styleNameRule);
  checkFileName(filename);
  const unsaid = getFormatByFileName(filename);
  return catalog.change(principal, formatChangeMessage(name, workspaceName), async (transaction) => {
    const workspace = await resolveTargetWorkspace(transaction, workspaceName, draft);
    await checkStyleNameAvailable(transaction, name, workspace, 'style-exists');
    const style = await transaction.insert(styleKind, {
      parent: workspace?.id ?? null,
      name,
      filename,
      format: mergeDeclaredFormat(draft, unsaid, unsaid),
      legend: draft.legend ?? null,
      metadata: draft.metadata ?? {},
    });
    return buildStyleView(transaction, style, workspace);
  });
}

export interface ContentCreation {
  readonly content: SentContent;
  /** The requested name; null to use that of the document. */
  readonly name: string | null;
  readonly files: Pick<Files, 'runFileOperation'>;
}

interface StyleCreationResult {
  readonly view: StyleView;
  readonly warnings: readonly string[];
}

/** Creates a style from its content. Files of a deleted style with the same name are replaced. */
export async function createStyleFromContent(
  catalog: Catalog,
  principal: Principal,
  workspaceName: string | undefined,
  { content: sent, name: wanted, files }: ContentCreation,
): Promise<StyleCreationResult> {
  const own = sent.styleName?.trim() ?? '';
  const createWithName = (name: string) =>
    createNamed(catalog, principal, workspaceName, { content: sent, name, files });
  const name = wanted ?? (isStyleName(own) ? own : undefined);
  if (name !== undefined) {
    return createWithName(name);
  }
  const generated = generateStyleName(sent.bytes);
  // Retry, since concurrent requests may send the same content and get the same generated name.
  for (let count = 1; ; count += 1) {
    try {
      return await createWithName(count === 1 ? generated : `${generated}-${count}`);
    } catch (error) {
      if (!isNameTakenError(error)) {
        throw error;
      }
    }
  }
}

function isNameTakenError(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'style-sent-twice' || error.code === 'style-file-exists');
}

async function createNamed(
  catalog: Catalog,
  principal: Principal,
  workspaceName: string | undefined,
  {
    content: sent,
    name,
    files,
  }: { readonly content: SentContent; readonly name: string; readonly files: ContentCreation['files'] },
): Promise<StyleCreationResult> {
  checkName(name, styleNameRule);
  const format = { language: sent.format.language, version: sent.format.version };
  const filename = formatStyleFileName(name, format);
  // Check also before the bytes are written, so that a rejected request leaves nothing on the disk.
  await checkFreeTarget(catalog, workspaceName, name, filename);
  return files.runFileOperation(async (keeper) => {
    const kept = await storeContent(keeper, sent);
    return catalog.change(principal, formatChangeMessage(name, workspaceName), async (transaction) => {
      const workspace = await checkFreeTarget(transaction, workspaceName, name, filename);
      const parent = workspace?.id ?? null;
      const { unverified } = sent;
      const style = await transaction.insert(styleKind, {
        ...{ parent, name, filename, format, legend: null, metadata: {} },
        ...(unverified === undefined ? {} : { unverified }),
      });
      const warnings = await writeContent(transaction, { parent, path: filename }, kept);
      return { view: await buildStyleView(transaction, style, workspace), warnings };
    });
  });
}

/** Throws if the name or the file belongs to another style. */
async function checkFreeTarget(
  catalog: CatalogReader,
  workspaceName: string | undefined,
  name: string,
  filename: string,
): Promise<Workspace | null> {
  const workspace = await findStyleWorkspace(catalog, workspaceName === undefined ? {} : { workspace: workspaceName });
  await checkStyleNameAvailable(catalog, name, workspace, 'style-sent-twice');
  const [holder] = await listStylesByFile(catalog, workspace?.id ?? null, filename, 1);
  if (holder !== undefined) {
    throw problem('style-file-exists', { filename, style: holder.name, advice: 'Use another name with ?name=' });
  }
  return workspace;
}

async function resolveTargetWorkspace(
  transaction: CatalogTransaction,
  workspaceName: string | undefined,
  draft: StyleDraft,
): Promise<Workspace | null> {
  const workspace = await findStyleWorkspace(
    transaction,
    workspaceName === undefined ? {} : { workspace: workspaceName },
  );
  if (draft.workspace != null && draft.workspace !== workspace?.name) {
    const path = workspace?.name ?? '';
    throw problem('workspace-mismatch', { what: 'workspace', path, document: draft.workspace });
  }
  return workspace;
}

export async function checkStyleNameAvailable(
  catalog: CatalogReader,
  name: string,
  workspace: Workspace | null,
  code: 'style-exists' | 'style-sent-twice',
): Promise<void> {
  if ((await catalog.find(styleKind, workspace?.id ?? null, name)) !== undefined) {
    throw problem(code, { name, workspace: workspace?.name ?? null });
  }
}

function formatChangeMessage(name: string, workspaceName: string | undefined): string {
  return `create style ${name}${workspaceName === undefined ? '' : ` in ${workspaceName}`}`;
}
