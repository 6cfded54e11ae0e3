/** Changes a style: its entry, with its files following a rename or move, and its content. */

import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import { checkName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { isBuiltInName } from '../../styling/built-in/built-in-names.ts';
import { getStyleFormatName } from '../../styling/content/style-format.ts';
import { type Style, styleKind, type WrittenFormat } from '../kinds/style.ts';
import { checkMayDetach, checkUsersInWorkspace } from '../layers/style-references.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { checkStyleNameAvailable } from './create-style.ts';
import { moveAsideUnusedFile, moveFile, moveFiles } from './move-files.ts';
import type { StoredStyleContent } from './store-content.ts';
import { mergeDeclaredFormat, type StyleDraft } from './style-draft.ts';
import { checkFileName, getFormatByFileName, replaceLanguageExtension, styleNameRule } from './style-names.ts';
import { findStyle, listStylesByFile, type StyleLocator, type StyleView } from './style-view.ts';
import { writeContent } from './write-content.ts';

export interface EntryChange {
  readonly draft: StyleDraft;
  readonly precondition: Precondition;
  /** Throws if the caller may not write styles of this workspace, or global ones (null). */
  readonly checkMayWrite: (workspaceName: string | null) => void;
}

export function changeStyleEntry(
  catalog: Catalog,
  principal: Principal,
  place: StyleLocator,
  { draft, precondition, checkMayWrite }: EntryChange,
): Promise<{ readonly warnings: readonly string[] }> {
  return catalog.change(principal, `change style ${place.name}`, async (transaction) => {
    const view = await findStyle(transaction, place);
    checkPrecondition(precondition, view.version);
    const { style } = view;
    const home = await resolveNewWorkspace(transaction, view, draft);
    const name = resolveNewName(view, draft);
    const isMoved = home?.id !== view.workspace?.id;
    if (isMoved) {
      checkNotBuiltIn(view, 'moved');
      checkMayWrite(home?.name ?? null);
      await checkMayDetach(transaction, style, checkMayWrite);
      await checkUsersInWorkspace(transaction, style, home);
    }
    if (isMoved || name !== style.name) {
      await checkStyleNameAvailable(transaction, name, home, 'style-exists');
    }
    const filename = resolveNewFileName(style, draft);
    await transaction.update(styleKind, {
      ...style,
      parent: home?.id ?? null,
      name,
      filename,
      format: resolveNewFormat(view, draft),
      legend: draft.legend === undefined ? style.legend : draft.legend,
      metadata: draft.metadata === undefined ? style.metadata : (draft.metadata ?? {}),
    });
    const target = { parent: home?.id ?? null, path: filename };
    if (view.file !== null && isMoved) {
      return { warnings: await moveFiles(transaction, view, view.file, target) };
    }
    if (view.file !== null) {
      await moveFile(transaction, view.file, target);
    }
    return { warnings: [] };
  });
}

/** Replaces the content; the file gets the extension of the new language. */
export function changeStyleContent(
  catalog: Catalog,
  principal: Principal,
  place: StyleLocator,
  { content: kept, precondition }: { readonly content: StoredStyleContent; readonly precondition: Precondition },
): Promise<{ readonly view: StyleView; readonly warnings: readonly string[] }> {
  return catalog.change(principal, `change the content of style ${place.name}`, async (transaction) => {
    const view = await findStyle(transaction, place);
    checkPrecondition(precondition, view.version);
    const style = await adaptEntry(transaction, view, kept);
    const target = { parent: style.parent, path: style.filename };
    if (view.file !== null && target.path !== view.style.filename) {
      // Otherwise the old content would stay, and a later style could pick it up.
      await moveAsideUnusedFile(transaction, style, target);
      await moveFile(transaction, view.file, target);
    }
    const warnings = await writeContent(transaction, target, kept);
    return { view: await findStyle(transaction, place), warnings };
  });
}

/** Adapts the entry to the content: `roads.sld` becomes `roads.css`, unless another style has that file. */
async function adaptEntry(
  transaction: CatalogTransaction,
  { style: { unverified: _, ...style } }: StyleView,
  { format: { language, version }, unverified }: Pick<StoredStyleContent, 'format' | 'unverified'>,
): Promise<Style> {
  const format = { language, version };
  const fitting = replaceLanguageExtension(style.filename, format);
  const isTaken =
    fitting !== style.filename && (await listStylesByFile(transaction, style.parent, fitting, 1)).length > 0;
  return transaction.update(styleKind, {
    ...style,
    format,
    filename: isTaken ? style.filename : fitting,
    ...(unverified === undefined ? {} : { unverified }),
  });
}

async function resolveNewWorkspace(
  transaction: CatalogTransaction,
  view: StyleView,
  { workspace }: StyleDraft,
): Promise<Workspace | null> {
  if (workspace === undefined || workspace === view.workspace?.name) {
    return view.workspace;
  }
  return workspace === null ? null : findWorkspace(transaction, workspace);
}

function resolveNewName(view: StyleView, draft: StyleDraft): string {
  const { name } = view.style;
  if (draft.name === undefined || draft.name === name) {
    return name;
  }
  if (draft.name === null || draft.name === '') {
    throw problem('name-emptied', { what: styleNameRule.what, field: styleNameRule.field });
  }
  checkNotBuiltIn(view, 'renamed');
  checkName(draft.name, styleNameRule);
  return draft.name;
}

function resolveNewFileName(style: Style, draft: StyleDraft): string {
  if (draft.filename === undefined || draft.filename === style.filename) {
    return style.filename;
  }
  checkFileName(draft.filename ?? '');
  return draft.filename ?? '';
}

/** The content determines the format, so a client can change it only with other content. */
function resolveNewFormat({ style, file }: StyleView, draft: StyleDraft): WrittenFormat {
  const current = file?.written?.format ?? style.format;
  // An omitted format is that of the content, or that of the file extension.
  const wanted = mergeDeclaredFormat(
    draft,
    current,
    file === null ? getFormatByFileName(resolveNewFileName(style, draft)) : current,
  );
  if (file !== null && (wanted.language !== current.language || wanted.version !== current.version)) {
    throw problem('style-format-fixed', {
      name: style.name,
      current: getStyleFormatName(current),
      wanted: getStyleFormatName(wanted),
    });
  }
  return wanted;
}

export function checkNotBuiltIn({ style }: StyleView, what: 'deleted' | 'renamed' | 'moved'): void {
  if (style.parent === null && isBuiltInName(style.name)) {
    throw problem('style-built-in', { name: style.name, what });
  }
}
