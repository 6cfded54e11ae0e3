/** Reads the parts of raster symbolizers. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child, listChildElements, readChild } from '../../../lib/xml/elements.ts';
import { readElementText } from '../../../lib/xml/text.ts';
import type {
  Channel,
  ChannelSelection,
  ContrastEnhancement,
  ContrastMethod,
  OverlapBehavior,
  ShadedRelief,
} from '../../model/symbolizer.ts';
import type { SldReadContext } from '../document/read-context.ts';
import { formatAlternatives, quoteText } from '../grammar/expected.ts';
import { contrastMethods } from '../grammar/names.ts';
import { readFlag, readVendorOptions } from './common-parts.ts';
import { readParameter } from './expression.ts';
import { anyText, nonNegativeNumber, number } from './values.ts';

const overlapBehaviors: Readonly<Record<string, OverlapBehavior>> = {
  LATEST_ON_TOP: 'latestOnTop',
  EARLIEST_ON_TOP: 'earliestOnTop',
  AVERAGE: 'average',
  RANDOM: 'random',
};

const methodNames: Readonly<Record<(typeof contrastMethods)[number], ContrastMethod>> = {
  Normalize: 'normalize',
  Histogram: 'histogram',
  Logarithmic: 'logarithmic',
  Exponential: 'exponential',
};

export function readChannelSelection(reading: SldReadContext, element: XmlElement): ChannelSelection | undefined {
  const grayElement = child(element, 'GrayChannel');
  const colored = ['RedChannel', 'GreenChannel', 'BlueChannel'].filter((name) => child(element, name) !== undefined);
  if ((grayElement !== undefined && colored.length > 0) || (grayElement === undefined && colored.length < 3)) {
    reading.complaints.add(
      element,
      'ChannelSelection must contain RedChannel, GreenChannel and BlueChannel, or only GrayChannel',
    );
  }
  const readChildChannel = (name: string): Channel | undefined =>
    readChild(element, name, (each) => readChannel(reading, each));
  const gray = readChildChannel('GrayChannel');
  const red = readChildChannel('RedChannel');
  const green = readChildChannel('GreenChannel');
  const blue = readChildChannel('BlueChannel');
  if (gray !== undefined) return { kind: 'grayChannel', gray };
  return red === undefined || green === undefined || blue === undefined
    ? undefined
    : { kind: 'rgbChannels', red, green, blue };
}

function readChannel(reading: SldReadContext, element: XmlElement): Channel | undefined {
  const name = child(element, 'SourceChannelName');
  const sourceName = name === undefined ? undefined : readParameter(reading, name, anyText);
  const contrastEnhancement = readChild(element, 'ContrastEnhancement', (each) =>
    readContrastEnhancement(reading, each),
  );
  return sourceName === undefined ? undefined : { sourceName, contrastEnhancement };
}

export function readContrastEnhancement(reading: SldReadContext, element: XmlElement): ContrastEnhancement {
  const method = contrastMethods.find((name) => child(element, name) !== undefined);
  return {
    kind: 'contrastEnhancement',
    method: method === undefined ? undefined : methodNames[method],
    vendorOptions:
      method === undefined ? undefined : readChild(element, method, (each) => readVendorOptions(reading, each)),
    gamma: readChild(element, 'GammaValue', (each) => readParameter(reading, each, nonNegativeNumber)),
  };
}

/** An empty element in version 1.0.0, a keyword in 1.1.0. */
export function readOverlapBehavior(reading: SldReadContext, element: XmlElement): OverlapBehavior | undefined {
  const [inner] = listChildElements(element);
  const word = inner?.local ?? readElementText(element);
  const behavior = Object.hasOwn(overlapBehaviors, word) ? overlapBehaviors[word] : undefined;
  if (behavior === undefined && inner === undefined) {
    const expected = formatAlternatives(Object.keys(overlapBehaviors));
    reading.complaints.add(element, `OverlapBehavior is ${quoteText(word)}, but ${expected} was expected`);
  }
  return behavior;
}

export function readShadedRelief(reading: SldReadContext, element: XmlElement): ShadedRelief {
  return {
    kind: 'shadedRelief',
    brightnessOnly: readChild(element, 'BrightnessOnly', (each) => readFlag(reading, each)),
    reliefFactor: readChild(element, 'ReliefFactor', (each) => readParameter(reading, each, number)),
  };
}
