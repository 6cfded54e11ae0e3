/** Reads anchors and displacements. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Point } from '../../model/point.ts';
import { child } from './elements.ts';
import { readParameter } from './parameter.ts';
import type { Reading } from './reading.ts';
import { number, offset, type ValueKind } from './values.ts';

export function readAnchorPoint(reading: Reading, element: XmlElement): Point | undefined {
  return readPoint(reading, element, 'AnchorPoint', number);
}

export function readDisplacement(reading: Reading, element: XmlElement): Point | undefined {
  return readPoint(reading, element, 'Displacement', offset);
}

function readPoint(reading: Reading, element: XmlElement, prefix: string, kind: ValueKind): Point | undefined {
  const [x, y] = [child(element, `${prefix}X`), child(element, `${prefix}Y`)].map((each) =>
    each === undefined ? undefined : readParameter(reading, each, kind),
  );
  return x === undefined || y === undefined ? undefined : { x, y };
}
