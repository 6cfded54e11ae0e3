/** What the reading parameters of a coverage mean for whoever draws it or gives it out. */
import type { PictureRequest } from '../../catalog/coverage-stores/read-picture.ts';
import type { ReadingRules, SampleColor } from '../../data/raster/pictures/reading-rules.ts';
import type { Grid } from '../../data/raster/port.ts';
import type { SortKey } from '../../data/vector/port.ts';

export type ReadingSettings = Pick<PictureRequest, 'rules' | 'order' | 'isCutToFootprints'>;

/** Names are in any case of their letters; values that mean nothing have no effect. */
export function readingSettings(parameters: Readonly<Record<string, string>>, grid: Grid): ReadingSettings {
  const named = new Map(Object.entries(parameters).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const value = (name: string): string => named.get(name.toLowerCase()) ?? '';
  const [input, output] = [colorOf(value('InputTransparentColor')), colorOf(value('OutputTransparentColor'))];
  const background = numbersOf(value('BackgroundValues'));
  const rules: ReadingRules = {
    ...(input === undefined ? {} : { inputTransparent: input }),
    ...(output === undefined ? {} : { outputTransparent: output }),
    ...(background.length === 0 ? {} : { background: { values: background, grid } }),
  };
  return {
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
    order: orderOf(value('SORTING')),
    isCutToFootprints: ['cut', 'transparent'].includes(value('FootprintBehavior').toLowerCase()),
  };
}

/** `#RRGGBB`. */
function colorOf(text: string): SampleColor | undefined {
  const parts = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text)?.slice(1);
  const [red, green, blue] = (parts ?? []).map((part) => Number.parseInt(part, 16));
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

/** `0,0,255`; nothing where one of them is no number. */
function numbersOf(text: string): readonly number[] {
  const values = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  return values.every(Number.isFinite) ? values : [];
}

/** `time D, elevation A`: the first lies on top. */
function orderOf(text: string): readonly SortKey[] {
  return text.split(',').flatMap((part): readonly SortKey[] => {
    const [attribute = '', direction = 'A'] = part.trim().split(/\s+/);
    return attribute === '' ? [] : [{ attribute, isDescending: direction.toUpperCase().startsWith('D') }];
  });
}
