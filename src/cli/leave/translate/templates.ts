/** Writes templates and layouts to the folders of the workspace, store or type that they belong to. */
import { createPath, readText, splitPath } from '../archive/exported-configuration.ts';
import type { Leaving } from './leaving.ts';

export function writeTemplates(leaving: Leaving): void {
  for (const template of leaving.list('template')) {
    const file = findFile(leaving, template.path);
    if (file === undefined) {
      leaving.reportMissing(template, 'workspace, store or type');
      continue;
    }
    const { content, contentBase64 } = template.fields;
    const text = typeof content === 'string' ? content : undefined;
    const bytes = text === undefined ? Buffer.from(readText(contentBase64) ?? '', 'base64') : Buffer.from(text);
    leaving.files.set(file, { bytes });
    leaving.report.countExported('template');
  }
}

/** `/resource/workspaces/{ws}/{store}/{type}/{file}`, `/resource/templates/{file}` or `/resource/layouts/{file}`. */
function findFile(leaving: Leaving, path: string): string | undefined {
  const [, area = '', ...rest] = splitPath(path);
  const file = rest.pop() ?? '';
  if (area !== 'workspaces') return [area, ...rest, file].join('/');
  const [workspace = '', store, resource] = rest;
  const folder = findFolder(leaving, workspace, store, resource);
  return folder && `${folder}/${file}`;
}

function findFolder(leaving: Leaving, workspace: string, store: string | undefined, resource: string | undefined) {
  const home = createPath('workspaces', workspace);
  if (store === undefined) return leaving.folders.get(home);
  for (const [stores, resources] of collections) {
    const above = `${home}${createPath(stores, store)}`;
    const folder = leaving.folders.get(resource === undefined ? above : `${above}${createPath(resources, resource)}`);
    if (folder !== undefined) return folder;
  }
  return undefined;
}

const collections = [
  ['datastores', 'featuretypes'],
  ['coveragestores', 'coverages'],
  ['wmsstores', 'wmslayers'],
  ['wmtsstores', 'layers'],
] as const;
