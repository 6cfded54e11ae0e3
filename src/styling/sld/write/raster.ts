/** Writes the parts of raster symbolizers. */
import { type ColorMap, type EntryColorMap, type EntryValue, findColorMapEntries } from '../../model/color-map.ts';
import type {
  Channel,
  ChannelSelection,
  ContrastEnhancement,
  ContrastMethod,
  OverlapBehavior,
  ShadedRelief,
} from '../../model/symbolizer.ts';
import { writeFunctionElement, writeOptionalParameter, writeParameter, writeVendorOptions } from './expression.ts';
import { createElement, createOptionalText, createTextElement, type OutputElement } from './output.ts';
import type { SldWriteContext } from './write-context.ts';

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

export function writeChannelSelection(writing: SldWriteContext, selection: ChannelSelection): OutputElement {
  const channels =
    selection.kind === 'grayChannel'
      ? [writeChannel(writing, 'GrayChannel', selection.gray)]
      : [
          writeChannel(writing, 'RedChannel', selection.red),
          writeChannel(writing, 'GreenChannel', selection.green),
          writeChannel(writing, 'BlueChannel', selection.blue),
        ];
  return createElement(writing.toSymbolName('ChannelSelection'), channels);
}

function writeChannel(writing: SldWriteContext, name: string, channel: Channel): OutputElement {
  return createElement(writing.toSymbolName(name), [
    writeParameter(writing, writing.toSymbolName('SourceChannelName'), channel.sourceName),
    channel.contrastEnhancement && writeContrastEnhancement(writing, channel.contrastEnhancement),
  ]);
}

export function writeContrastEnhancement(writing: SldWriteContext, enhancement: ContrastEnhancement): OutputElement {
  const { method, vendorOptions, gamma } = enhancement;
  return createElement(writing.toSymbolName('ContrastEnhancement'), [
    method && createElement(writing.toSymbolName(methodNames[method]), writeVendorOptions(writing, vendorOptions)),
    writeOptionalParameter(writing, writing.toSymbolName('GammaValue'), gamma),
  ]);
}

/** An empty element in version 1.0.0, a keyword in 1.1.0. */
export function writeOverlapBehavior(writing: SldWriteContext, behavior: OverlapBehavior): OutputElement {
  const word = overlapNames[behavior];
  return writing.isSymbologyEncoding
    ? createTextElement('se:OverlapBehavior', word)
    : createElement('OverlapBehavior', [createElement(word)]);
}

export function writeColorMap(writing: SldWriteContext, colorMap: ColorMap): OutputElement {
  if (colorMap.kind === 'entries') return writeEntries(writing, colorMap);
  if (writing.isSymbologyEncoding) {
    const spelledOut = writeFunctionElement(writing, colorMap.function);
    if (spelledOut === undefined) writing.reportLoss(`a ColorMap with the function '${colorMap.function.name}'`);
    return createElement('se:ColorMap', [spelledOut]);
  }
  const entries = findColorMapEntries(colorMap);
  if (entries !== undefined) return writeEntries(writing, entries);
  writing.reportLoss('a ColorMap with computed colours; only entries with fixed colours are supported');
  return createElement('ColorMap');
}

function writeEntries(writing: SldWriteContext, { type, extended, entries }: EntryColorMap): OutputElement {
  return createElement(
    writing.toSymbolName('ColorMap'),
    entries.map(({ color, quantity, opacity, label }) =>
      createElement(writing.toSymbolName('ColorMapEntry'), [], {
        color: formatAttributeValue(color),
        quantity: quantity && formatAttributeValue(quantity),
        opacity: opacity && formatAttributeValue(opacity),
        label,
      }),
    ),
    { type: type === 'ramp' ? undefined : type, extended: extended ? 'true' : undefined },
  );
}

function formatAttributeValue(value: EntryValue): string {
  return value.kind === 'literal' ? value.value : value.text;
}

export function writeShadedRelief(writing: SldWriteContext, relief: ShadedRelief): OutputElement {
  return createElement(writing.toSymbolName('ShadedRelief'), [
    createOptionalText(writing.toSymbolName('BrightnessOnly'), relief.brightnessOnly),
    writeOptionalParameter(writing, writing.toSymbolName('ReliefFactor'), relief.reliefFactor),
  ]);
}
