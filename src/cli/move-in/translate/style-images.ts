/** The images and fonts that a style refers to below its directory. */
import { dirname, extname, join, normalize } from 'node:path/posix';
import { Problem } from '../../../lib/problems/problem.ts';
import { hasDoctype } from '../../../lib/xml/doctype.ts';
import { expandInternalEntities } from '../../../lib/xml/internal-entities.ts';
import type { Subject } from '../report/report.ts';
import type { Move } from './move.ts';

const extensions: ReadonlySet<string> = new Set(['.svg', '.png', '.jpg', '.jpeg', '.gif', '.bmp', '.ttf', '.otf']);

/** Larger images are not useful on maps, and the server rejects them. */
const MAX_IMAGE_BYTES = 33_554_432;

/** References of SLD, of CSS and YSLD, and of JSON. */
const references = [
  /\bhref\s*=\s*"([^"]+)"/g,
  /\bhref\s*=\s*'([^']+)'/g,
  /\burl\(\s*["']?([^"')]+?)["']?\s*\)/g,
  /\burl:\s*["']?([^"'\s]+)/g,
  /"(?:sprite|url)"\s*:\s*"([^"]+)"/g,
];

interface StyleContent {
  readonly content: string;
  /** The path of the file with the content. */
  readonly file: string;
  readonly subject: Subject;
}

/** Returns the images in base64 by their path relative to the style. */
export async function readStyleImages(
  move: Move,
  { content, file, subject }: StyleContent,
): Promise<Readonly<Record<string, string>>> {
  const { files, documents, report } = move;
  const images = new Map<string, string>();
  for (const name of listReferences(content)) {
    const path = join(dirname(file), name);
    if (images.has(name) || !files.has(path)) continue;
    const bytes = await documents.readBytes(path, MAX_IMAGE_BYTES, 'style');
    if (bytes === undefined) continue;
    const usable = extname(name).toLowerCase() === '.svg' ? cleanSvg(bytes) : { bytes };
    if (usable === undefined || usable.bytes.length === 0) {
      const reason = bytes.length === 0 ? 'is empty' : 'has a DOCTYPE that refers to other files';
      report.add('style-image-refused', { ...subject, source: path }, `The image ${reason} and is left out.`);
      continue;
    }
    if (usable.bytes !== bytes) {
      report.add('style-image-rewritten', { ...subject, source: path }, 'The DOCTYPE of the image is removed.');
    }
    images.set(name, usable.bytes.toString('base64'));
  }
  return Object.fromEntries([...images].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function listReferences(content: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const pattern of references) {
    for (const [, written = ''] of content.matchAll(pattern)) {
      const name = toRelativePath(written);
      if (name !== undefined && extensions.has(extname(name).toLowerCase())) names.add(name);
    }
  }
  return names;
}

/** Undefined for addresses of other hosts, and for paths that lead out of the directory. */
function toRelativePath(written: string): string | undefined {
  const [plain = ''] = written.replace(/^file:(?:\.\/)?/i, '').split(/[?#]/);
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(plain) || plain.includes('${')) return undefined;
  let path: string;
  try {
    path = normalize(decodeURIComponent(plain.replaceAll('&amp;', '&')));
  } catch {
    return undefined;
  }
  return path.startsWith('../') || path === '.' ? undefined : path;
}

/** Expands entities that the image declares itself; undefined for any other DOCTYPE. */
function cleanSvg(bytes: Buffer): { readonly bytes: Buffer } | undefined {
  const text = bytes.toString();
  if (!hasDoctype(text)) return { bytes };
  try {
    return { bytes: Buffer.from(expandInternalEntities(text).text) };
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
