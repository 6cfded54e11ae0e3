/** Reads layout documents: the decorations of a map with their positions. */
import { decodeText } from '../../lib/files/decode-text.ts';
import { problem } from '../../lib/problems/problem.ts';
import { readTemplate } from '../../lib/template/read-template.ts';
import { TemplateSyntaxError } from '../../lib/template/template.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { attribute, listChildElements } from '../../lib/xml/elements.ts';
import { readXml } from '../../lib/xml/reader.ts';
import {
  type DecorationTypeName,
  decorationTypes,
  findDecorationOption,
  isDecorationType,
} from './decoration-types.ts';

export interface Layout {
  readonly decorations: readonly LayoutDecoration[];
  /** What is ignored, each with its position. */
  readonly warnings: readonly string[];
}

export interface LayoutDecoration extends DecorationPlacement {
  readonly type: DecorationTypeName;
  /** As written, by the declared name. */
  readonly options: ReadonlyMap<string, string>;
}

/** Lengths are in pixels of 0.28 mm. */
export interface DecorationPlacement {
  readonly horizontal: 'left' | 'center' | 'right';
  readonly vertical: 'top' | 'center' | 'bottom';
  /** The distance from the edge. */
  readonly offset: { readonly x: number; readonly y: number };
  /** The largest size; undefined for the size of the content. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/** A layout has a few decorations; more would cover the map. */
export const MAX_DECORATIONS = 20;
export const MAX_LAYOUT_BYTES = 65_536;
const MAX_OFFSET_PIXELS = 10_000;
const limits = { maxDepth: 20, maxNodes: 2_000 };

const horizontals = ['left', 'center', 'right'] as const;
const verticals = ['top', 'center', 'bottom'] as const;

/** Throws `layout-invalid` or a problem of XML. In strict handling, warnings are errors too. */
export function readLayout(bytes: Uint8Array, { strict }: { readonly strict: boolean } = { strict: false }): Layout {
  const root = readXml(decodeText(bytes, undefined, true), limits);
  if (root.local !== 'layout') throw createFault(root, `expected <layout>, found <${root.name}>`);
  const warnings: string[] = [];
  const warn = (element: XmlElement, sentence: string): void => {
    if (strict) throw createFault(element, sentence);
    warnings.push(`Line ${element.line}, column ${element.column}: ${sentence}.`);
  };
  const elements = listChildElements(root).filter((element) => {
    if (element.local !== 'decoration') warn(element, `<${element.name}> is ignored`);
    return element.local === 'decoration';
  });
  if (elements.length > MAX_DECORATIONS) {
    throw createFault(root, `a layout has at most ${MAX_DECORATIONS} decorations, found ${elements.length}`);
  }
  const decorations = elements.map((element) =>
    readDecoration(element, (sentence, at = element) => warn(at, sentence)),
  );
  return { decorations, warnings };
}

type Warn = (sentence: string, at?: XmlElement) => void;

function readDecoration(element: XmlElement, warn: Warn): LayoutDecoration {
  const written = attribute(element, 'type') ?? '';
  const type = written.trim().toLowerCase();
  if (!isDecorationType(type)) {
    throw createFault(
      element,
      `unknown decoration type '${excerpt(written)}'. Available: ${Object.keys(decorationTypes).join(', ')}`,
    );
  }
  const options = new Map<string, string>();
  for (const child of listChildElements(element)) readOption(child, type, options, (sentence) => warn(sentence, child));
  const required = type === 'image' ? 'url' : type === 'text' ? 'message' : undefined;
  if (required !== undefined && !options.has(required)) {
    throw createFault(element, `a decoration of the type ${type} needs the option '${required}'`);
  }
  return { type, options, ...readPlacement(element, warn) };
}

function readOption(element: XmlElement, type: DecorationTypeName, options: Map<string, string>, warn: Warn): void {
  const name = attribute(element, 'name')?.trim() ?? '';
  const found = element.local === 'option' ? findDecorationOption(type, name) : undefined;
  if (found === undefined) {
    warn(
      element.local === 'option'
        ? `the option '${excerpt(name)}' of ${type} is unknown`
        : `<${element.name}> is ignored`,
    );
    return;
  }
  const [known, kind] = found;
  const content = element.children.map((child) => (child.kind === 'text' ? child.text : '')).join('');
  const value = attribute(element, 'value') ?? content.trim();
  if (hasTemplate(value)) checkTemplate(element, value);
  else if (kind.parse(value.trim()) === undefined) {
    warn(`the option '${known}' is ignored: expected ${kind.expected}, found '${excerpt(value)}'`);
    return;
  }
  options.set(known, value);
}

/** Whether a value depends on the request. */
export function hasTemplate(value: string): boolean {
  return value.includes('${') || value.includes('<#');
}

function checkTemplate(element: XmlElement, value: string): void {
  try {
    readTemplate(value);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    throw createFault(
      element,
      `the text '${excerpt(value)}' is invalid at character ${error.offset + 1}: ${error.message}`,
    );
  }
}

function readPlacement(element: XmlElement, warn: Warn): DecorationPlacement {
  const affinity = (attribute(element, 'affinity') ?? 'bottom,right')
    .split(',')
    .map((word) => word.trim().toLowerCase());
  for (const word of affinity) {
    if (![...horizontals, ...verticals].some((known) => known === word)) {
      warn(
        `the affinity '${excerpt(word)}' is ignored: expected one of top, center, bottom and one of left, center, right`,
      );
    }
  }
  const offset = readPair(attribute(element, 'offset') ?? '0,0');
  if (offset === undefined) warn("the offset is ignored: expected two numbers of pixels such as '6,6'");
  const size = attribute(element, 'size') ?? 'auto';
  const isAutomatic = size.trim().toLowerCase() === 'auto';
  const pair = isAutomatic ? undefined : readPair(size);
  const isEmpty = pair !== undefined && (pair[0] === 0 || pair[1] === 0);
  if (!isAutomatic && (pair === undefined || isEmpty)) {
    warn("the size is ignored: expected 'auto' or two numbers of pixels such as '100,50'");
  }
  return {
    horizontal: horizontals.find((word) => word !== 'center' && affinity.includes(word)) ?? 'center',
    vertical: verticals.find((word) => word !== 'center' && affinity.includes(word)) ?? 'center',
    offset: { x: offset?.[0] ?? 0, y: offset?.[1] ?? 0 },
    size: pair === undefined || isEmpty ? undefined : { width: pair[0], height: pair[1] },
  };
}

function readPair(text: string): readonly [number, number] | undefined {
  const [, x, y] = /^\s*([\d.]+)\s*[,x]\s*([\d.]+)\s*$/.exec(text) ?? [];
  const pair = [Number(x), Number(y)] as const;
  return pair.every((each) => each <= MAX_OFFSET_PIXELS) ? pair : undefined;
}

function createFault({ line, column }: XmlElement, reason: string) {
  return problem('layout-invalid', { line, column, reason });
}
