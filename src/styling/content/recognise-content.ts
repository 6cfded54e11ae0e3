/** Tells by its beginning what a body is, so that one which is no style can be refused by its right name. */
import { excerpt } from '../../lib/text/excerpt.ts';
import { seNamespace } from '../sld/document/namespaces.ts';
import type { SldVersion } from '../sld/document/sld-version.ts';
import { readRootTag } from './root-tag.ts';
import {
  css,
  getStyleFormatName,
  getStyleMediaType,
  type StyleFormat,
  type StyleLanguage,
  sld10,
  sld11,
} from './style-format.ts';

/** What bytes look like. */
export interface RecognisedContent {
  /** The end of a sentence about them: `looks like an HTML page`. */
  readonly phrase: string;
  /** What to do with such bytes instead, if anything: `Send it with the Content-Type …`. */
  readonly advice?: string | undefined;
  /** Only if they may be a style. */
  readonly style?: LikelyStyle | undefined;
}

export interface LikelyStyle {
  readonly language: StyleLanguage;
  /** Undefined where only the reader can tell, or will complain. */
  readonly version?: SldVersion | undefined;
}

/** Undefined for what may be text. */
export function recogniseBytes(bytes: Uint8Array): RecognisedContent | undefined {
  if (bytes.length === 0) return { phrase: 'is empty' };
  const kind = findBinaryKind(bytes);
  if (kind === undefined) return undefined;
  if (kind === 'zip') return { phrase: 'looks like a ZIP archive', advice: formatSendAdvice('application/zip') };
  return kind.isImage
    ? { phrase: `looks like ${kind.name}`, advice: imageAdvice }
    : { phrase: `looks like ${kind.name}` };
}

/** `hint` is the language that was announced: what could be several things is then taken for that. */
export function recogniseText(text: string, hint?: StyleLanguage): RecognisedContent {
  const start = /\S/.exec(text)?.[0];
  if (start === undefined) return { phrase: 'is empty' };
  if (start === '<') return recogniseXml(text);
  if (isJson(text, start)) return recogniseJson(text);
  if (hint === 'sld' && /<(?:[\w.-]+:)?StyledLayerDescriptor[\s>]/.test(text))
    return { phrase: xmlPhrase, style: { language: 'sld' } };
  return hint === 'css' || text.includes('{')
    ? createRecognisedStyle(css)
    : { phrase: 'looks like text that is neither XML nor CSS' };
}

const xmlPhrase = 'looks like an XML document';
const imageAdvice = 'Send images in a ZIP package, together with the SLD that uses them';

function recogniseXml(text: string): RecognisedContent {
  const root = readRootTag(text);
  switch (root.kind) {
    case 'html':
      return { phrase: 'looks like an HTML page' };
    case 'unreadable':
      return { phrase: xmlPhrase, style: { language: 'sld' } };
    case 'element':
      break;
  }
  const { local, attributes } = root;
  if (local === 'style') {
    const advice = `${formatSendAdvice('application/xml')} to change the entry of a style`;
    return { phrase: "looks like the entry of a style (a 'style' document)", advice };
  }
  if (local === 'svg') return { phrase: 'looks like an SVG image', advice: imageAdvice };
  if (local !== 'StyledLayerDescriptor')
    return { phrase: `looks like an XML document ('${excerpt(local)}')`, style: { language: 'sld' } };

  const declared = attributes.get('version')?.trim();
  if (declared !== undefined && declared !== '1.0.0' && declared !== '1.1.0') {
    return { phrase: xmlPhrase, style: { language: 'sld' } };
  }
  const knowsSymbologyEncoding = [...attributes].some(
    ([name, value]) => /^xmlns(?::|$)/.test(name) && value === seNamespace,
  );
  const format = (declared ?? (knowsSymbologyEncoding ? '1.1.0' : '1.0.0')) === '1.1.0' ? sld11 : sld10;
  const reason =
    declared === undefined
      ? ` (it declares ${knowsSymbologyEncoding ? 'no version, but' : 'neither a version nor'} Symbology Encoding)`
      : '';
  return createRecognisedStyle(format, reason);
}

/** The look of a style of that format, and how that was found out. */
export function createRecognisedStyle(format: StyleFormat, reason = ''): RecognisedContent {
  return {
    phrase: `looks like ${getStyleFormatName(format)}${reason}`,
    advice: formatSendAdvice(getStyleMediaType(format)),
    style: format,
  };
}

/**
 * A selector of CSS may begin with a bracket as well, but no sheet ends with one; and no rule of it begins with a brace
 * and a quotation mark.
 */
function isJson(text: string, start: string): boolean {
  if (start === '{') return /^\s*\{\s*["}]/.test(text);
  return start === '[' && text.trimEnd().endsWith(']');
}

function recogniseJson(text: string): RecognisedContent {
  if (!/^\s*\{\s*"style"\s*:/.test(text)) return { phrase: 'looks like JSON' };
  const advice = `${formatSendAdvice('application/json')} to change the entry of a style`;
  return { phrase: "looks like the entry of a style (a 'style' document)", advice };
}

function formatSendAdvice(mediaType: string): string {
  return `Send it with the Content-Type ${mediaType}`;
}

/** Recognises what is no text at all by its first bytes. */
interface BinaryKind {
  /** With its article: `a PNG image`. */
  readonly name: string;
  readonly isImage: boolean;
}

const signatures: readonly (readonly [string, BinaryKind])[] = [
  ['\x89PNG\r\n\x1a\n', { name: 'a PNG image', isImage: true }],
  ['\xff\xd8\xff', { name: 'a JPEG image', isImage: true }],
  ['GIF87a', { name: 'a GIF image', isImage: true }],
  ['GIF89a', { name: 'a GIF image', isImage: true }],
  ['II*\0', { name: 'a TIFF image', isImage: true }],
  ['MM\0*', { name: 'a TIFF image', isImage: true }],
  ['\x1f\x8b', { name: 'a gzip file', isImage: false }],
  ['%PDF-', { name: 'a PDF file', isImage: false }],
  ['SQLite format 3\0', { name: 'a database', isImage: false }],
  ['7z\xbc\xaf\x27\x1c', { name: 'a 7z archive', isImage: false }],
  ['Rar!\x1a\x07', { name: 'a RAR archive', isImage: false }],
];

/** An archive begins with an entry, or with its end if it is empty. */
const zipSignatures: readonly string[] = ['PK\x03\x04', 'PK\x05\x06'];

/** Undefined for what may be text, in whatever encoding. */
function findBinaryKind(bytes: Uint8Array): BinaryKind | 'zip' | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 32));
  if (zipSignatures.some((signature) => start.startsWith(signature))) return 'zip';
  // Two letters alone might begin a text; its size in the header makes a BMP hold a zero early on.
  if (start.startsWith('BM') && start.includes('\0')) return { name: 'a BMP image', isImage: true };
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return { name: 'a WebP image', isImage: true };
  return signatures.find(([signature]) => start.startsWith(signature))?.[1];
}
