/** Translates workspaces with their namespaces, and the default workspace. */

import { child } from '../../../lib/xml/elements.ts';
import { createPath } from '../archive/archive.ts';
import { findFlag, findText, readMetadata } from '../read/values.ts';
import { type Move, readId, readTargetName, reportDuplicateId } from './move.ts';
import type { SourceWorkspace } from './source-index.ts';

const ROOT = 'workspaces';

export async function translateWorkspaces(move: Move): Promise<void> {
  const { files } = move;
  const uris = new Set<string>();
  for (const folder of files.listFolders(ROOT)) {
    await translateWorkspace(move, `${ROOT}/${folder}`, uris);
  }
  await translateDefault(move);
}

async function translateWorkspace(move: Move, folder: string, uris: Set<string>): Promise<void> {
  const { documents, files, report, archive, index } = move;
  const source = `${folder}/workspace.xml`;
  const subject = { source, kind: 'workspace' };
  if (!files.has(source)) {
    files.accountBelow(folder);
    report.add(
      'workspace-file-missing',
      { source: folder, kind: 'workspace' },
      'The directory has no workspace.xml. The old server ignores it too.',
    );
    return;
  }
  const root = await documents.read(source, ['workspace'], 'workspace');
  const name = root && findText(root, 'name');
  const target = root && readTargetName(move, subject, { kind: 'workspace', name });
  if (root === undefined || name === undefined || target === undefined) {
    skipBelow(move, folder);
    return;
  }
  const namespace = await documents.read(`${folder}/namespace.xml`, ['namespace'], 'workspace');
  const isolated = findFlag(root, 'isolated') ?? (namespace && findFlag(namespace, 'isolated')) ?? false;
  const written = namespace && findText(namespace, 'uri');
  const uri = chooseUri(move, { folder, name, target }, written, isolated ? new Set() : uris);
  const workspace: SourceWorkspace = { folder, name, target, uri: written, targetUri: uri };
  const metadataElement = child(root, 'metadata');
  const metadata = metadataElement && readMetadata(metadataElement);
  const path = createPath(ROOT, target);
  const fields = {
    isolated,
    ...(uri === undefined ? {} : { namespaceUri: uri }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  if (!archive.add('workspace', path, fields, { source }) && !isAroundSelection(move, path)) {
    if (move.options.only.length === 0) skipBelow(move, folder);
    else files.accountBelow(folder);
    return;
  }
  reportDuplicateId(move, subject, index.addWorkspace(workspace, readId(root)));
  if (namespace !== undefined) index.addNamespace(workspace, readId(namespace));
}

/** `--only /workspaces/acme/layers/roads` selects resources in a workspace without the workspace. */
function isAroundSelection({ options: { only } }: Move, path: string): boolean {
  return only.some(
    (each) => each.startsWith(`${path}/`) || each === '/layergroups' || each.startsWith('/layergroups/'),
  );
}

function chooseUri(
  { report }: Move,
  { folder, name, target }: Pick<SourceWorkspace, 'folder' | 'name' | 'target'>,
  written: string | undefined,
  taken: Set<string>,
): string | undefined {
  const subject = { source: `${folder}/namespace.xml`, kind: 'workspace', path: createPath(ROOT, target) };
  if (written === undefined) {
    report.add('namespace-changed', subject, `The namespace of '${name}' is missing; the target chooses its URI.`);
    return undefined;
  }
  const uri = taken.has(written) ? `${written}/${encodeURIComponent(target)}` : written;
  taken.add(uri);
  if (uri !== written) {
    report.add('namespace-changed', subject, `The URI '${written}' belongs to another workspace; '${uri}' is used.`);
  }
  return uri;
}

/** Everything in the directory of a workspace that is not imported. */
function skipBelow({ files, report }: Move, folder: string): void {
  files.accountBelow(folder);
  report.add('parent-skipped', { source: folder }, 'The workspace of these files is not imported.');
}

async function translateDefault(move: Move): Promise<void> {
  const source = `${ROOT}/default.xml`;
  const root = await move.documents.read(source, ['workspace'], 'defaultWorkspace');
  if (root === undefined) return;
  const id = readId(root);
  const name = findText(root, 'name');
  const found =
    (id === undefined ? undefined : move.index.findWorkspace(id)) ?? move.index.findWorkspaceByName(name ?? '');
  const path = createPath(ROOT, 'default');
  if (found === undefined) {
    const message = `The default workspace '${name ?? id ?? ''}' is not imported.`;
    move.report.add('reference-dangling', { source, kind: 'defaultWorkspace', path }, message);
    return;
  }
  move.archive.add('defaultWorkspace', path, { name: found.target }, { source });
}
