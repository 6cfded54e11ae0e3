/** Tells by its beginning what a body is, so that one which is no style can be refused by its right name. */
import { excerpt } from '../../lib/excerpt.ts';
import { seNamespace } from '../sld/namespaces.ts';
import type { SldVersion } from '../sld/sld-version.ts';
import { binaryKind } from './binary-kind.ts';
import { rootTag } from './root-tag.ts';
import { css, mediaTypeOf, nameOfFormat, type StyleFormat, type StyleLanguage, sld10, sld11 } from './style-format.ts';

/** What bytes look like. */
export interface Look {
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
export function lookAtBytes(bytes: Uint8Array): Look | undefined {
  if (bytes.length === 0) return { phrase: 'is empty' };
  const kind = binaryKind(bytes);
  if (kind === undefined) return undefined;
  if (kind === 'zip') return { phrase: 'looks like a ZIP archive', advice: sendAs('application/zip') };
  return kind.isImage
    ? { phrase: `looks like ${kind.name}`, advice: imageAdvice }
    : { phrase: `looks like ${kind.name}` };
}

/** `hint` is the language that was announced: what could be several things is then taken for that. */
export function lookAtText(text: string, hint?: StyleLanguage): Look {
  const start = /\S/.exec(text)?.[0];
  if (start === undefined) return { phrase: 'is empty' };
  if (start === '<') return lookAtXml(text);
  if (isJson(text, start)) return lookAtJson(text);
  if (hint === 'sld' && /<(?:[\w.-]+:)?StyledLayerDescriptor[\s>]/.test(text))
    return { phrase: xmlPhrase, style: { language: 'sld' } };
  return hint === 'css' || text.includes('{')
    ? lookLike(css)
    : { phrase: 'looks like text that is neither XML nor CSS' };
}

const xmlPhrase = 'looks like an XML document';
const imageAdvice = 'Send images in a ZIP package, together with the SLD that uses them';

function lookAtXml(text: string): Look {
  const root = rootTag(text);
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
    const advice = `${sendAs('application/xml')} to change the entry of a style`;
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
      ? ` (it says no version, and ${knowsSymbologyEncoding ? 'names' : 'does not name'} Symbology Encoding)`
      : '';
  return lookLike(format, reason);
}

/** The look of a style of that format, and how that was found out. */
export function lookLike(format: StyleFormat, reason = ''): Look {
  return { phrase: `looks like ${nameOfFormat(format)}${reason}`, advice: sendAs(mediaTypeOf(format)), style: format };
}

/**
 * A selector of CSS may begin with a bracket as well, but no sheet ends with one; and no rule of it begins with a brace
 * and a quotation mark.
 */
function isJson(text: string, start: string): boolean {
  if (start === '{') return /^\s*\{\s*["}]/.test(text);
  return start === '[' && text.trimEnd().endsWith(']');
}

function lookAtJson(text: string): Look {
  if (!/^\s*\{\s*"style"\s*:/.test(text)) return { phrase: 'looks like JSON' };
  const advice = `${sendAs('application/json')} to change the entry of a style`;
  return { phrase: "looks like the entry of a style (a 'style' document)", advice };
}

function sendAs(mediaType: string): string {
  return `Send it with the Content-Type ${mediaType}`;
}
