/** Paints the samples of a coverage with a raster symbolizer. */
import { evaluateExpression, toNumber } from '../../filter/evaluate/evaluate.ts';
import type { Band, BandWindow, RasterSize } from '../../raster/port/port.ts';
import type { ContrastEnhancement, RasterSymbolizer } from '../../styling/model/model.ts';
import type { Compositing } from '../rules/style-plan.ts';
import type { BandSelection } from './band-selection.ts';
import { type ColorLookup, createColorLookup, createPaletteLookup } from './color-lookup.ts';
import { ColorRamp } from './color-ramp.ts';
import { type Brightness, createBrightness } from './contrast.ts';
import { type PixelGround, shadeRelief } from './shaded-relief.ts';

/** The samples that were read, by band index. */
export interface RasterSamples extends RasterSize {
  readonly bands: ReadonlyMap<number, BandWindow & { readonly described: Band | undefined }>;
}

/** Samples and the way they are painted: the complete input of a worker. */
export interface RasterPainting {
  readonly raster: RasterSamples;
  readonly symbolizer: RasterSymbolizer;
  readonly shown: BandSelection;
  readonly laying: Compositing;
  /** The variables for `env` in styles; none by default. */
  readonly variables?: Readonly<Record<string, string>>;
  /** One metre by default. */
  readonly ground?: PixelGround;
}

/** Returns red, green, blue and opacity of each pixel, row by row, with straight colours. */
export function paintRaster(painting: Omit<RasterPainting, 'laying'>): Uint8Array {
  const { raster, symbolizer, shown, ground = { width: 1, height: 1 } } = painting;
  const bytes = new Uint8Array(raster.width * raster.height * 4);
  if (shown.kind === 'single') paintSingle(painting, shown, bytes);
  else paintRgb(raster, shown, bytes);
  const heights = shown.kind === 'single' ? raster.bands.get(shown.value.bandIndex) : undefined;
  if (symbolizer.shadedRelief !== undefined && heights !== undefined) {
    const { width, height } = raster;
    shadeRelief(bytes, { ...heights, width, height }, symbolizer.shadedRelief, ground);
  }
  const opacity = readOpacity(symbolizer);
  const alpha = shown.alpha === undefined ? undefined : raster.bands.get(shown.alpha)?.samples;
  if (opacity < 1 || alpha !== undefined) {
    for (let pixel = 0; pixel * 4 < bytes.length; pixel += 1) {
      const share = alpha === undefined ? 1 : Number(alpha[pixel]) / 255;
      bytes[pixel * 4 + 3] = (bytes[pixel * 4 + 3] ?? 0) * opacity * share + 0.5;
    }
  }
  return bytes;
}

function readOpacity({ opacity }: RasterSymbolizer): number {
  const value = opacity && toNumber(evaluateExpression(opacity, {}));
  return Math.min(1, Math.max(0, value ?? 1));
}

function paintSingle(
  { raster, symbolizer, variables = {} }: Omit<RasterPainting, 'laying'>,
  { value }: BandSelection & { readonly kind: 'single' },
  bytes: Uint8Array,
): void {
  const band = raster.bands.get(value.bandIndex);
  if (band === undefined) return;
  const pixels = new Uint32Array(bytes.buffer);
  const { samples, mask, described } = band;
  const colors =
    (symbolizer.colorMap && createColorLookup(symbolizer.colorMap, variables)) ??
    (described?.palette && createPaletteLookup(described.palette)) ??
    createGrayLookup(createBrightness(described, band, value.contrast));
  if (colors instanceof ColorRamp) {
    colors.paint(band, pixels);
  } else {
    const findColor = cacheLookup(colors, described);
    for (let at = 0; at < pixels.length; at += 1) {
      if (mask !== undefined && mask[at] === 0) continue;
      pixels[at] = findColor(Number(samples[at]));
    }
  }
  const { colorMap, contrastEnhancement } = symbolizer;
  if (colorMap !== undefined && contrastEnhancement !== undefined) enhanceColors(bytes, contrastEnhancement);
}

/** Applies a contrast to colors of a color map, channel by channel. */
function enhanceColors(bytes: Uint8Array, contrast: ContrastEnhancement): void {
  const count = bytes.length / 4;
  const mask = new Uint8Array(count);
  for (let pixel = 0; pixel < count; pixel += 1) mask[pixel] = bytes[pixel * 4 + 3] ?? 0;
  const samples = new Uint8Array(count);
  for (let channel = 0; channel < 3; channel += 1) {
    for (let pixel = 0; pixel < count; pixel += 1) samples[pixel] = bytes[pixel * 4 + channel] ?? 0;
    const table = tabulateBrightness(createBrightness({ type: 'uint8' }, { samples, mask }, contrast));
    paintBytes(samples, table, bytes, channel);
  }
}

function createGrayLookup(brightness: Brightness): ColorLookup {
  return (value) => {
    const gray = Math.round(brightness(value));
    // The highest byte is the opacity.
    return (0xff000000 | (gray << 16) | (gray << 8) | gray) >>> 0;
  };
}

/** Types of one or two bytes have few values, so each value is looked up once. */
function cacheLookup(lookup: ColorLookup, band: Band | undefined): ColorLookup {
  const count = band?.type === 'uint8' ? 256 : band?.type === 'uint16' ? 65_536 : 0;
  if (count === 0) return lookup;
  const known = new Float64Array(count).fill(-1);
  return (value) => {
    const found = known[value] ?? -1;
    if (found >= 0) return found;
    const color = lookup(value);
    known[value] = color;
    return color;
  };
}

/** Paints a pixel only if all three bands have data. */
function paintRgb({ bands }: RasterSamples, shown: BandSelection & { readonly kind: 'rgb' }, bytes: Uint8Array): void {
  const channels = [shown.red, shown.green, shown.blue].map(({ bandIndex, contrast }) => {
    const band = bands.get(bandIndex);
    return band && { ...band, contrast };
  });
  if (channels.includes(undefined)) return;
  for (let at = 3; at < bytes.length; at += 4) bytes[at] = 255;
  for (const [channel, band] of channels.entries()) {
    if (band === undefined) continue;
    const { samples, mask } = band;
    const brightness = createBrightness(band.described, band, band.contrast);
    if (samples instanceof Uint8Array) paintBytes(samples, tabulateBrightness(brightness), bytes, channel);
    else
      for (let pixel = 0, at = channel; at < bytes.length; pixel += 1, at += 4)
        bytes[at] = brightness(Number(samples[pixel])) + 0.5;
    if (mask === undefined) continue;
    for (let pixel = 0; pixel < mask.length; pixel += 1) if (mask[pixel] === 0) bytes.fill(0, pixel * 4, pixel * 4 + 4);
  }
}

function paintBytes(samples: Uint8Array, table: Uint8Array, bytes: Uint8Array, channel: number): void {
  for (let pixel = 0, at = channel; at < bytes.length; pixel += 1, at += 4) bytes[at] = table[samples[pixel] ?? 0] ?? 0;
}

/** The brightness of each value of a byte. */
function tabulateBrightness(brightness: Brightness): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, value) => brightness(value) + 0.5);
}
