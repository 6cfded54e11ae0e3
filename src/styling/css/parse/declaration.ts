/** Reads a property and its values. */
import { excerpt } from '../../../lib/text/excerpt.ts';
import { findNearestName } from '../../../lib/text/nearest-name.ts';
import type { CssValue, Declaration } from '../model/stylesheet.ts';
import type { Scanner } from '../tokens/scanner.ts';
import { type RawValue, readRawValues } from '../tokens/terms.ts';
import { propertyAliases, propertyKinds } from '../values/properties.ts';
import type { ValueKind } from '../values/value-kind.ts';

const namePattern = /-?[\p{L}_][\p{L}\p{N}_-]*/uy;

/** SVG properties without an effect on maps, found in styles that are derived from drawings. */
const ignoredSvgProperties: ReadonlySet<string> = new Set([
  'stroke-miterlimit',
  'fill-rule',
  'font-stretch',
  'font-variant',
  'paint-order',
  'shape-rendering',
]);

/** `-gt-label-padding` is equivalent to `label-padding`. */
export function normalizePropertyName(name: string): string {
  const plain = name.toLowerCase().replace(/^-[a-z]+-/, '');
  return propertyAliases.get(plain) ?? plain;
}

/** Returns undefined after an error, with the scanner behind the unreadable part. */
export function readDeclaration(scanner: Scanner, maxDepth: number): Declaration | undefined {
  const offset = scanner.at;
  const written = scanner.readPattern(namePattern) ?? '';
  const property = normalizePropertyName(written);
  scanner.skipSpace();
  if (!scanner.readCharacter(':')) {
    const where = `':' was expected after '${excerpt(written)}', but ${scanner.formatNextCharacter()} was found`;
    scanner.complaints.add(scanner.at, written, where);
    skipDeclaration(scanner);
    return undefined;
  }

  const kind = propertyKinds.get(property);
  if (kind === undefined) {
    const guess = findNearestName(property, propertyKinds.keys());
    const hint = guess === undefined ? '' : `. Did you mean '${guess}'?`;
    const where = `unknown property '${excerpt(written)}'`;
    if (ignoredSvgProperties.has(property))
      scanner.complaints.warnUnlessStrict(offset, written, `${where}: it has no effect`, where);
    else scanner.complaints.add(offset, written, where + hint);
    skipDeclaration(scanner);
    return undefined;
  }
  const end = scanner.find(';{}');
  if (scanner.text.charAt(end) === '{') {
    scanner.complaints.add(
      end,
      property,
      `';' was expected between '${excerpt(written)}' and the rule that begins here`,
    );
    skipDeclaration(scanner);
    return undefined;
  }
  const lists = readRawValues(scanner, property, maxDepth);
  if (lists === undefined) {
    skipDeclaration(scanner);
    return undefined;
  }
  const isList = lists.some(({ terms }) => terms.length > 0);
  const values = lists.map((each) =>
    isList && each.terms.length === 0
      ? readNothing(scanner, property, each)
      : readValue(scanner, { property, kind, written: each, offset }),
  );
  endDeclaration(scanner, property);
  return values.every((value) => value !== undefined) ? { property, offset, values } : undefined;
}

interface ValueToRead {
  readonly property: string;
  readonly kind: ValueKind;
  readonly written: RawValue;
  readonly offset: number;
}

function readValue(scanner: Scanner, { property, kind, written, offset }: ValueToRead): CssValue | undefined {
  const [first] = written.terms;
  const value = first === undefined ? undefined : kind.read(written.terms);
  if (value !== undefined) return value;
  const found = first === undefined ? 'empty' : `'${excerpt(written.text.trim().replace(/\s+/g, ' '))}'`;
  const message = `'${property}' is ${found}, but ${kind.expected} was expected`;
  scanner.complaints.add(first?.offset ?? offset, property, message);
  return undefined;
}

/** An empty list item, as in `fill-size: , 8`, keeps the default of the property for one of the symbols. */
function readNothing(scanner: Scanner, property: string, { offset }: RawValue): CssValue {
  const where = `an item of '${property}' is empty`;
  scanner.complaints.warnUnlessStrict(
    offset,
    property,
    `${where}: the default is used`,
    `${where}, but a value was expected`,
  );
  return { kind: 'nothing' };
}

function endDeclaration(scanner: Scanner, property: string): void {
  if (scanner.readCharacter(';') || scanner.character === '}' || scanner.isAtEnd) return;
  scanner.complaints.add(
    scanner.at,
    property,
    `';' or '}' was expected, but ${scanner.formatNextCharacter()} was found`,
  );
  skipDeclaration(scanner);
}

/** Skips to the next property or the end of the block, including a block that follows. */
function skipDeclaration(scanner: Scanner): void {
  scanner.skipTo(';{}');
  if (scanner.readCharacter('{')) {
    scanner.skipBlock();
    return;
  }
  scanner.readCharacter(';');
}
