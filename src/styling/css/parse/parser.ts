/** Parses a style sheet with nested rules, and reports all errors. */
import type { CssComplaints } from '../model/css-complaints.ts';
import type { CssLimits } from '../model/css-limits.ts';
import type { CssRule, Declaration, StyleDirectives, Stylesheet } from '../model/stylesheet.ts';
import { Scanner } from '../tokens/scanner.ts';
import { propertyKinds } from '../values/properties.ts';
import { parseHeading } from './comment-heading.ts';
import { normalizePropertyName, readDeclaration } from './declaration.ts';
import { defaultAutoThreshold, readDirective } from './directives.ts';
import { readSelectors } from './selector.ts';

const namePattern = /-?[\p{L}_][\p{L}\p{N}_-]*/uy;

export function parseStylesheet(text: string, complaints: CssComplaints, limits: CssLimits): Stylesheet {
  const scanner = new Scanner(text, complaints);
  rejectUnwritable(text, complaints);
  const directives: StyleDirectives = { mode: 'auto', autoThreshold: defaultAutoThreshold };
  const rules: CssRule[] = [];
  for (;;) {
    scanner.skipSpace();
    if (scanner.isAtEnd || complaints.isFull) break;
    if (scanner.character === '@') {
      scanner.readComments();
      if (rules.length > 0) complaints.add(scanner.at, 'directive', 'directives (@…) must come before all rules');
      readDirective(scanner, directives);
    } else if (scanner.character === '}' || scanner.character === ';') {
      complaints.add(scanner.at, 'stylesheet', `${scanner.formatNextCharacter()} was found, but no block is open`);
      scanner.at += 1;
    } else {
      rules.push(readRule(scanner, limits, limits.maxDepth));
    }
  }
  return { kind: 'stylesheet', directives, rules };
}

/** Rejects control characters and lone surrogates, which XML does not allow, so the style could not become SLD. */
function rejectUnwritable(text: string, complaints: CssComplaints): void {
  const offset = text.search(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u);
  if (offset < 0) return;
  const code = text.codePointAt(offset)?.toString(16).toUpperCase().padStart(4, '0');
  complaints.add(offset, 'stylesheet', `the character U+${code} is not allowed in a style`);
}

function readRule(scanner: Scanner, limits: CssLimits, depth: number): CssRule {
  const heading = parseHeading(scanner.readComments());
  const offset = scanner.at;
  const selectors = readSelectors(scanner);
  const declarations: Declaration[] = [];
  const rules: CssRule[] = [];
  const rule = { kind: 'rule', offset, selectors, declarations, rules, ...heading } as const;

  const brace = scanner.at;
  if (!scanner.readCharacter('{')) {
    scanner.complaints.add(
      brace,
      'selector',
      `'{' was expected after the selector, but ${scanner.formatNextCharacter()} was found`,
    );
    if (!scanner.readCharacter(';') && depth === limits.maxDepth) scanner.readCharacter('}');
    return rule;
  }
  if (depth <= 0) {
    scanner.complaints.add(brace, 'rule', `rules are nested deeper than the limit of ${limits.maxDepth} levels`);
    scanner.skipBlock();
    return rule;
  }
  readBlock(scanner, limits, depth, { rule, declarations, rules, brace });
  return rule;
}

interface Block {
  readonly rule: CssRule;
  readonly declarations: Declaration[];
  readonly rules: CssRule[];
  readonly brace: number;
}

function readBlock(scanner: Scanner, limits: CssLimits, depth: number, block: Block): void {
  for (;;) {
    scanner.skipSpace();
    if (scanner.complaints.isFull) return;
    if (scanner.isAtEnd) {
      scanner.complaints.add(block.brace, 'rule', "the block that begins here has no closing '}'");
      return;
    }
    if (scanner.readCharacter('}')) {
      scanner.readComments();
      return;
    }
    if (scanner.readCharacter(';')) continue;
    if (isDeclarationStart(scanner)) {
      scanner.readComments();
      const declaration = readDeclaration(scanner, limits.maxDepth);
      if (declaration !== undefined) block.declarations.push(declaration);
    } else if (scanner.character === '@') {
      scanner.complaints.add(scanner.at, 'directive', 'directives (@…) must come before all rules');
      scanner.skipTo(';}{');
    } else {
      block.rules.push(readRule(scanner, limits, depth - 1));
    }
  }
}

/**
 * Distinguishes `fill: red` from `roads:mark {…`: a name is a property if no block follows or the property is known.
 */
function isDeclarationStart(scanner: Scanner): boolean {
  const start = scanner.at;
  const name = scanner.readPattern(namePattern);
  if (name === undefined) return false;
  scanner.skipSpace();
  const hasColon = scanner.character === ':';
  const isKnown = hasColon && propertyKinds.has(normalizePropertyName(name));
  const end = isKnown || !hasColon ? '' : scanner.text.charAt(scanner.find(';{}'));
  const next = scanner.character;
  scanner.at = start;
  if (hasColon) return isKnown || end !== '{';
  // Report a property without a colon as such.
  return (
    next !== '{' &&
    next !== '[' &&
    next !== ',' &&
    next !== '#' &&
    next !== '*' &&
    scanner.text.charAt(scanner.find(';{}')) !== '{'
  );
}
