/** Computes a transformation in a worker. */
import type { Transferable } from 'node:worker_threads';
import type { Interpolation } from '../../raster/warp/interpolate.ts';
import type { TargetPicture } from '../../raster/warp/source-positions.ts';
import { findProcess } from '../../styling/transformations/processes.ts';
import { listTransferableArrays } from '../../vector/port/packed-features.ts';
import type { Task } from '../../workers/task.ts';
import { markTransferable } from '../../workers/transferables.ts';
import { warpCoverage } from './model/coverage-data.ts';
import type { CoverageData, TransformedData, TransformedMap } from './model/transformed-data.ts';
import type { TransformationStep } from './plan-transformation.ts';
import { getTransformation } from './registry.ts';

export interface TransformationInput {
  readonly step: TransformationStep;
  readonly data: TransformedData;
  readonly map: TransformedMap;
  /** The picture of the map, to which a computed coverage is resampled. */
  readonly target: TargetPicture;
  readonly interpolation: Interpolation;
}

export const transformDataTask: Task<TransformationInput, TransformedData> = {
  module: import.meta.url,
  name: 'transformData',
  work: transformData,
};

export async function transformData(input: TransformationInput): Promise<TransformedData> {
  const computed = await runStep(input.step, input);
  const output = computed.kind === 'coverage' ? await fitCoverage(computed, input) : computed;
  return markTransferable(output, listBuffers(output));
}

async function runStep(step: TransformationStep, input: TransformationInput): Promise<TransformedData> {
  const inputs: TransformedData[] = [];
  for (const each of step.inputs) inputs.push(await runStep(each, input));
  const process = findProcess(step.process);
  if (process === undefined) throw new Error(`Unknown process ${step.process}.`);
  return getTransformation(process).run(inputs.length === 0 ? [input.data] : inputs, step.raw, input.map);
}

/** Resamples to the pixels of the map, unless they are the same. */
async function fitCoverage(
  data: CoverageData,
  { map, target, interpolation }: TransformationInput,
): Promise<CoverageData> {
  const { width, height, bounds } = target;
  const isSame =
    target.transform === undefined &&
    data.width === width &&
    data.height === height &&
    data.crs === map.crs &&
    (['minX', 'minY', 'maxX', 'maxY'] as const).every((side) => data.bounds[side] === bounds[side]);
  if (isSame) return data;
  const bands = await warpCoverage(data, {
    target,
    crs: map.crs,
    interpolation: data.isSmooth ? 'bilinear' : interpolation,
  });
  return { ...data, width, height, bounds, crs: map.crs, bands };
}

/** Arrays can share a buffer, which is transferred once. */
export function listBuffers(data: TransformedData): readonly Transferable[] {
  const buffers =
    data.kind === 'features'
      ? data.batches.flatMap(listTransferableArrays)
      : data.bands.flatMap(({ samples, mask }) => [
          samples.buffer as ArrayBuffer,
          ...(mask === undefined ? [] : [mask.buffer as ArrayBuffer]),
        ]);
  return [...new Set(buffers)];
}
