/** Builds the tree of an XML document from its tags and texts, within limits. */

import { problem } from '../problems/problem.ts';
import type { DocumentLimits } from '../text/document-limits.ts';
import { TextCursor } from '../text/text-position.ts';
import type { XmlAttribute, XmlElement, XmlNode } from './element.ts';

type OpenElement = { -readonly [Member in keyof XmlElement]: XmlElement[Member] };

/** The limit per element. The attributes of a tag are processed together; real documents have a few dozen. */
const MAX_ATTRIBUTES = 10_000;

/** Options that most documents do not need. */
export interface XmlReadingOptions {
  /** Whether texts record which of their ranges came from CDATA sections. */
  readonly markCdata?: boolean;
  /**
   * Called with each complete element and the open elements around it, the root first. Returns the element or its
   * replacement.
   */
  readonly closed?: (element: XmlElement, around: readonly XmlElement[]) => XmlElement;
}

export type XmlTag = Pick<XmlElement, 'name' | 'local' | 'uri' | 'attributes'>;

/** Shared by all elements without attributes, which most are. */
export const noAttributes: readonly XmlAttribute[] = Object.freeze([]);
const noChildren: readonly XmlNode[] = Object.freeze([]);

export class XmlTree {
  readonly #limits: DocumentLimits;
  readonly #options: XmlReadingOptions;
  readonly #cursor: TextCursor;
  readonly #open: OpenElement[] = [];
  /** For each open element, the index of its first child in `#children`. */
  readonly #firstChildren: number[] = [];
  // One stack for all open elements: separate growing lists would need ten times the memory.
  readonly #children: XmlNode[] = [];
  #root: XmlElement | undefined;
  #text = '';
  #cdata: (readonly [number, number])[] = [];
  #lastClosed: string | undefined;
  #nodes = 0;
  #attributes = 0;

  constructor(text: string, limits: DocumentLimits, options: XmlReadingOptions) {
    this.#limits = limits;
    this.#options = options;
    this.#cursor = new TextCursor(text);
  }

  get root(): XmlElement | undefined {
    return this.#root;
  }

  get innermost(): XmlElement | undefined {
    return this.#open.at(-1);
  }

  get depth(): number {
    return this.#open.length;
  }

  /** The name of the last closed element, for the message about a mismatched end tag. */
  get lastClosed(): string | undefined {
    return this.#lastClosed;
  }

  countAttribute(): void {
    this.#countNode();
    this.#attributes += 1;
    if (this.#attributes > MAX_ATTRIBUTES) throw problem('document-too-busy', { limit: MAX_ATTRIBUTES });
  }

  addText(part: string): void {
    if (this.#open.length > 0) this.#text += part;
  }

  addCdata(part: string): void {
    if (this.#options.markCdata) this.#cdata.push([this.#text.length, this.#text.length + part.length]);
    this.addText(part);
  }

  /** Opens an element whose tag begins at the offset. */
  open({ name, local, uri, attributes }: XmlTag, offset: number): void {
    if (this.#open.length >= this.#limits.maxDepth) {
      throw problem('document-too-deep', { limit: this.#limits.maxDepth });
    }
    this.#countNode();
    this.#attributes = 0;
    this.#flushText();
    const { line, column } = this.#cursor.moveTo(offset);
    const element: OpenElement = { kind: 'element', name, local, uri, attributes, children: noChildren, line, column };
    if (this.#open.length > 0) this.#children.push(element);
    this.#root ??= element;
    this.#open.push(element);
    this.#firstChildren.push(this.#children.length);
  }

  /** Closes the innermost element. */
  close(): void {
    this.#flushText();
    const element = this.#open.pop();
    const firstChild = this.#firstChildren.pop();
    if (element === undefined || firstChild === undefined) return;
    this.#lastClosed = element.name;
    if (this.#children.length > firstChild) {
      element.children = this.#children.slice(firstChild);
      this.#children.length = firstChild;
    }
    if (this.#options.closed === undefined) return;
    const replacement = this.#options.closed(element, this.#open);
    if (this.#open.length > 0) this.#children[firstChild - 1] = replacement;
    else this.#root = replacement;
  }

  #countNode(): void {
    this.#nodes += 1;
    if (this.#nodes > this.#limits.maxNodes) throw problem('document-too-busy', { limit: this.#limits.maxNodes });
  }

  #flushText(): void {
    const text = this.#text;
    const cdata = this.#cdata;
    this.#text = '';
    if (cdata.length > 0) this.#cdata = [];
    if (text === '') return;
    this.#children.push(cdata.length > 0 ? { kind: 'text', text, cdata } : { kind: 'text', text });
  }
}
