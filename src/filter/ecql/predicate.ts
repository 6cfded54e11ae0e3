/** Reads the spatial conditions of ECQL. */
import type { Filter, SpatialOperator } from '../model/filter.ts';
import { readSignedNumber } from '../text/geometry.ts';
import type { ReadExpression, TokenStream } from '../text/token-stream.ts';
import { createUnexpectedError, TextError } from '../text/tokens.ts';

const operators: Readonly<Record<string, SpatialOperator>> = {
  EQUALS: 'equals',
  DISJOINT: 'disjoint',
  TOUCHES: 'touches',
  WITHIN: 'within',
  OVERLAPS: 'overlaps',
  CROSSES: 'crosses',
  INTERSECTS: 'intersects',
  CONTAINS: 'contains',
};

const others = new Set(['BBOX', 'DWITHIN', 'BEYOND', 'RELATE']);

/** First words of the distance units that consist of two words. */
const miles = new Set(['statute', 'nautical']);

export function isPredicateStart(tokens: TokenStream): boolean {
  const word = tokens.peek().text.toUpperCase();
  return tokens.isSign('(', 1) && (Object.hasOwn(operators, word) || others.has(word));
}

export function readPredicate(tokens: TokenStream, readExpression: ReadExpression): Filter {
  return tokens.readNested(() => {
    const word = tokens.next().text.toUpperCase();
    tokens.expectSign('(');
    const filter =
      word === 'BBOX' ? readBoundingBox(tokens, readExpression) : readRelation(tokens, word, readExpression);
    tokens.expectSign(')');
    return filter;
  });
}

function readRelation(tokens: TokenStream, word: string, readExpression: ReadExpression): Filter {
  const left = readExpression(tokens);
  tokens.expectSign(',');
  const right = readExpression(tokens);
  const operator = operators[word];
  if (operator !== undefined) return { kind: 'spatial', operator, left, right };
  tokens.expectSign(',');
  if (word !== 'RELATE')
    return readDistance(tokens, { operator: word === 'DWITHIN' ? 'within' : 'beyond', left, right });
  const pattern = tokens.next();
  if (pattern.kind !== 'string' || !/^[TF*012]{9}$/i.test(pattern.text))
    throw createUnexpectedError(pattern, "a pattern of nine characters such as 'T*F**F***'");
  return { kind: 'relate', left, right, pattern: pattern.text.toUpperCase() };
}

function readDistance(
  tokens: TokenStream,
  relation: Pick<Filter & { kind: 'distance' }, 'operator' | 'left' | 'right'>,
): Filter {
  const { offset } = tokens.peek();
  const distance = readSignedNumber(tokens);
  if (distance < 0) throw new TextError(offset, 'a distance must not be negative');
  if (!tokens.acceptSign(',')) return { kind: 'distance', ...relation, distance };
  const unit = tokens.next();
  if (unit.kind !== 'word') throw createUnexpectedError(unit, 'a unit such as meters or kilometers');
  const name = unit.text.toLowerCase();
  const units = miles.has(name) && tokens.acceptWord('MILES') ? `${name} miles` : name;
  return { kind: 'distance', ...relation, distance, units };
}

/** `BBOX(geometry, west, south, east, north[, 'EPSG:4326'])`. */
function readBoundingBox(tokens: TokenStream, readExpression: ReadExpression): Filter {
  const { offset } = tokens.peek();
  const geometry = readExpression(tokens);
  const ordinates = [1, 2, 3, 4].map(() => {
    tokens.expectSign(',');
    return readSignedNumber(tokens);
  });
  const [west = 0, south = 0, east = 0, north = 0] = ordinates;
  const corners = [
    [west, south],
    [east, north],
  ] as const;
  const box = { kind: 'geometry', type: 'Envelope', coordinates: corners } as const;
  if (!tokens.acceptSign(',')) return { kind: 'boundingBox', geometry, bounds: tokens.recordOffset(box, offset) };
  const system = tokens.next();
  if (system.kind !== 'string')
    throw createUnexpectedError(system, "a coordinate reference system such as 'EPSG:4326'");
  return { kind: 'boundingBox', geometry, bounds: tokens.recordOffset({ ...box, srsName: system.text }, offset) };
}
