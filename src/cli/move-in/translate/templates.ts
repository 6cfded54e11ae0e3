/** Translates templates of feature info, and layouts of decorated maps. */
import { createPath } from '../archive/archive.ts';
import { readText } from './decode-content.ts';
import type { Move } from './move.ts';
import type { SourceStore } from './source-index.ts';

/** The templates that the server uses. */
const used: ReadonlySet<string> = new Set([
  'header.ftl',
  'content.ftl',
  'footer.ftl',
  'header_json.ftl',
  'content_json.ftl',
  'footer_json.ftl',
  'title.ftl',
  'description.ftl',
]);

/** Templates are pages of some kilobytes. */
const MAX_TEMPLATE_BYTES = 1_048_576;

export async function translateTemplates(move: Move): Promise<void> {
  for (const folder of ['templates', 'workspaces']) {
    for (const file of listTemplates(move, folder)) {
      await translateTemplate(move, `${folder}/${file}`, createPath('resource', 'templates', file));
    }
  }
  for (const { folder, target } of move.index.workspaces) {
    for (const file of listTemplates(move, folder)) {
      await translateTemplate(move, `${folder}/${file}`, createPath('resource', 'workspaces', target, file));
    }
  }
  for (const store of move.index.stores) if (store.isImported) await translateStoreTemplates(move, store);
  for (const file of move.files.listFiles('layouts')) {
    if (/\.(?:xml|png|jpg|jpeg|gif|svg)$/i.test(file)) {
      await translateTemplate(move, `layouts/${file}`, createPath('resource', 'layouts', file));
    }
  }
}

/** The templates of a store, and of its resources. */
async function translateStoreTemplates(move: Move, { folder, workspace, path }: SourceStore): Promise<void> {
  const store = path.split('/').at(-1) ?? '';
  const above = `${createPath('resource', 'workspaces', workspace.target)}/${store}`;
  for (const file of listTemplates(move, folder)) {
    await translateTemplate(move, `${folder}/${file}`, `${above}${createPath(file)}`);
  }
  for (const inner of move.files.listFolders(folder)) {
    const files = listTemplates(move, `${folder}/${inner}`);
    const resource = files.length === 0 ? undefined : move.index.findFolder(`${folder}/${inner}`);
    for (const file of resource === undefined ? [] : files) {
      await translateTemplate(move, `${folder}/${inner}/${file}`, `${above}${createPath(resource ?? '', file)}`);
    }
  }
}

function listTemplates({ files }: Move, folder: string): readonly string[] {
  return files.listFiles(folder).filter((file) => /\.ftl$/i.test(file));
}

async function translateTemplate(move: Move, source: string, path: string): Promise<void> {
  const bytes = await move.documents.readBytes(source, MAX_TEMPLATE_BYTES, 'template');
  if (bytes === undefined) return;
  const file = source.slice(source.lastIndexOf('/') + 1);
  const text = readText(bytes);
  const fields = text === undefined ? { contentBase64: bytes.toString('base64') } : { content: text };
  const isAdded = move.archive.add('template', path, fields, { source });
  if (isAdded && file.endsWith('.ftl') && !used.has(file)) {
    move.report.add('template-inactive', { source, kind: 'template', path }, 'The template is stored but not used.');
  }
}
