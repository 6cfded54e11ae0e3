/** Completes the samples of a band: its mask, and scaled values if requested. */
import type { Band, BandWindow, WindowRequest } from '../port/port.ts';
import { type Samples, toSample } from '../port/samples.ts';

export interface StoredBand {
  readonly samples: Samples;
  /** From a separate mask image; 0 means no data. */
  readonly mask?: Uint8Array;
}

/** `furtherNoData` are no-data values in addition to that of the band. */
export function finishBand(
  band: Band,
  stored: StoredBand,
  values: WindowRequest['values'],
  furtherNoData: readonly (number | bigint)[] = [],
): BandWindow {
  const noData = [...(band.noData === undefined ? [] : [band.noData]), ...furtherNoData];
  const mask = computeMask(band, stored, noData);
  const samples = values === 'scaled' ? scaleSamples(stored.samples, band) : stored.samples;
  return { samples, ...(mask === undefined ? {} : { mask }) };
}

function computeMask(
  { type }: Band,
  { samples, mask: own }: StoredBand,
  noData: readonly (number | bigint)[],
): Uint8Array | undefined {
  let mask = own;
  const maskSample = (index: number): void => {
    mask ??= new Uint8Array(samples.length).fill(255);
    mask[index] = 0;
  };
  for (const value of new Set(noData.map((each) => toSample(type, each)))) {
    if (value === undefined || Number.isNaN(value)) continue;
    for (
      let at = (samples as Float64Array).indexOf(value as number);
      at >= 0;
      at = (samples as Float64Array).indexOf(value as number, at + 1)
    )
      maskSample(at);
  }
  if (samples instanceof Float32Array || samples instanceof Float64Array) {
    for (let at = 0; at < samples.length; at += 1) if (Number.isNaN(samples[at])) maskSample(at);
  }
  return mask;
}

function scaleSamples(samples: Samples, { type, scale = 1, offset = 0 }: Band): Samples {
  const result =
    type === 'float32' || type === 'uint8' || type === 'int8'
      ? new Float32Array(samples.length)
      : new Float64Array(samples.length);
  for (let at = 0; at < samples.length; at += 1) result[at] = Number(samples[at]) * scale + offset;
  return result;
}
