/** Reads fills. */

import type { Expression } from '../../../data/filter/expression.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Fill } from '../../model/fill.ts';
import { readNamedParameters } from './css-parameters.ts';
import { ifThere } from './elements.ts';
import { readGraphic } from './graphic.ts';
import { readParameter } from './parameter.ts';
import type { Reading } from './reading.ts';
import { color, opacity } from './values.ts';

export function readFill(reading: Reading, element: XmlElement): Fill {
  let fillColor: Expression | undefined;
  let fillOpacity: Expression | undefined;
  readNamedParameters(reading, element, {
    fill: (each) => {
      fillColor = readParameter(reading, each, color);
    },
    'fill-opacity': (each) => {
      fillOpacity = readParameter(reading, each, opacity);
    },
  });
  return {
    kind: 'fill',
    graphicFill: ifThere(element, 'GraphicFill', (holder) =>
      ifThere(holder, 'Graphic', (graphic) => readGraphic(reading, graphic)),
    ),
    color: fillColor,
    opacity: fillOpacity,
  };
}
