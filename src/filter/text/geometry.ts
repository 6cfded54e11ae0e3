/** Reads well-known text with an optional `SRID=…;` prefix. */
import type { EnvelopeLiteral, GeometryLiteral, Position } from '../model/geometry-literal.ts';
import type { TokenStream } from './token-stream.ts';
import { createUnexpectedError, TextError } from './tokens.ts';

const types = new Set([
  'POINT',
  'LINESTRING',
  'POLYGON',
  'MULTIPOINT',
  'MULTILINESTRING',
  'MULTIPOLYGON',
  'GEOMETRYCOLLECTION',
  'ENVELOPE',
]);

/** Whether the next token starts a geometry rather than an attribute or a function. */
export function isGeometryStart(tokens: TokenStream): boolean {
  const { kind, text } = tokens.peek();
  if (kind !== 'word') return false;
  const word = text.toUpperCase();
  if (word === 'SRID') return tokens.isSign('=', 1) && tokens.peek(2).kind === 'number' && tokens.isSign(';', 3);
  // `envelope(geom)` is a function.
  if (word === 'ENVELOPE' && tokens.isSign('(', 1) && tokens.peek(2).kind === 'word') return false;
  return types.has(word) && (tokens.isSign('(', 1) || (tokens.isWord('Z', 1) && tokens.isSign('(', 2)));
}

export function readGeometry(tokens: TokenStream): GeometryLiteral {
  if (!tokens.isWord('SRID')) return readPlain(tokens, undefined);
  tokens.next();
  tokens.expectSign('=');
  const code = tokens.next();
  tokens.expectSign(';');
  return readPlain(tokens, `EPSG:${code.text}`);
}

function readPlain(tokens: TokenStream, srsName: string | undefined): GeometryLiteral {
  return tokens.readNested(() => {
    const word = tokens.next();
    tokens.acceptWord('Z');
    const base = { kind: 'geometry', ...(srsName === undefined ? {} : { srsName }) } as const;
    switch (word.text.toUpperCase()) {
      case 'POINT':
        return { ...base, type: 'Point', coordinates: readInBrackets(tokens, () => readPosition(tokens)) };
      case 'LINESTRING':
        return { ...base, type: 'LineString', coordinates: readLine(tokens) };
      case 'POLYGON':
        return { ...base, type: 'Polygon', coordinates: readList(tokens, () => readRing(tokens)) };
      case 'MULTIPOINT':
        return { ...base, type: 'MultiPoint', members: readList(tokens, () => readMemberPoint(tokens)) };
      case 'MULTILINESTRING':
        return {
          ...base,
          type: 'MultiLineString',
          members: readList(tokens, () => ({ kind: 'geometry', type: 'LineString', coordinates: readLine(tokens) })),
        };
      case 'MULTIPOLYGON':
        return {
          ...base,
          type: 'MultiPolygon',
          members: readList(tokens, () => ({
            kind: 'geometry',
            type: 'Polygon',
            coordinates: readList(tokens, () => readRing(tokens)),
          })),
        };
      case 'GEOMETRYCOLLECTION':
        return { ...base, type: 'GeometryCollection', members: readList(tokens, () => readPlain(tokens, undefined)) };
      case 'ENVELOPE':
        return { ...base, type: 'Envelope', coordinates: readEnvelope(tokens) };
      default:
        throw createUnexpectedError(word, 'a geometry such as POINT, LINESTRING or POLYGON');
    }
  });
}

export function readSignedNumber(tokens: TokenStream): number {
  const isNegative = tokens.acceptSign('-');
  if (!isNegative) tokens.acceptSign('+');
  const token = tokens.next();
  if (token.kind !== 'number') throw createUnexpectedError(token, 'a number');
  return isNegative ? -Number(token.text) : Number(token.text);
}

function readInBrackets<T>(tokens: TokenStream, read: () => T): T {
  tokens.expectSign('(');
  const result = read();
  tokens.expectSign(')', ' or a comma');
  return result;
}

function readList<T>(tokens: TokenStream, read: () => T): readonly T[] {
  return readInBrackets(tokens, () => {
    const items = [read()];
    while (tokens.acceptSign(',')) items.push(read());
    return items;
  });
}

function readPosition(tokens: TokenStream): Position {
  const ordinates = [readSignedNumber(tokens), readSignedNumber(tokens)];
  const { kind } = tokens.peek();
  if (kind === 'number' || tokens.isSign('-')) ordinates.push(readSignedNumber(tokens));
  return ordinates;
}

function readLine(tokens: TokenStream): readonly Position[] {
  const { offset } = tokens.peek();
  const positions = readList(tokens, () => readPosition(tokens));
  if (positions.length < 2) throw new TextError(offset, 'a line requires at least two positions');
  return positions;
}

function readRing(tokens: TokenStream): readonly Position[] {
  const { offset } = tokens.peek();
  const positions = readList(tokens, () => readPosition(tokens));
  const [first] = positions;
  const last = positions.at(-1);
  if (positions.length < 4 || first?.some((ordinate, index) => ordinate !== last?.[index]))
    throw new TextError(offset, 'a ring requires at least four positions, the last equal to the first');
  return positions;
}

/** The points of a MULTIPOINT can be written with or without their own brackets. */
function readMemberPoint(tokens: TokenStream): GeometryLiteral {
  const read = (): Position => readPosition(tokens);
  return { kind: 'geometry', type: 'Point', coordinates: tokens.isSign('(') ? readInBrackets(tokens, read) : read() };
}

/** `ENVELOPE(west, east, south, north)`. */
function readEnvelope(tokens: TokenStream): readonly [Position, Position] {
  const { offset } = tokens.peek();
  const [west, east, south, north, more] = readList(tokens, () => readSignedNumber(tokens));
  if (west === undefined || east === undefined || south === undefined || north === undefined || more !== undefined)
    throw new TextError(offset, 'ENVELOPE requires four numbers: west, east, south and north');
  return [
    [west, south],
    [east, north],
  ];
}

/** Reads the arguments of a CQL2 `BBOX`: west, south, east and north, with or without heights. */
export function readBox(tokens: TokenStream): EnvelopeLiteral {
  const { offset } = tokens.peek();
  return {
    kind: 'geometry',
    type: 'Envelope',
    coordinates: toBoxCorners(
      readList(tokens, () => readSignedNumber(tokens)),
      offset,
    ),
  };
}

function toBoxCorners(numbers: readonly number[], offset: number): EnvelopeLiteral['coordinates'] {
  if (numbers.length !== 4 && numbers.length !== 6)
    throw new TextError(offset, 'BBOX requires four numbers (west, south, east, north), or six with heights');
  return [numbers.slice(0, numbers.length / 2), numbers.slice(numbers.length / 2)];
}
