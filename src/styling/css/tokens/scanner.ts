/** Scans the text of a style sheet, skipping white space and comments. */
import type { CssComplaints } from '../model/css-complaints.ts';

const space = /[ \t\r\n\f]+/y;

export class Scanner {
  readonly text: string;
  readonly complaints: CssComplaints;
  at = 0;
  #comments: string[] = [];

  constructor(text: string, complaints: CssComplaints) {
    this.text = text;
    this.complaints = complaints;
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The next character; empty at the end. */
  get character(): string {
    return this.text.charAt(this.at);
  }

  /** Skips white space and comments; keeps the comments for `readComments`. */
  skipSpace(): void {
    for (;;) {
      space.lastIndex = this.at;
      if (space.test(this.text)) this.at = space.lastIndex;
      if (!this.text.startsWith('/*', this.at)) return;
      const end = this.text.indexOf('*/', this.at + 2);
      if (end < 0) {
        this.complaints.add(this.at, 'comment', "the comment that begins here has no closing '*/'");
        this.at = this.text.length;
        return;
      }
      this.#comments.push(this.text.slice(this.at + 2, end));
      this.at = end + 2;
    }
  }

  /** Returns the comments skipped since the last call. */
  readComments(): readonly string[] {
    const comments = this.#comments;
    if (comments.length > 0) this.#comments = [];
    return comments;
  }

  /** Reads the match of a sticky pattern; returns undefined if it does not match here. */
  readPattern(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  readCharacter(character: string): boolean {
    if (this.text.charAt(this.at) !== character) return false;
    this.at += 1;
    return true;
  }

  /** Formats the next character for a message: `'{'`, or `the end`. */
  formatNextCharacter(): string {
    if (this.isAtEnd) return 'the end';
    return `'${String.fromCodePoint(this.text.codePointAt(this.at) ?? 0).toWellFormed()}'`;
  }

  /** Moves to the first of the characters outside strings, brackets and comments, or to the end. */
  skipTo(characters: string): void {
    this.at = this.find(characters);
  }

  /** Skips to the end of the current block, including nested blocks. */
  skipBlock(): void {
    for (let open = 1; open > 0 && !this.isAtEnd; ) {
      this.skipTo('{}');
      if (this.readCharacter('{')) open += 1;
      else if (this.readCharacter('}')) open -= 1;
    }
  }

  find(characters: string): number {
    const { text } = this;
    let depth = 0;
    for (let at = this.at; at < text.length; at += 1) {
      const character = text.charAt(at);
      if (depth === 0 && characters.includes(character)) return at;
      switch (character) {
        case "'":
        case '"': {
          const end = findStringEnd(text, at);
          // Ignore an unclosed string; otherwise it would hide everything after it.
          if (end !== undefined) at = end - 1;
          break;
        }
        case '/':
          if (text.charAt(at + 1) === '*') {
            const end = text.indexOf('*/', at + 2);
            if (end < 0) return text.length;
            at = end + 1;
          }
          break;
        case '[':
        case '(':
          depth += 1;
          break;
        case ']':
        case ')':
          depth = Math.max(0, depth - 1);
          break;
        case ';':
        case '{':
        case '}':
          // These characters cannot occur in brackets, so a bracket is unclosed.
          if (characters.includes(character)) return at;
          break;
      }
    }
    return text.length;
  }
}

/**
 * Returns the offset behind the closing quote; undefined if it is missing. A backslash escapes a quote. A string that
 * continues on the next line must not contain braces or semicolons there: it is assumed to be unclosed.
 */
export function findStringEnd(text: string, start: number, isGuarded = true): number | undefined {
  const quote = text.charCodeAt(start);
  let isOverLines = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === 0x5c && isGuarded) at += 1;
    else if (code === 0x0a) isOverLines = true;
    else if (isOverLines && (code === 0x7b || code === 0x7d || code === 0x3b)) return undefined;
  }
  return undefined;
}
