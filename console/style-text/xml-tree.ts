/** Reads the elements of an XML text with their positions. */
import type { TextRange } from './css-tree.ts';

export interface XmlElement extends TextRange {
  /** Without its prefix. */
  readonly name: string;
  /** With a colon at its end, or empty. */
  readonly prefix: string;
  /** The start tag. */
  readonly open: TextRange;
  /** Empty at the end of a self-closing element. */
  readonly content: TextRange;
  readonly isSelfClosing: boolean;
  readonly children: readonly XmlElement[];
  readonly parent: XmlElement | undefined;
}

type Draft = { -readonly [K in keyof XmlElement]: XmlElement[K] } & { children: XmlElement[] };

const pieces =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^>[]*>|<(\/?)([\w:.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*?)(\/?)>|</g;

/** Returns the root; undefined for texts that are not well-formed. */
export function readXml(text: string): XmlElement | undefined {
  const open: Draft[] = [];
  let root: XmlElement | undefined;
  for (const found of text.matchAll(pieces)) {
    const [piece, slash, tag, , selfClosing] = found;
    if (piece === '<') return undefined;
    if (tag === undefined) continue;
    const to = found.index + piece.length;
    const parent = open.at(-1);
    if (slash === '/') {
      if (parent === undefined || `${parent.prefix}${parent.name}` !== tag) return undefined;
      parent.content = { from: parent.open.to, to: found.index };
      parent.to = to;
      open.pop();
      continue;
    }
    if (parent === undefined && root !== undefined) return undefined;
    const colon = tag.indexOf(':') + 1;
    const element: Draft = {
      name: tag.slice(colon),
      prefix: tag.slice(0, colon),
      open: { from: found.index, to },
      content: { from: to, to },
      isSelfClosing: selfClosing === '/',
      children: [],
      parent,
      from: found.index,
      to,
    };
    parent?.children.push(element);
    root ??= element;
    if (!element.isSelfClosing) open.push(element);
  }
  return open.length === 0 ? root : undefined;
}

export function findAll(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.flatMap((child) => (child.name === name ? [child] : findAll(child, name)));
}

export function readAttribute(text: string, { open }: XmlElement, name: string): string | undefined {
  return new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    .exec(text.slice(open.from, open.to))
    ?.slice(1)
    .find((value) => value !== undefined);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function decodeXml(text: string): string {
  return text.replaceAll(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (name.startsWith('#')) {
      const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    }
    return entities[name] ?? whole;
  });
}

export function encodeXml(text: string): string {
  return text.replaceAll(/[&<>]/g, (sign) => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;'));
}
