/** Recognises the type of a body by its first bytes, so that errors can name it. */
import { excerpt } from '../../lib/text/excerpt.ts';
import { seNamespace } from '../sld/document/namespaces.ts';
import type { SldVersion } from '../sld/document/sld-version.ts';
import { isYamlStyle } from '../ysld/parse-document.ts';
import { readRootTag } from './root-tag.ts';
import {
  css,
  getStyleFormatName,
  getStyleMediaType,
  mbStyle,
  type StyleFormat,
  type StyleLanguage,
  sld10,
  sld11,
  ysld,
} from './style-format.ts';

/** The apparent type of a body. */
export interface RecognisedContent {
  /** The predicate of a sentence: `looks like an HTML page`. */
  readonly phrase: string;
  /** The remedy, if there is one: `Send it with the Content-Type …`. */
  readonly advice?: string | undefined;
  /** Present if the body may be a style. */
  readonly style?: LikelyStyle | undefined;
}

export interface LikelyStyle {
  readonly language: StyleLanguage;
  /** Undefined if only the reader can determine it. */
  readonly version?: SldVersion | undefined;
}

/** Returns undefined for bytes that may be text. */
export function recogniseBytes(bytes: Uint8Array): RecognisedContent | undefined {
  if (bytes.length === 0) return { phrase: 'is empty' };
  const kind = findBinaryKind(bytes);
  if (kind === undefined) return undefined;
  if (kind === 'zip') return { phrase: 'looks like a ZIP archive', advice: formatSendAdvice('application/zip') };
  return kind.isImage
    ? { phrase: `looks like ${kind.name}`, advice: imageAdvice }
    : { phrase: `looks like ${kind.name}` };
}

/** `hint` is the declared language. It decides ambiguous cases. */
export function recogniseText(text: string, hint?: StyleLanguage): RecognisedContent {
  const start = /\S/.exec(text)?.[0];
  if (start === undefined) return { phrase: 'is empty' };
  if (start === '<') return recogniseXml(text);
  if (isJson(text, start)) return recogniseJson(text, hint);
  if (hint === 'sld' && /<(?:[\w.-]+:)?StyledLayerDescriptor[\s>]/.test(text))
    return { phrase: xmlPhrase, style: { language: 'sld' } };
  if (hint === 'ysld' || (hint !== 'css' && isYamlStyle(text))) return createRecognisedStyle(ysld);
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

/** Describes a style of the format, with the reason for the classification. */
export function createRecognisedStyle(format: StyleFormat, reason = ''): RecognisedContent {
  return {
    phrase: `looks like ${getStyleFormatName(format)}${reason}`,
    advice: formatSendAdvice(getStyleMediaType(format)),
    style: format,
  };
}

/**
 * A CSS selector may also start with a bracket, but no style sheet ends with one, and no rule starts with a brace and
 * a quotation mark.
 */
function isJson(text: string, start: string): boolean {
  if (start === '{') return /^\s*\{\s*["}]/.test(text);
  return start === '[' && text.trimEnd().endsWith(']');
}

function recogniseJson(text: string, hint: StyleLanguage | undefined): RecognisedContent {
  if (!/^\s*\{\s*"style"\s*:/.test(text)) {
    const isStyle = hint === 'mbstyle' || /"layers"\s*:\s*\[/.test(text);
    return isStyle ? createRecognisedStyle(mbStyle) : { phrase: 'looks like JSON' };
  }
  const advice = `${formatSendAdvice('application/json')} to change the entry of a style`;
  return { phrase: "looks like the entry of a style (a 'style' document)", advice };
}

function formatSendAdvice(mediaType: string): string {
  return `Send it with the Content-Type ${mediaType}`;
}

/** A binary format, recognised by its first bytes. */
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

/** An archive starts with an entry, or with its end record if it is empty. */
const zipSignatures: readonly string[] = ['PK\x03\x04', 'PK\x05\x06'];

/** Returns undefined for bytes that may be text in any encoding. */
function findBinaryKind(bytes: Uint8Array): BinaryKind | 'zip' | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 32));
  if (zipSignatures.some((signature) => start.startsWith(signature))) return 'zip';
  // Two letters may start a text. The size in the header of a BMP contains an early zero byte.
  if (start.startsWith('BM') && start.includes('\0')) return { name: 'a BMP image', isImage: true };
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return { name: 'a WebP image', isImage: true };
  return signatures.find(([signature]) => start.startsWith(signature))?.[1];
}
