/** The bands of a coverage: those of the data, with the changes of clients applied. */
import { isDeepStrictEqual } from 'node:util';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { Band, ColorInterpretation } from '../../raster/port/port.ts';
import type { BandDraft, Coverage, CoverageBand } from '../kinds/coverage.ts';

/** The names of image bands without a name in the data. */
const defaultBandNames: Readonly<Partial<Record<ColorInterpretation, string>>> = {
  gray: 'GRAY_INDEX',
  palette: 'PALETTE_INDEX',
  red: 'RED_BAND',
  green: 'GREEN_BAND',
  blue: 'BLUE_BAND',
  alpha: 'ALPHA_BAND',
  cyan: 'CYAN_BAND',
  magenta: 'MAGENTA_BAND',
  yellow: 'YELLOW_BAND',
  black: 'BLACK_BAND',
};

export function toCoverageBands(bands: readonly Band[]): readonly CoverageBand[] {
  const names = bands.map(formatBandName);
  return bands.map((band, index) => ({
    // Bands with the same default name are numbered instead.
    name: names.filter((name) => name === names[index]).length > 1 ? `Band${index + 1}` : (names[index] ?? band.name),
    description: band.colorInterpretation === 'undefined' ? null : band.colorInterpretation,
    minimum: toFinite(band.minimum),
    maximum: toFinite(band.maximum),
    nullValues: band.noData === undefined ? [] : [String(band.noData)],
    unit: band.unit ?? null,
    type: band.type,
  }));
}

function formatBandName({ name, colorInterpretation }: Band, index: number): string {
  return name === `Band${index + 1}` ? (defaultBandNames[colorInterpretation] ?? name) : name;
}

function toFinite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

/** Applies the changes of a client to the bands, in their order. */
export function mergeBands(drafts: readonly BandDraft[], current: readonly CoverageBand[]): readonly CoverageBand[] {
  const createBandProblem = (reason: string) =>
    problem('coverage-dimension-invalid', { reason, field: 'coverage.dimensions' });
  if (drafts.length !== current.length) {
    throw createBandProblem(`the data has ${current.length} bands, but the document describes ${drafts.length}`);
  }
  const bands = current.map((band, index): CoverageBand => {
    const draft = drafts[index] ?? {};
    const given = Object.entries(draft).filter(([, value]) => value !== undefined);
    return { ...band, ...Object.fromEntries(given) };
  });
  const names = bands.map(({ name }) => name);
  const doubled = names.find((name, index) => names.indexOf(name) !== index);
  if (doubled !== undefined) {
    throw createBandProblem(`the name '${excerpt(doubled)}' occurs more than once`);
  }
  const empty = bands.find(({ minimum, maximum }) => minimum !== null && maximum !== null && minimum > maximum);
  if (empty !== undefined) {
    throw createBandProblem(`the minimum of '${excerpt(empty.name)}' exceeds the maximum`);
  }
  return bands;
}

/** Returns the bands of new data, with earlier changes of clients to bands that still exist. */
export function keepBandEdits(
  fresh: readonly CoverageBand[],
  { bands, nativeBands }: Pick<Coverage, 'bands' | 'nativeBands'>,
): readonly CoverageBand[] {
  if (fresh.length !== bands.length) {
    return fresh;
  }
  return fresh.map((band, index) => {
    const native: Partial<CoverageBand> = nativeBands[index] ?? {};
    const said = Object.entries(bands[index] ?? {}).filter(
      ([field, value]) => field !== 'type' && !isDeepStrictEqual(value, native[field as keyof CoverageBand]),
    );
    return { ...band, ...Object.fromEntries(said) };
  });
}
