/** Reads the bytes that were sent as a style, after a look at whether they are what was said they are. */
import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { readCss } from '../css/reader.ts';
import type { StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import { readSld } from '../sld/reader.ts';
import {
  createRecognisedStyle,
  type LikelyStyle,
  type RecognisedContent,
  recogniseBytes,
  recogniseText,
} from './recognise-content.ts';
import {
  css,
  getStyleFormatName,
  getStyleMediaType,
  type StyleFormat,
  type StyleLanguage,
  sld10,
  sld11,
} from './style-format.ts';

export interface StyleContent {
  readonly format: StyleFormat;
  /** Frozen, with everything in it. */
  readonly model: StyledLayerDescriptor;
  /**
   * The charset that was declared beside the bytes, if they cannot be read without: it has to be kept with them, and
   * given when they are read again. Undefined for bytes that speak for themselves, which is nearly all.
   */
  readonly charset?: string | undefined;
  /** Whether it names no graphic, seen without looking through the model. */
  readonly hasNoGraphics?: boolean | undefined;
  /** What is not as it should be and was understood nevertheless; undefined for nothing. */
  readonly warnings?: readonly string[] | undefined;
}

/** What the client says that it sends. */
export interface ExpectedContent {
  readonly language: StyleLanguage;
  /** Without it, either version will do. */
  readonly version?: StyleFormat['version'] | undefined;
  readonly charset?: string | undefined;
  /** Whether also what cannot be misunderstood must be as it should be. */
  readonly strict?: boolean | undefined;
  /** What messages call the bytes; `The body` without it. */
  readonly subject?: string | undefined;
}

/**
 * Throws `style-content-mismatch` if the bytes are something else, `style-invalid` with every error, `xml-malformed`,
 * `xml-doctype` or `text-undecodable`. Without an expectation SLD and CSS are told apart by what they look like.
 */
export function readContent(bytes: Uint8Array, expected?: ExpectedContent): StyleContent {
  const binary = recogniseBytes(bytes);
  if (binary !== undefined) throw createMismatchProblem(binary, expected);

  const isXml = hasXmlStart(bytes);
  const text = decodeText(bytes, expected?.charset, isXml);
  const likely = recogniseText(text, expected?.language);
  if (likely.style === undefined || !isExpectedStyle(likely.style, expected))
    throw createMismatchProblem(likely, expected);

  const strict = expected?.strict ?? false;
  const content = likely.style.language === 'css' ? readCssContent(text, strict) : readSldContent(text, strict);
  // Only a few pages were looked at; what the reader makes of the whole is what counts.
  if (!isExpectedStyle(content.format, expected))
    throw createMismatchProblem(createRecognisedStyle(content.format), expected);
  const charset = findNeededCharset(bytes, expected?.charset, isXml, text);
  return charset === undefined ? content : { ...content, charset };
}

function readSldContent(text: string, strict: boolean): StyleContent {
  const { version, model, warnings } = readSld(text, { strict });
  return {
    format: version === '1.1.0' ? sld11 : sld10,
    model,
    // Graphics are named by attributes of this name, which nothing can write in other letters.
    hasNoGraphics: !text.includes('href'),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function readCssContent(text: string, strict: boolean): StyleContent {
  const { model, warnings } = readCss(text, { strict });
  return { format: css, model, ...(warnings.length === 0 ? {} : { warnings }) };
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
  if (expected === undefined) return 'SLD or CSS';
  const { language, version } = expected;
  if (language === 'css') return 'CSS';
  return version === undefined
    ? 'SLD'
    : `${getStyleFormatName({ language, version })} (${getStyleMediaType({ language, version })})`;
}

const generalAdvice = `Send SLD 1.0.0 as ${getStyleMediaType(sld10)}, SLD 1.1.0 as ${getStyleMediaType(sld11)}, CSS as ${getStyleMediaType(css)}, and a package of an SLD and its images as application/zip`;

/** Whether the first character is a `<`, in any encoding that is wider than ASCII or holds it. */
function hasXmlStart(bytes: Uint8Array): boolean {
  const insignificant = [0x00, 0x09, 0x0a, 0x0d, 0x20, 0xbb, 0xbf, 0xef, 0xfe, 0xff];
  return bytes.find((byte) => !insignificant.includes(byte)) === 0x3c;
}

/** Undefined if the bytes alone give the same text. */
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
