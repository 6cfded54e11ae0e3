/** Reads the bytes of a style, after a check that they have the declared format. */
import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { readCss } from '../css/reader.ts';
import { readMbStyle } from '../mbstyle/reader.ts';
import type { StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import { readSld } from '../sld/reader.ts';
import { readYsld } from '../ysld/reader.ts';
import { decodeStyle } from './decode-style.ts';
import {
  createRecognisedStyle,
  type LikelyStyle,
  type RecognisedContent,
  recogniseBytes,
  recogniseText,
} from './recognise-content.ts';
import {
  css,
  getLanguageName,
  getStyleFormatName,
  getStyleMediaType,
  mbStyle,
  type StyleFormat,
  type StyleLanguage,
  sld10,
  sld11,
  ysld,
} from './style-format.ts';

export interface StyleContent {
  readonly format: StyleFormat;
  /** Deeply frozen. */
  readonly model: StyledLayerDescriptor;
  /**
   * The declared charset, if the bytes cannot be decoded without it. It must be stored with the bytes and passed when
   * they are read again. Undefined for most content, which declares its own encoding.
   */
  readonly charset?: string | undefined;
  /** Whether it certainly names no graphic, determined without a walk of the model. */
  readonly hasNoGraphics?: boolean | undefined;
  /** Deviations that were tolerated; undefined for none. */
  readonly warnings?: readonly string[] | undefined;
}

/** The format that the client declares. */
export interface ExpectedContent {
  readonly language: StyleLanguage;
  /** Any version if omitted. */
  readonly version?: StyleFormat['version'] | undefined;
  readonly charset?: string | undefined;
  /** Whether tolerable deviations are errors. */
  readonly strict?: boolean | undefined;
  /** The subject of error messages; default `The body`. */
  readonly subject?: string | undefined;
}

/**
 * Throws `style-content-mismatch` if the bytes have another format, `style-invalid` with every error, `xml-malformed`,
 * `xml-doctype` or `text-undecodable`. Without an expectation, the content decides about the language.
 */
export function readContent(bytes: Uint8Array, expected?: ExpectedContent): StyleContent {
  const binary = recogniseBytes(bytes);
  if (binary !== undefined) throw createMismatchProblem(binary, expected);

  const isXml = hasXmlStart(bytes);
  const strict = expected?.strict ?? false;
  const { text, warning } = decodeStyle(bytes, { charset: expected?.charset, isXml, strict });
  const likely = recogniseText(text, expected?.language);
  if (likely.style === undefined || !isExpectedStyle(likely.style, expected))
    throw createMismatchProblem(likely, expected);

  const content = contentReaders[likely.style.language](text, strict);
  // Only the beginning was inspected so far; the result of the reader decides.
  if (!isExpectedStyle(content.format, expected))
    throw createMismatchProblem(createRecognisedStyle(content.format), expected);
  const charset = findNeededCharset(bytes, expected?.charset, isXml, text);
  const warnings = warning === undefined ? content.warnings : [warning, ...(content.warnings ?? [])];
  return charset === undefined && warning === undefined ? content : { ...content, charset, warnings };
}

const contentReaders: Readonly<Record<StyleLanguage, (text: string, strict: boolean) => StyleContent>> = {
  sld: readSldContent,
  css: readCssContent,
  mbstyle: readMbStyleContent,
  ysld: readYsldContent,
};

function readSldContent(text: string, strict: boolean): StyleContent {
  const { version, model, warnings } = readSld(text, { strict });
  return {
    format: version === '1.1.0' ? sld11 : sld10,
    model,
    // Graphics are named in attributes of this name, which has no alternative spelling.
    hasNoGraphics: !text.includes('href'),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function readCssContent(text: string, strict: boolean): StyleContent {
  const { model, warnings } = readCss(text, { strict });
  return { format: css, model, ...(warnings.length === 0 ? {} : { warnings }) };
}

function readMbStyleContent(text: string, strict: boolean): StyleContent {
  const { model, warnings } = readMbStyle(text, { strict });
  return { format: mbStyle, model, ...(warnings.length === 0 ? {} : { warnings }) };
}

function readYsldContent(text: string, strict: boolean): StyleContent {
  const { model, warnings } = readYsld(text, { strict });
  return { format: ysld, model, ...(warnings.length === 0 ? {} : { warnings }) };
}

function isExpectedStyle(found: LikelyStyle, expected: ExpectedContent | undefined): boolean {
  if (expected === undefined) return true;
  if (found.language !== expected.language) return false;
  return found.version === undefined || expected.version === undefined || found.version === expected.version;
}

function createMismatchProblem(content: RecognisedContent, expected: ExpectedContent | undefined): Problem {
  return problem('style-content-mismatch', {
    subject: expected?.subject ?? 'The body',
    found: content.phrase,
    expected: formatExpectedName(expected),
    advice: content.advice ?? generalAdvice,
  });
}

function formatExpectedName(expected: ExpectedContent | undefined): string {
  if (expected === undefined) return 'SLD, CSS, YSLD or MapLibre style JSON';
  const { language, version } = expected;
  if (language !== 'sld') return getLanguageName(language);
  return version === undefined
    ? 'SLD'
    : `${getStyleFormatName({ language, version })} (${getStyleMediaType({ language, version })})`;
}

const generalAdvice = `Send SLD 1.0.0 as ${getStyleMediaType(sld10)}, SLD 1.1.0 as ${getStyleMediaType(sld11)}, CSS as ${getStyleMediaType(css)}, MapLibre style JSON as ${getStyleMediaType(mbStyle)}, YSLD as ${getStyleMediaType(ysld)}, and a package of an SLD and its images as application/zip`;

/** Returns whether the first character is `<`, in any encoding that contains ASCII. */
function hasXmlStart(bytes: Uint8Array): boolean {
  const insignificant = [0x00, 0x09, 0x0a, 0x0d, 0x20, 0xbb, 0xbf, 0xef, 0xfe, 0xff];
  return bytes.find((byte) => !insignificant.includes(byte)) === 0x3c;
}

/** Returns undefined if the bytes decode to the same text without the charset. */
function findNeededCharset(
  bytes: Uint8Array,
  charset: string | undefined,
  isXml: boolean,
  text: string,
): string | undefined {
  if (charset === undefined) return undefined;
  try {
    return decodeText(bytes, undefined, isXml) === text ? undefined : charset;
  } catch (error) {
    if (error instanceof Problem) return charset;
    throw error;
  }
}
