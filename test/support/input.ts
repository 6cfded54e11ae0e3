/** Reads whole bodies in tests. */
import type { DocumentLimits, InputNode, InputReading } from '../../src/http/serialization/input-tree.ts';
import { startReadingJsonInput } from '../../src/http/serialization/read-json.ts';
import { startReadingXmlInput } from '../../src/http/serialization/read-xml.ts';

export function inputFromXml(text: string, limits: DocumentLimits): InputNode {
  return readThrough(startReadingXmlInput(text, limits), text.length);
}

export function inputFromJson(text: string, limits: DocumentLimits): InputNode {
  return readThrough(startReadingJsonInput(text, limits), Number.POSITIVE_INFINITY);
}

/** Splits the input into chunks of this many characters. */
export function readThrough(reading: InputReading, characters: number): InputNode {
  for (;;) {
    const whole = reading.advance(characters);
    if (whole !== undefined) {
      return whole;
    }
  }
}
