/** Interprets the reading parameters of a coverage for drawing and downloads. */
import type { PictureRequest } from '../../catalog/coverage-stores/read-picture.ts';
import { readColor, readFootprints, readNumbers, readOrder } from '../../catalog/coverages/reading-parameters.ts';
import type { ReadingRules } from '../../raster/pictures/reading-rules.ts';
import type { Grid } from '../../raster/port/port.ts';

export type ReadingSettings = Pick<PictureRequest, 'rules' | 'order' | 'isCutToFootprints'>;

/** Names are case-insensitive. Invalid values are ignored; a warning was issued when they were set. */
export function parseReadingSettings(parameters: Readonly<Record<string, string>>, grid: Grid): ReadingSettings {
  const named = new Map(Object.entries(parameters).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const value = (name: string): string => named.get(name.toLowerCase()) ?? '';
  const [input, output] = [readColor(value('InputTransparentColor')), readColor(value('OutputTransparentColor'))];
  const background = readNumbers(value('BackgroundValues'));
  const rules: ReadingRules = {
    ...(input === undefined ? {} : { inputTransparent: input }),
    ...(output === undefined ? {} : { outputTransparent: output }),
    ...(background === undefined ? {} : { background: { values: background, grid } }),
  };
  return {
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
    order: readOrder(value('SORTING')) ?? [],
    isCutToFootprints: readFootprints(value('FootprintBehavior'))?.isCut ?? false,
  };
}
