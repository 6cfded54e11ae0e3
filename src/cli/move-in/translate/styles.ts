/** Translates styles: the entry, the content, and the images that the content refers to. */
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child } from '../../../lib/xml/elements.ts';
import { createPath } from '../archive/archive.ts';
import { findText, readMetadata, readReference } from '../read/values.ts';
import { readText } from './decode-content.ts';
import { type Move, readId, readTargetName, reportDuplicateId } from './move.ts';
import type { SourceWorkspace } from './source-index.ts';
import { readStyleImages } from './style-images.ts';

const formats: ReadonlySet<string> = new Set(['sld', 'css', 'mbstyle', 'ysld']);

/** The limit of the server for a style. */
const MAX_CONTENT_BYTES = 33_554_432;

/** The global styles, then those of the workspaces. */
export async function translateStyles(move: Move): Promise<void> {
  await translateFolder(move, 'styles', null);
  for (const workspace of move.index.workspaces) await translateFolder(move, `${workspace.folder}/styles`, workspace);
}

async function translateFolder(move: Move, folder: string, workspace: SourceWorkspace | null): Promise<void> {
  for (const file of move.files.listFiles(folder)) {
    if (!file.endsWith('.xml')) continue;
    const source = `${folder}/${file}`;
    const root = await move.documents.read(source, ['style'], 'style');
    if (root !== undefined) await translateStyle(move, { root, source, folder, workspace });
  }
}

interface StyleDocument {
  readonly root: XmlElement;
  readonly source: string;
  readonly folder: string;
  readonly workspace: SourceWorkspace | null;
}

async function translateStyle(move: Move, { root, source, folder, workspace: home }: StyleDocument): Promise<void> {
  const { archive, index } = move;
  const reference = readReference(child(root, 'workspace'));
  const workspace = (reference?.id === undefined ? undefined : index.findWorkspace(reference.id)) ?? home;
  const name = findText(root, 'name');
  const plain = { source, kind: 'style' };
  const target = readTargetName(move, plain, { kind: 'style', name, workspace: workspace?.name ?? null });
  if (name === undefined || target === undefined) return;
  const path = createPath(...(workspace === null ? [] : ['workspaces', workspace.target]), 'styles', target);
  const fields = await readFields(move, { root, folder, subject: { ...plain, path } });
  const isImported = fields !== undefined && archive.add('style', path, fields, { source });
  reportDuplicateId(move, { ...plain, path }, index.addStyle({ name, target, workspace, isImported }, readId(root)));
}

/** Returns undefined if the style cannot be imported. */
async function readFields(
  move: Move,
  {
    root,
    folder,
    subject,
  }: {
    readonly root: XmlElement;
    readonly folder: string;
    readonly subject: { source: string; kind: string; path: string };
  },
): Promise<JsonObject | undefined> {
  const { files, report, documents } = move;
  const format = findText(root, 'format') ?? 'sld';
  const filename = findText(root, 'filename');
  if (!formats.has(format)) {
    if (filename !== undefined) files.account(`${folder}/${filename}`);
    report.add(
      'style-format-unsupported',
      subject,
      `Styles in the format '${format}' are not supported.`,
      'Convert the style to SLD.',
    );
    return undefined;
  }
  const file =
    filename === undefined || /(?:^|\/)\.\.(?:\/|$)|^\//.test(filename) ? undefined : `${folder}/${filename}`;
  const bytes = file === undefined ? undefined : await documents.readBytes(file, MAX_CONTENT_BYTES, 'style');
  if (file === undefined || filename === undefined || bytes === undefined || bytes.length === 0) {
    if (file !== undefined && bytes === undefined && files.has(file)) return undefined;
    const message = `The file '${filename ?? ''}' with the content of the style is missing or empty.`;
    report.add('style-content-missing', subject, message, 'Delete the style on the old server, or add the file.');
    return undefined;
  }
  const text = decodeUtf8(bytes);
  const metadataElement = child(root, 'metadata');
  const metadata = metadataElement && readMetadata(metadataElement);
  const images = await readStyleImages(move, { content: text ?? bytes.toString('latin1'), file, subject });
  return {
    format,
    ...(format === 'sld' ? { languageVersion: { version: detectVersion(text ?? bytes.toString('latin1')) } } : {}),
    filename,
    ...(metadata === undefined ? {} : { metadata }),
    ...(text === undefined ? { contentBase64: bytes.toString('base64') } : { content: text }),
    ...(Object.keys(images).length === 0 ? {} : { images: images as Json }),
  };
}

/** The content decides, as documents of old versions name another one. */
function detectVersion(content: string): string {
  const [, version] =
    /<(?:\w+:)?StyledLayerDescriptor\b[^>]*?\bversion\s*=\s*["']\s*(1\.1(?:\.\d)?)\s*["']/.exec(content) ?? [];
  return version === undefined ? '1.0.0' : '1.1.0';
}

/** Undefined for content in another encoding, which the archive carries as bytes. */
function decodeUtf8(bytes: Buffer): string | undefined {
  const declared = /^<\?xml[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(
    bytes.subarray(0, 256).toString('latin1'),
  )?.[1];
  if (declared !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(declared)) return undefined;
  return readText(bytes);
}
