/** Finds a no-data value for samples without one. A value that is also a sample would hide that sample. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { BandWindow } from '../../raster/port/port.ts';
import { type SampleType, sampleTypes } from '../../raster/port/samples.ts';

/** Yields to other requests after this many samples, which take some milliseconds. */
const SAMPLES_PER_TURN = 500_000;

/** Returns NaN for floating point; else 0 or one of the greatest values of the type; undefined if all of them are used. */
export async function findUnusedValue(
  type: SampleType,
  bands: readonly BandWindow[],
): Promise<number | bigint | undefined> {
  if (type === 'float32' || type === 'float64') return Number.NaN;
  const unused = new Set(listCandidates(type));
  for (const { samples, mask } of bands) {
    for (let place = 0; place < samples.length; place += 1) {
      if (place % SAMPLES_PER_TURN === 0) await othersFirst();
      if (mask === undefined || mask[place] !== 0) unused.delete(samples[place] ?? 0);
    }
  }
  const [first] = unused;
  return first;
}

/** 0 and the 255 greatest values: all values of types with 8 bits. */
function listCandidates(type: Exclude<SampleType, 'float32' | 'float64'>): readonly (number | bigint)[] {
  const greatest = findGreatest(type);
  return [
    type === 'int64' || type === 'uint64' ? 0n : 0,
    ...Array.from({ length: 255 }, (_, below) =>
      typeof greatest === 'bigint' ? greatest - BigInt(below) : greatest - below,
    ),
  ];
}

function findGreatest(type: Exclude<SampleType, 'float32' | 'float64'>): number | bigint {
  const bits = sampleTypes[type].BYTES_PER_ELEMENT * 8 - (type.startsWith('u') ? 0 : 1);
  return type === 'int64' || type === 'uint64' ? 2n ** BigInt(bits) - 1n : 2 ** bits - 1;
}
