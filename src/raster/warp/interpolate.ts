/** Interpolates between samples. */
import type { BandWindow, RasterSize } from '../port/port.ts';
import type { Samples } from '../port/samples.ts';

export const interpolations = ['nearest', 'bilinear', 'bicubic'] as const;

export type Interpolation = (typeof interpolations)[number];

/** Finds an interpolation by the names in requests and settings; undefined for others. */
export function findInterpolation(name: string): Interpolation | undefined {
  return names.get(
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_+-]+/g, ' '),
  );
}

const names: ReadonlyMap<string, Interpolation> = new Map([
  ['nearest', 'nearest'],
  ['nearest neighbor', 'nearest'],
  ['nearest neighbour', 'nearest'],
  ['linear', 'bilinear'],
  ['bilinear', 'bilinear'],
  ['cubic', 'bicubic'],
  ['bicubic', 'bicubic'],
]);

/** A read window for sample lookups. */
export interface SampledBand extends RasterSize, BandWindow {}

/** Writes the sample at a position, in pixels of the band, to an index of the target; false if there is no data. */
export type WriteSample = (column: number, row: number, index: number) => boolean;

/** 64-bit integers are not interpolated, because the result would not be exact. */
export function isNearest(interpolation: Interpolation, samples: Samples): boolean {
  return interpolation === 'nearest' || isBig(samples);
}

export function createSampler(band: SampledBand, target: Samples, interpolation: Interpolation): WriteSample {
  const nearest = createNearestSampler(band, target);
  if (isNearest(interpolation, band.samples) || isBig(band.samples) || isBig(target)) return nearest;
  const { samples } = band;
  const weightsOf = interpolation === 'bilinear' ? computeLinearWeights : computeCubicWeights;
  const reach = interpolation === 'bilinear' ? 1 : 2;
  const across = new Float64Array(reach * 2);
  const down = new Float64Array(reach * 2);
  const [low, high] = getIntegerRange(target);
  return (column, row, index) => {
    if (!hasData(band, column, row)) return false;
    const left = Math.floor(column - 0.5);
    const top = Math.floor(row - 0.5);
    weightsOf(column - 0.5 - left, across);
    weightsOf(row - 0.5 - top, down);
    let sum = 0;
    let weight = 0;
    for (let y = 0; y < reach * 2; y += 1) {
      const from = clampIndex(top + 1 - reach + y, band.height) * band.width;
      for (let x = 0; x < reach * 2; x += 1) {
        const at = from + clampIndex(left + 1 - reach + x, band.width);
        if (band.mask !== undefined && band.mask[at] === 0) continue;
        const share = (across[x] ?? 0) * (down[y] ?? 0);
        sum += share * (samples[at] ?? 0);
        weight += share;
      }
    }
    // Next to pixels without data, the remaining weights may cancel out.
    if (weight < 1e-3) return nearest(column, row, index);
    const value = sum / weight;
    target[index] = low === undefined ? value : Math.min(high, Math.max(low, Math.round(value)));
    return true;
  };
}

function createNearestSampler(band: SampledBand, target: Samples): WriteSample {
  // Both arrays have the type of the band.
  const [from, to] = [band.samples as Float64Array, target as Float64Array];
  return (column, row, index) => {
    if (!hasData(band, column, row)) return false;
    to[index] = from[Math.floor(row) * band.width + Math.floor(column)] ?? 0;
    return true;
  };
}

function hasData({ width, height, mask }: SampledBand, column: number, row: number): boolean {
  // Also false for NaN.
  if (!(column >= 0 && row >= 0 && column < width && row < height)) return false;
  return mask === undefined || mask[Math.floor(row) * width + Math.floor(column)] !== 0;
}

function clampIndex(place: number, length: number): number {
  return place < 0 ? 0 : place >= length ? length - 1 : place;
}

function computeLinearWeights(fraction: number, weights: Float64Array): void {
  weights[0] = 1 - fraction;
  weights[1] = fraction;
}

/** Computes the weights of a cubic convolution over four samples. */
function computeCubicWeights(fraction: number, weights: Float64Array): void {
  const square = fraction * fraction;
  const cube = square * fraction;
  weights[0] = -0.5 * cube + square - 0.5 * fraction;
  weights[1] = 1.5 * cube - 2.5 * square + 1;
  weights[2] = -1.5 * cube + 2 * square + 0.5 * fraction;
  weights[3] = 0.5 * cube - 0.5 * square;
}

function isBig(samples: Samples): samples is BigInt64Array | BigUint64Array {
  return samples instanceof BigInt64Array || samples instanceof BigUint64Array;
}

/** Returns the range of an integer type, because cubic interpolation overshoots. */
function getIntegerRange(samples: Samples): readonly [low: number | undefined, high: number] {
  if (samples instanceof Float32Array || samples instanceof Float64Array) return [undefined, 0];
  const bits = samples.BYTES_PER_ELEMENT * 8;
  const isSigned = samples instanceof Int8Array || samples instanceof Int16Array || samples instanceof Int32Array;
  return isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
}
