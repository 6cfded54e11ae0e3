/** Maps a value to a brightness from 0 to 255, with the contrast enhancement of the style. */
import { evaluateExpression, toNumber } from '../../filter/evaluate/evaluate.ts';
import type { Band } from '../../raster/port/port.ts';
import type { Samples } from '../../raster/port/samples.ts';
import type { ContrastEnhancement } from '../../styling/model/model.ts';

export type Brightness = (value: number) => number;

/** The values with data, which determine the range of a stretch. */
export interface VisibleSamples {
  readonly samples: Samples;
  readonly mask?: Uint8Array;
}

/** The number of histogram bins. */
const STEPS = 256;

export function createBrightness(
  band: Pick<Band, 'type' | 'minimum' | 'maximum'> | undefined,
  shown: VisibleSamples,
  contrast: ContrastEnhancement | undefined,
): Brightness {
  const gammaGiven = contrast?.gamma && toNumber(evaluateExpression(contrast.gamma, {}));
  const gamma = gammaGiven !== undefined && gammaGiven > 0 ? gammaGiven : 1;
  const bend = gamma === 1 ? (share: number) => share : (share: number) => share ** (1 / gamma);
  const stretch = createStretch(band, shown, contrast);
  return (value) => Math.min(255, Math.max(0, bend(stretch(value)) * 255));
}

/** Returns 0 to 1 for visible values. */
type Stretch = (value: number) => number;

function createStretch(
  band: Pick<Band, 'type' | 'minimum' | 'maximum'> | undefined,
  shown: VisibleSamples,
  contrast: ContrastEnhancement | undefined,
): Stretch {
  switch (contrast?.method) {
    case 'normalize':
      return createNormalizedStretch(band, shown, contrast);
    case 'histogram':
      return createEqualizedStretch(shown);
    case 'logarithmic':
      return createFactorStretch(shown, contrast, {
        usual: (share) => Math.log1p(share * (Math.E - 1)),
        scaled: Math.log1p,
      });
    case 'exponential':
      return createFactorStretch(shown, contrast, {
        usual: (share) => Math.expm1(share) / (Math.E - 1),
        scaled: Math.expm1,
      });
    default:
      return createCurveStretch(getDefaultRange(band, shown), (share) => share);
  }
}

type Range = readonly [low: number, high: number];

function createCurveStretch([low, high]: Range, curve: (share: number) => number): Stretch {
  const span = high > low ? high - low : 1;
  return (value) => curve(Math.min(1, Math.max(0, (value - low) / span)));
}

/** The default of the normalization factor: brightness is on the scale of a byte. */
const FULL = 255;

/**
 * `normalizationFactor` N and `correctionFactor` C shape the curve of a brightness v from 0 to 255: N log(1 + C v / N),
 * or N (exp(C v / N) - 1). Without them, the curve covers the range of the visible values.
 */
function createFactorStretch(
  shown: VisibleSamples,
  contrast: ContrastEnhancement,
  { usual, scaled }: { readonly usual: (share: number) => number; readonly scaled: (value: number) => number },
): Stretch {
  const normalization = readNumberOption(contrast, 'normalizationfactor');
  const correction = readNumberOption(contrast, 'correctionfactor');
  if (normalization === undefined && correction === undefined) return createCurveStretch(computeRange(shown), usual);
  const factor = normalization !== undefined && normalization > 0 ? normalization : FULL;
  return (value) => (factor * scaled(((correction ?? 1) * Math.max(0, value)) / factor)) / FULL;
}

function findOption({ vendorOptions = [] }: ContrastEnhancement, name: string) {
  return vendorOptions.find((each) => each.name.toLowerCase() === name)?.value;
}

function readNumberOption(contrast: ContrastEnhancement, name: string): number | undefined {
  const value = findOption(contrast, name);
  return value && toNumber(evaluateExpression(value, {}));
}

/** The shares of values of 16 bits that are shown black and white: single outliers would make a map dark. */
const CUT_SHARE = 0.02;

/** Returns the range without the lowest and highest 2 % of the values. */
function computeCutRange({ samples, mask }: VisibleSamples): Range {
  const values = samples.filter((_: unknown, at: number) => mask === undefined || mask[at] !== 0).sort();
  if (values.length === 0) return [0, 1];
  const last = values.length - 1;
  return [Number(values[Math.floor(last * CUT_SHARE)]), Number(values[Math.ceil(last * (1 - CUT_SHARE))])];
}

/**
 * Bytes are brightness values. Other types use the declared range of the band, or else the range of the visible
 * values, for 16 bits without the lowest and highest 2 %.
 */
function getDefaultRange(band: Pick<Band, 'type' | 'minimum' | 'maximum'> | undefined, shown: VisibleSamples): Range {
  if (band?.type === 'uint8') return [0, 255];
  const { minimum, maximum } = band ?? {};
  if (minimum !== undefined && maximum !== undefined) return [minimum, maximum];
  const isShort = shown.samples instanceof Uint16Array || shown.samples instanceof Int16Array;
  return isShort ? computeCutRange(shown) : computeRange(shown);
}

function computeRange({ samples, mask }: VisibleSamples): Range {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < samples.length; at += 1) {
    if (mask !== undefined && mask[at] === 0) continue;
    const value = Number(samples[at]);
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? [0, 1] : [low, high];
}

/**
 * Reads the vendor options that select the algorithm and range of the stretch, for compatibility with the reference
 * server. The declared range of the band is the default, so that all tiles are stretched alike.
 */
function createNormalizedStretch(
  band: Pick<Band, 'minimum' | 'maximum'> | undefined,
  shown: VisibleSamples,
  contrast: ContrastEnhancement,
): Stretch {
  const { minimum, maximum } = band ?? {};
  const [least, greatest] = minimum !== undefined && maximum !== undefined ? [minimum, maximum] : computeRange(shown);
  const [low, high] = [
    readNumberOption(contrast, 'minvalue') ?? least,
    readNumberOption(contrast, 'maxvalue') ?? greatest,
  ];
  const algorithm = findOption(contrast, 'algorithm');
  const named = algorithm && String(evaluateExpression(algorithm, {})).toLowerCase();
  // Values keep their brightness on the scale of a byte; values outside of the range get that of the nearest end, or 0.
  if (named === 'cliptominimummaximum') return (value) => Math.min(high, Math.max(low, value)) / 255;
  if (named === 'cliptozero') return (value) => (value < low || value > high ? 0 : value / 255);
  return createCurveStretch([low, high], (share) => share);
}

/** Equalizes the histogram. */
function createEqualizedStretch(shown: VisibleSamples): Stretch {
  const range = computeRange(shown);
  const computeStep = createCurveStretch(range, (share) => Math.min(STEPS - 1, Math.floor(share * STEPS)));
  const counts = new Float64Array(STEPS);
  let all = 0;
  for (let at = 0; at < shown.samples.length; at += 1) {
    if (shown.mask !== undefined && shown.mask[at] === 0) continue;
    const step = computeStep(Number(shown.samples[at]));
    counts[step] = (counts[step] ?? 0) + 1;
    all += 1;
  }
  let sum = 0;
  const shares = counts.map((count) => {
    sum += count;
    return all === 0 ? 0 : sum / all;
  });
  return (value) => shares[computeStep(value)] ?? 0;
}
