/** Resolves the feature selection of a client against the attributes of a type. */
import { readCrsName } from '../../crs/axis-order.ts';
import { isNoCrs } from '../../crs/model/crs-code.ts';
import type { BoundingBoxFilter } from '../../filter/model/filter.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { WrittenFilter } from '../../filter/read-filter.ts';
import { resolveFilter, type UnnamedGeometries } from '../../filter/resolve/resolve.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { createDescribedSchema } from '../../vector/port/filter-schema.ts';
import type { FeatureTypeDescription } from '../../vector/port/port.ts';
import type { RequestedBox, Selection } from './selection.ts';

/** The type whose features are selected, and the filter environment. */
export interface SelectedType {
  readonly description: FeatureTypeDescription;
  readonly filterRunner: FilterRunner;
  readonly signal: AbortSignal;
}

/**
 * Returns the filter of a selection; undefined for all features. Geometries without a CRS are in the CRS of
 * `unnamed`.
 */
export async function resolveSelection(
  selection: Selection,
  type: SelectedType,
  unnamed: UnnamedGeometries,
): Promise<ResolvedFilter | undefined> {
  switch (selection.kind) {
    case 'all':
      return undefined;
    case 'ids':
      return {
        kind: 'identifiers',
        identifiers: selection.ids.flatMap((id) => [...new Set([id, unescapeXmlName(id)])]),
      };
    case 'box':
      return resolveBox(selection.box, type.description, unnamed);
    case 'filter':
      return readWrittenFilter({ language: 'filter-xml', element: selection.filter }, 'filter', type, unnamed);
    case 'cql':
      return selection.language === undefined
        ? readWrittenFilter({ language: 'ecql', text: selection.text }, 'cql_filter', type, unnamed)
        : readWrittenFilter({ language: selection.language, text: selection.text }, 'filter', type, unnamed);
  }
}

async function readWrittenFilter(
  written: WrittenFilter,
  parameter: string,
  { description, filterRunner, signal }: SelectedType,
  unnamed: UnnamedGeometries,
): Promise<ResolvedFilter> {
  try {
    return await filterRunner.read(written, { schema: createDescribedSchema(description), unnamed }, signal);
  } catch (error) {
    if (!(error instanceof Problem) || error.details.field !== undefined) throw error;
    throw new Problem(error.code, error.message, { ...error.details, field: parameter });
  }
}

/** A box is converted to a filter, so that its axes and CRS are read like those of filters. */
async function resolveBox(
  { corners, crs }: RequestedBox,
  description: FeatureTypeDescription,
  unnamed: UnnamedGeometries,
): Promise<ResolvedFilter> {
  const createBoxProblem = (expected: string): Problem =>
    problem('ows-parameter-invalid', { parameter: 'bbox', value: crs ?? corners.join(','), expected, field: 'bbox' });
  if (crs !== undefined && !isNoCrs(crs) && (await readCrsName(crs)) === undefined) {
    throw createBoxProblem('expected a coordinate reference system after the four numbers');
  }
  const [a, b, c, d] = corners;
  const box: BoundingBoxFilter = {
    kind: 'boundingBox',
    bounds: {
      kind: 'geometry',
      type: 'Envelope',
      coordinates: [
        [a, b],
        [c, d],
      ],
      ...(crs === undefined ? {} : { srsName: crs }),
    },
  };
  const outcome = await resolveFilter(box, createDescribedSchema(description), unnamed);
  if (outcome.kind === 'resolved') return outcome.filter;
  throw createBoxProblem(outcome.complaint.message);
}

/** Decodes `my_x0020_roads` to `my roads`; names that are invalid in XML are escaped like this in our documents. */
export function unescapeXmlName(name: string): string {
  return name.replaceAll(/_x([0-9A-F]{4,6})_/g, (written, code: string) => {
    const number = Number.parseInt(code, 16);
    return number <= 0x10ffff ? String.fromCodePoint(number) : written;
  });
}
