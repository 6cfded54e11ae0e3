/** Reads fonts, halos and label placements. */
import type { Expression } from '../../../filter/model/expression.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child, readChild } from '../../../lib/xml/elements.ts';
import type { Font, Halo, LabelPlacement } from '../../model/symbolizer.ts';
import type { SldReadContext } from '../document/read-context.ts';
import { readAnchorPoint, readDisplacement, readFlag, readNamedParameters } from './common-parts.ts';
import { readParameter } from './expression.ts';
import { readFill } from './paint.ts';
import { anyText, fontStyle, fontWeight, length, number, offset } from './values.ts';

export function readFont(reading: SldReadContext, element: XmlElement): Font {
  const families: Expression[] = [];
  const found: { style?: Expression | undefined; weight?: Expression | undefined; size?: Expression | undefined } = {};
  readNamedParameters(
    reading,
    element,
    {
      'font-family': (each) => {
        const family = readParameter(reading, each, anyText);
        if (family !== undefined) families.push(family);
      },
      'font-style': (each) => {
        found.style = readParameter(reading, each, fontStyle);
      },
      'font-weight': (each) => {
        found.weight = readParameter(reading, each, fontWeight);
      },
      'font-size': (each) => {
        found.size = readParameter(reading, each, length);
      },
    },
    'font-family',
  );
  return { kind: 'font', families, ...found };
}

export function readHalo(reading: SldReadContext, element: XmlElement): Halo {
  return {
    kind: 'halo',
    radius: readChild(element, 'Radius', (each) => readParameter(reading, each, length)),
    fill: readChild(element, 'Fill', (each) => readFill(reading, each)),
  };
}

export function readLabelPlacement(reading: SldReadContext, element: XmlElement): LabelPlacement | undefined {
  const point = child(element, 'PointPlacement');
  if (point !== undefined) {
    return {
      kind: 'pointPlacement',
      anchorPoint: readChild(point, 'AnchorPoint', (each) => readAnchorPoint(reading, each)),
      displacement: readChild(point, 'Displacement', (each) => readDisplacement(reading, each)),
      rotation: readChild(point, 'Rotation', (each) => readParameter(reading, each, number)),
    };
  }
  const line = child(element, 'LinePlacement');
  if (line === undefined) return undefined;
  const readDistance = (name: string) => readChild(line, name, (each) => readParameter(reading, each, offset));
  const readChildFlag = (name: string) => readChild(line, name, (each) => readFlag(reading, each));
  return {
    kind: 'linePlacement',
    perpendicularOffset: readDistance('PerpendicularOffset'),
    isRepeated: readChildFlag('IsRepeated'),
    initialGap: readDistance('InitialGap'),
    gap: readDistance('Gap'),
    isAligned: readChildFlag('IsAligned'),
    generalizeLine: readChildFlag('GeneralizeLine'),
  };
}
