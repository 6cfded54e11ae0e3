/** Selects the granules of a coverage by the requested or default dimension values. */
import type { DimensionOptions, DimensionValue } from '../../../raster/pictures/dimension-options.ts';
import type { OpenedCoverage } from '../../access/open-coverage.ts';
import { createCoverageDomain } from './dimension-domain.ts';
import { type DimensionRange, readDimension } from './dimension-values.ts';
import { type LayerDimension, listCoverageDimensions } from './layer-dimensions.ts';
import { type DimensionRequest, selectRanges } from './select-ranges.ts';

/** `nothing` if no granule has such values. */
export async function selectCoverageDimensions(
  opened: OpenedCoverage,
  wishes: DimensionRequest,
): Promise<readonly DimensionOptions[] | 'nothing'> {
  const found: DimensionOptions[] = [];
  const dimensions = await listCoverageDimensions(opened);
  for (const dimension of dimensions) {
    const ranges = await selectRanges(createCoverageDomain(opened, dimension), dimension, wishes);
    if (ranges.length === 0) return 'nothing';
    found.push(createRasterDimension(dimension.attribute, dimension.kind, ranges));
  }
  return [...found, ...readOtherDimensions(new Set(dimensions.map(({ name }) => name)), wishes)];
}

/**
 * Values for axes of the data that are not enabled as dimensions: time is a date, elevation a number, others are
 * guessed from their text.
 */
function readOtherDimensions(known: ReadonlySet<string>, wishes: DimensionRequest): readonly DimensionOptions[] {
  return [...wishes.asked].flatMap(([name, text]): readonly DimensionOptions[] => {
    if (known.has(name)) return [];
    const kind = name === 'time' ? 'time' : name === 'elevation' || isNumeric(text) ? 'number' : 'text';
    const wish = readDimension({ name, kind }, text, wishes);
    return wish === 'default' ? [] : [createRasterDimension(name, kind, wish)];
  });
}

function createRasterDimension(
  name: string,
  kind: LayerDimension['kind'],
  ranges: readonly DimensionRange[],
): DimensionOptions {
  const read = readers[kind];
  return { name, ranges: ranges.map(({ from, to }) => ({ low: read(from), high: read(to) })) };
}

const readers: Readonly<Record<LayerDimension['kind'], (text: string) => DimensionValue>> = {
  time: (text) => new Date(text),
  number: Number,
  text: String,
};

function isNumeric(text: string): boolean {
  return /^[\d\s.,/eE+-]+$/.test(text) && text.split(/[,/]/).every((each) => Number.isFinite(Number(each)));
}
