/** Writes styles with their content and images. */
import { isObject, type Resource, readText } from '../archive/exported-configuration.ts';
import { createId, findWorkspacePath, getName, type Leaving, omitFields, workspaceReference } from './leaving.ts';
import { reportExtension } from './stores.ts';

const extensions: Readonly<Record<string, string>> = { css: 'CSS', mbstyle: 'MBStyle', ysld: 'YSLD' };

export function writeStyles(leaving: Leaving): void {
  for (const style of leaving.list('style')) writeStyle(leaving, style);
}

function writeStyle(leaving: Leaving, style: Resource): void {
  const workspacePath = findWorkspacePath(style.path);
  const home = workspacePath === undefined ? '' : leaving.folders.get(workspacePath);
  if (home === undefined) {
    leaving.reportMissing(style, 'workspace');
    return;
  }
  const folder = home === '' ? 'styles' : `${home}/styles`;
  const name = leaving.chooseName(folder, getName(style), style.path);
  const { content, contentBase64, images, filename: given, format } = style.fields;
  const language = readText(format) ?? 'sld';
  const extension = extensions[language];
  if (extension !== undefined) reportExtension(leaving, style, extension);
  // Several styles can have the same file name; files of a data directory cannot.
  const wanted = readText(given) ?? `${name}.${language}`;
  const isFree = !/[\\/]/.test(wanted) && !leaving.files.has(`${folder}/${wanted}`);
  const filename = isFree
    ? wanted
    : `${leaving.chooseName(folder, `${name}-${createId('s', style.path)}`, style.path)}.${language}`;
  leaving.addDocument(style, `${folder}/${name}.xml`, 'style', {
    id: createId('StyleInfoImpl', style.path),
    name: getName(style),
    ...(workspacePath === undefined ? {} : { workspace: workspaceReference(workspacePath) }),
    ...omitFields(style.fields, 'content', 'contentBase64', 'images', 'filename'),
    filename,
  });
  const text = readText(content);
  const bytes = text === undefined ? Buffer.from(readText(contentBase64) ?? '', 'base64') : Buffer.from(text);
  leaving.files.set(`${folder}/${filename}`, { bytes });
  for (const [path, image] of Object.entries(isObject(images) ? images : {})) {
    const isInside = !path.split('/').includes('..');
    if (isInside) leaving.files.set(`${folder}/${path}`, { bytes: Buffer.from(readText(image) ?? '', 'base64') });
  }
}
