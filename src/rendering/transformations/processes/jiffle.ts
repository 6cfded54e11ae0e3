/** Jiffle: computes each cell with a script. */
import type { Band } from '../../../raster/port/port.ts';
import { createSamples, type SampleType } from '../../../raster/port/samples.ts';
import { JiffleError, type JiffleScript } from '../../../styling/transformations/jiffle/jiffle-syntax.ts';
import { listSourceNames, parseJiffle } from '../../../styling/transformations/jiffle/parse-jiffle.ts';
import { jiffle as process } from '../../../styling/transformations/processes.ts';
import { type JiffleSource, runJiffle } from '../jiffle/compile-jiffle.ts';
import { checkCells, readBandNumbers } from '../model/coverage-data.ts';
import { rejectTransformation, transformCoverages } from '../model/transformation.ts';
import type { CoverageData } from '../model/transformed-data.ts';

const sampleTypes: Readonly<Record<string, SampleType>> = {
  BYTE: 'uint8',
  USHORT: 'uint16',
  SHORT: 'int16',
  INT: 'int32',
  FLOAT: 'float32',
  DOUBLE: 'float64',
};

interface JiffleOptions {
  readonly script: string;
  readonly destName: string;
  readonly sourceName: readonly string[] | undefined;
  readonly outputType: string | undefined;
  readonly outputBandCount: number | undefined;
  readonly outputBandNames: string | undefined;
}

export const jiffle = transformCoverages(process, {
  describe: (inputs, options) => ({
    kind: 'coverage',
    bands: createBands(readScript(options, inputs.length), options),
  }),
  reach: () => ({ pixels: 2 }),
  readsCells: true,
  run(inputs, options) {
    const [first] = inputs;
    if (first === undefined) throw rejectTransformation(process, 'it has no input');
    const script = readScript(options, inputs.length);
    const bands = createBands(script, options);
    const { width, height, bounds } = first;
    checkCells(process, width, height * bands.length);
    const [cellWidth, cellHeight] = [(bounds.maxX - bounds.minX) / width, (bounds.maxY - bounds.minY) / height];
    const grid = { width, height, originX: bounds.minX, originY: bounds.maxY, cellWidth, cellHeight };
    const names = listSourceNames(options.sourceName, inputs.length);
    const sources = names.map((name, index) => createSource(name, inputs[index] ?? first));
    const planes = bands.map(({ type }) => createSamples(type, width * height));
    const masks = bands.map(() => new Uint8Array(width * height));
    explainErrors(() =>
      runJiffle({ ...script, bands: bands.length }, sources, grid, (cell, values) => {
        for (let band = 0; band < planes.length; band += 1) {
          const plane = planes[band];
          const mask = masks[band];
          const value = values[band] ?? Number.NaN;
          if (plane === undefined || mask === undefined || Number.isNaN(value)) continue;
          plane[cell] = value;
          mask[cell] = 1;
        }
      }),
    );
    return {
      ...first,
      bands: bands.map((band, index) => ({ band, samples: planes[index] ?? new Uint8Array(), mask: masks[index] })),
    };
  },
});

function readScript(options: JiffleOptions, inputs: number): JiffleScript {
  const sources = listSourceNames(options.sourceName, inputs);
  return explainErrors(() => parseJiffle(options.script, { sources, destination: options.destName }));
}

function createBands(
  script: JiffleScript,
  { outputType, outputBandCount, outputBandNames }: JiffleOptions,
): readonly Band[] {
  const names = outputBandNames?.split(',').map((name) => name.trim()) ?? [];
  return Array.from({ length: outputBandCount ?? script.bands }, (_, index) => ({
    name: names[index] ?? (index === 0 ? 'jiffle' : `jiffle${index + 1}`),
    type: sampleTypes[outputType ?? 'DOUBLE'] ?? 'float64',
    colorInterpretation: 'undefined',
  }));
}

/** Band numbers start at 0. Cells without data are NaN. */
function createSource(name: string, data: CoverageData): JiffleSource {
  const bands = data.bands.map(readBandNumbers);
  const { width } = data;
  return { name, read: (band, column, row) => bands[band]?.[row * width + column] ?? Number.NaN };
}

function explainErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof JiffleError)
      throw rejectTransformation(process, `parameter 'script' is invalid: ${error.message}`);
    throw error;
  }
}
