/** Writes what is particular to raster symbolizers. */
import { type ColorMap, colorMapEntries, type EntryColorMap, type EntryValue } from '../../model/color-map.ts';
import type {
  Channel,
  ChannelSelection,
  ContrastEnhancement,
  ContrastMethod,
  OverlapBehavior,
  ShadedRelief,
} from '../../model/symbolizer.ts';
import { maybeParameter, writeFunctionElement, writeParameter, writeVendorOptions } from './expression.ts';
import { element, maybeText, type OutputElement, textElement } from './output.ts';
import type { Writing } from './writing.ts';

const overlapNames: Readonly<Record<OverlapBehavior, string>> = {
  latestOnTop: 'LATEST_ON_TOP',
  earliestOnTop: 'EARLIEST_ON_TOP',
  average: 'AVERAGE',
  random: 'RANDOM',
};

const methodNames: Readonly<Record<ContrastMethod, string>> = {
  normalize: 'Normalize',
  histogram: 'Histogram',
  logarithmic: 'Logarithmic',
  exponential: 'Exponential',
};

export function writeChannelSelection(writing: Writing, selection: ChannelSelection): OutputElement {
  const channels =
    selection.kind === 'grayChannel'
      ? [writeChannel(writing, 'GrayChannel', selection.gray)]
      : [
          writeChannel(writing, 'RedChannel', selection.red),
          writeChannel(writing, 'GreenChannel', selection.green),
          writeChannel(writing, 'BlueChannel', selection.blue),
        ];
  return element(writing.symbol('ChannelSelection'), channels);
}

function writeChannel(writing: Writing, name: string, channel: Channel): OutputElement {
  return element(writing.symbol(name), [
    writeParameter(writing, writing.symbol('SourceChannelName'), channel.sourceName),
    channel.contrastEnhancement && writeContrastEnhancement(writing, channel.contrastEnhancement),
  ]);
}

export function writeContrastEnhancement(writing: Writing, enhancement: ContrastEnhancement): OutputElement {
  const { method, vendorOptions, gamma } = enhancement;
  return element(writing.symbol('ContrastEnhancement'), [
    method && element(writing.symbol(methodNames[method]), writeVendorOptions(writing, vendorOptions)),
    maybeParameter(writing, writing.symbol('GammaValue'), gamma),
  ]);
}

/** An empty element in version 1.0.0, a word in 1.1.0. */
export function writeOverlapBehavior(writing: Writing, behavior: OverlapBehavior): OutputElement {
  const word = overlapNames[behavior];
  return writing.isSymbologyEncoding
    ? textElement('se:OverlapBehavior', word)
    : element('OverlapBehavior', [element(word)]);
}

export function writeColorMap(writing: Writing, colorMap: ColorMap): OutputElement {
  if (colorMap.kind === 'entries') return writeEntries(writing, colorMap);
  if (writing.isSymbologyEncoding) {
    const spelledOut = writeFunctionElement(writing, colorMap.function);
    if (spelledOut === undefined) writing.lose(`a ColorMap made by the function '${colorMap.function.name}'`);
    return element('se:ColorMap', [spelledOut]);
  }
  const entries = colorMapEntries(colorMap);
  if (entries !== undefined) return writeEntries(writing, entries);
  writing.lose('a ColorMap whose colours are computed in this way; only entries with fixed colours');
  return element('ColorMap');
}

function writeEntries(writing: Writing, { type, extended, entries }: EntryColorMap): OutputElement {
  return element(
    writing.symbol('ColorMap'),
    entries.map(({ color, quantity, opacity, label }) =>
      element(writing.symbol('ColorMapEntry'), [], {
        color: attributeText(color),
        quantity: quantity && attributeText(quantity),
        opacity: opacity && attributeText(opacity),
        label,
      }),
    ),
    { type: type === 'ramp' ? undefined : type, extended: extended ? 'true' : undefined },
  );
}

function attributeText(value: EntryValue): string {
  return value.kind === 'literal' ? value.value : value.text;
}

export function writeShadedRelief(writing: Writing, relief: ShadedRelief): OutputElement {
  return element(writing.symbol('ShadedRelief'), [
    maybeText(writing.symbol('BrightnessOnly'), relief.brightnessOnly),
    maybeParameter(writing, writing.symbol('ReliefFactor'), relief.reliefFactor),
  ]);
}
