/** Finds the root element of an SVG picture and its size, without parsing the rest. */
import { decodeText } from '../../../lib/files/decode-text.ts';
import { Problem } from '../../../lib/problems/problem.ts';

/** In pixels; empty if the picture has no intrinsic size. */
export interface SvgSize {
  readonly width?: number;
  readonly height?: number;
}

/** Returns undefined if the root element is not `svg`. Skips a DOCTYPE, which many older drawing programs write. */
export function readSvgSize(bytes: Uint8Array): SvgSize | undefined {
  const text = decodeXmlText(bytes);
  if (text === undefined) return undefined;
  const start = findRootOffset(text);
  const tag = /<(?:[\w.-]+:)?svg(?=[\s/>])/y;
  tag.lastIndex = start;
  if (!tag.test(text)) return undefined;
  return computeSvgSize(readAttributesAt(text, tag.lastIndex));
}

/** Returns the text of an XML document; undefined for other bytes. */
export function decodeXmlText(bytes: Uint8Array): string | undefined {
  if (!hasXmlStart(bytes)) return undefined;
  try {
    return decodeText(bytes, undefined, true);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/**
 * Avoids decoding megabytes of pixels: XML starts with a byte order mark, white space or a tag, in one byte or two.
 */
function hasXmlStart(bytes: Uint8Array): boolean {
  const first = bytes[0] === 0 ? bytes[1] : bytes[0];
  return first !== undefined && [0x3c, 0x20, 0x09, 0x0a, 0x0d, 0xef, 0xfe, 0xff].includes(first);
}

/** Returns the offset of the root tag, behind white space, comments, processing instructions and a DOCTYPE. */
function findRootOffset(text: string): number {
  let offset = 0;
  for (;;) {
    const space = /\s*/y;
    space.lastIndex = offset;
    space.test(text);
    offset = space.lastIndex;
    const end = findMiscEnd(text, offset);
    if (end === undefined) return offset;
    offset = end;
  }
}

function findMiscEnd(text: string, offset: number): number | undefined {
  if (text.startsWith('<!--', offset)) return findEndAfter(text, '-->', offset + 4);
  if (text.startsWith('<?', offset)) return findEndAfter(text, '?>', offset + 2);
  if (!text.startsWith('<!DOCTYPE', offset)) return undefined;
  const end = findEndAfter(text, '>', offset);
  const subset = text.indexOf('[', offset);
  return subset >= 0 && subset < end ? findEndAfter(text, '>', findEndAfter(text, ']', subset)) : end;
}

function findEndAfter(text: string, terminator: string, from: number): number {
  const at = text.indexOf(terminator, from);
  return at < 0 ? text.length : at + terminator.length;
}

function readAttributesAt(text: string, offset: number): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  const attribute = /\s+([^\s=<>/'"]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
  attribute.lastIndex = offset;
  for (let match = attribute.exec(text); match; match = attribute.exec(text)) {
    const [, name = '', doubleQuoted, singleQuoted] = match;
    attributes.set(name, doubleQuoted ?? singleQuoted ?? '');
  }
  return attributes;
}

function computeSvgSize(attributes: ReadonlyMap<string, string>): SvgSize {
  const width = parsePixels(attributes.get('width'));
  const height = parsePixels(attributes.get('height'));
  if (width && height) return { width, height };
  const [, , boxWidth, boxHeight] = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (!boxWidth || !boxHeight || !(boxWidth > 0 && boxHeight > 0)) return {};
  if (width) return { width, height: (width * boxHeight) / boxWidth };
  if (height) return { width: (height * boxWidth) / boxHeight, height };
  return { width: boxWidth, height: boxHeight };
}

/** A CSS pixel is 1/96 inch. */
const pixelsPerUnit: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
};

function parsePixels(length: string | undefined): number | undefined {
  const match = /^(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(px|pt|pc|mm|cm|in|)$/.exec((length ?? '').trim());
  if (!match) return undefined;
  const pixels = Number(match[1]) * (pixelsPerUnit[match[2] ?? ''] ?? 1);
  return pixels > 0 ? pixels : undefined;
}
