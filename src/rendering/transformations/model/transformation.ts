/** The definition of a rendering transformation: what it reads, what it returns, and how it computes it. */
import { problem } from '../../../lib/problems/problem.ts';
import {
  type ParameterTable,
  type ParameterValues,
  type RawParameters,
  readParameters,
} from '../../../styling/transformations/parameters.ts';
import type { Process } from '../../../styling/transformations/processes.ts';
import type { DataDescription, TransformedData, TransformedMap } from './transformed-data.ts';

/** The distance around the map in which data has an effect. */
export interface Reach {
  readonly pixels: number;
  /** In units of the data. */
  readonly units: number;
}

type OfKind<T, K> = Extract<T, { readonly kind: K }>;

/** What a transformation is, for each kind of input. */
interface Definition<K extends TransformedData['kind'], P extends ParameterTable> {
  describe(
    inputs: readonly OfKind<DataDescription, K>[],
    values: ParameterValues<P>,
    map: TransformedMap,
  ): DataDescription;
  /** No reach by default. */
  reach?(values: ParameterValues<P>, map: TransformedMap): Partial<Reach>;
  /** Returns the attributes of the input that the wanted attributes of the output need; the same by default. */
  listAttributes?(values: ParameterValues<P>, wanted: readonly string[]): readonly string[];
  /** Whether the cells of the coverage are read, instead of the pixels of the map. */
  readonly readsCells?: boolean;
  run(
    inputs: readonly OfKind<TransformedData, K>[],
    values: ParameterValues<P>,
    map: TransformedMap,
  ): TransformedData | Promise<TransformedData>;
}

/** A transformation whose parameters are read from the values of a style. Each method throws a Problem for invalid ones. */
export interface Transformation {
  readonly process: Process;
  readonly readsCells: boolean;
  describe(inputs: readonly DataDescription[], raw: RawParameters, map: TransformedMap): DataDescription;
  reach(raw: RawParameters, map: TransformedMap): Reach;
  listAttributes(raw: RawParameters, wanted: readonly string[]): readonly string[];
  run(
    inputs: readonly TransformedData[],
    raw: RawParameters,
    map: TransformedMap,
  ): TransformedData | Promise<TransformedData>;
}

export function transformFeatures<P extends ParameterTable>(
  process: Process<P>,
  definition: Definition<'features', P>,
): Transformation {
  return define(process, definition, 'features');
}

export function transformCoverages<P extends ParameterTable>(
  process: Process<P>,
  definition: Definition<'coverage', P>,
): Transformation {
  return define(process, definition, 'coverage');
}

function define<K extends TransformedData['kind'], P extends ParameterTable>(
  process: Process<P>,
  definition: Definition<K, P>,
  kind: K,
): Transformation {
  const read = (raw: RawParameters): ParameterValues<P> => {
    const outcome = readParameters(process.parameters, raw);
    if ('values' in outcome) return outcome.values;
    const { parameter, reason } = outcome.issue;
    throw rejectTransformation(process, `parameter '${parameter}' ${reason}`);
  };
  const select = <T extends { readonly kind: string }>(inputs: readonly T[]): readonly OfKind<T, K>[] => {
    const fitting = inputs.filter((each): each is OfKind<T, K> => each.kind === kind);
    if (fitting.length === inputs.length && fitting.length > 0) return fitting;
    throw rejectTransformation(process, `its input must be ${kind === 'features' ? 'features' : 'a coverage'}`);
  };
  return {
    process,
    readsCells: definition.readsCells ?? false,
    describe: (inputs, raw, map) => definition.describe(select(inputs), read(raw), map),
    reach: (raw, map) => ({ pixels: 0, units: 0, ...definition.reach?.(read(raw), map) }),
    listAttributes: (raw, wanted) => definition.listAttributes?.(read(raw), wanted) ?? wanted,
    run: (inputs, raw, map) => definition.run(select(inputs), read(raw), map),
  };
}

export function rejectTransformation({ name }: Pick<Process, 'name'>, reason: string): Error {
  return problem('map-transformation-invalid', { process: name, reason });
}
