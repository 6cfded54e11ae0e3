/** Reads GML coordinates in all their spellings. */

import type { XmlElement } from '../../lib/xml/element.ts';
import { attribute, listChildElements } from '../../lib/xml/elements.ts';
import { readElementText, splitWords } from '../../lib/xml/text.ts';
import type { Position } from '../model/geometry-literal.ts';
import { parseDecimal } from '../model/literal.ts';
import { quoteExcerpt, type XmlFilterContext } from './filter-context.ts';

/**
 * Reads all positions directly in an element, which must have the same dimension; returns undefined after an error
 * was reported. A list of numbers declares the dimension itself or inherits it.
 */
export function readPositions(
  reading: XmlFilterContext,
  element: XmlElement,
  srsDimension?: string,
): readonly Position[] | undefined {
  const declared = attribute(element, 'srsDimension') ?? srsDimension;
  const positions = element.local.endsWith('Corner')
    ? [parseNumbers(readElementText(element))]
    : listChildElements(element).flatMap((each) => readPositionElement(reading, each, element, declared));
  const dimensions = positions[0]?.length ?? 0;
  const isSound = positions.every((each) => each.length === dimensions && each.every(Number.isFinite));
  if (positions.length > 0 && isSound && (dimensions === 2 || dimensions === 3)) return positions;
  reading.report(
    element,
    `the positions of ${element.local} must be numbers, two or three per position, but ${quoteExcerpt(collectText(element))} was found`,
  );
  return undefined;
}

function readPositionElement(
  reading: XmlFilterContext,
  element: XmlElement,
  parent: XmlElement,
  srsDimension: string | undefined,
): readonly Position[] {
  switch (element.local) {
    case 'pos':
      return [parseNumbers(readElementText(element))];
    case 'posList': {
      const declared = attribute(element, 'srsDimension') ?? srsDimension;
      return splitPositions(parseNumbers(readElementText(element)), declared?.trim() === '3' ? 3 : 2);
    }
    case 'coord':
      return [listChildElements(element).map((ordinate) => parseDecimal(readElementText(ordinate)))];
    case 'coordinates':
      return parseCoordinates(element);
    default:
      reading.report(
        element,
        `${quoteExcerpt(element.name)} is not expected in ${parent.local}. Expected: coordinates, coord, pos or posList`,
      );
      return [];
  }
}

/** Parses GML 2 coordinates with configurable separators. */
function parseCoordinates(element: XmlElement): readonly Position[] {
  const decimalPoint = attribute(element, 'decimal') ?? '.';
  const betweenOrdinates = attribute(element, 'cs') ?? ',';
  const betweenPositions = attribute(element, 'ts') ?? ' ';
  const text = readElementText(element);
  const tuples =
    betweenPositions.trim() === ''
      ? splitWords(removeSpaceAround(text, betweenOrdinates))
      : text.split(betweenPositions);
  return tuples.map((tuple) =>
    tuple.split(betweenOrdinates).map((ordinate) => parseDecimal(ordinate.trim().replace(decimalPoint, '.'))),
  );
}

/** Clients send `1, 2 3, 4`: a space after a comma is not a separator. */
function removeSpaceAround(text: string, separator: string): string {
  return separator.trim() === ''
    ? text
    : text
        .split(separator)
        .map((part) => part.trim())
        .join(separator);
}

function parseNumbers(text: string): Position {
  return splitWords(text).map(parseDecimal);
}

function splitPositions(numbers: readonly number[], size: number): readonly Position[] {
  const positions: Position[] = [];
  for (let at = 0; at < numbers.length; at += size) positions.push(numbers.slice(at, at + size));
  return positions;
}

function collectText(element: XmlElement): string {
  return element.children.map((node) => (node.kind === 'text' ? node.text : collectText(node))).join(' ');
}
