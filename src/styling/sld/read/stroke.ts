/** Reads strokes. */

import type { Expression } from '../../../data/filter/expression.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { GraphicStroke, Stroke } from '../../model/stroke.ts';
import { readNamedParameters } from './css-parameters.ts';
import { child, ifThere, listOrNone } from './elements.ts';
import { readGraphic } from './graphic.ts';
import { readParameter, readValueList } from './parameter.ts';
import type { Reading } from './reading.ts';
import { color, length, lineCap, lineJoin, offset, opacity, type ValueKind } from './values.ts';

interface StrokeParameters {
  color?: Expression | undefined;
  opacity?: Expression | undefined;
  width?: Expression | undefined;
  lineJoin?: Expression | undefined;
  lineCap?: Expression | undefined;
  dashArray?: readonly Expression[] | undefined;
  dashOffset?: Expression | undefined;
}

export function readStroke(reading: Reading, element: XmlElement): Stroke {
  const found: StrokeParameters = {};
  const set = (key: Exclude<keyof StrokeParameters, 'dashArray'>, kind: ValueKind) => (each: XmlElement) => {
    found[key] = readParameter(reading, each, kind);
  };
  readNamedParameters(reading, element, {
    stroke: set('color', color),
    'stroke-opacity': set('opacity', opacity),
    'stroke-width': set('width', length),
    'stroke-linejoin': set('lineJoin', lineJoin),
    'stroke-linecap': set('lineCap', lineCap),
    'stroke-dasharray': (each) => {
      found.dashArray = listOrNone(readValueList(reading, each, length));
    },
    'stroke-dashoffset': set('dashOffset', offset),
  });
  return {
    kind: 'stroke',
    graphicFill: ifThere(element, 'GraphicFill', (holder) =>
      ifThere(holder, 'Graphic', (graphic) => readGraphic(reading, graphic)),
    ),
    graphicStroke: ifThere(element, 'GraphicStroke', (holder) => readGraphicStroke(reading, holder)),
    ...found,
  };
}

function readGraphicStroke(reading: Reading, element: XmlElement): GraphicStroke | undefined {
  const graphic = child(element, 'Graphic');
  if (graphic === undefined) return undefined;
  return {
    graphic: readGraphic(reading, graphic),
    initialGap: ifThere(element, 'InitialGap', (each) => readParameter(reading, each, offset)),
    gap: ifThere(element, 'Gap', (each) => readParameter(reading, each, offset)),
    perpendicularOffset: ifThere(element, 'PerpendicularOffset', (each) => readParameter(reading, each, offset)),
  };
}
