/** Creates the definition of a grid set from the fields that a client sends. */
import type { Bounds } from '../../crs/bounds.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import { findGridCrs, type GridCrs } from '../../tiles/grids/create-set.ts';
import {
  findGridFaults,
  type GridDefinition,
  type GridFault,
  type GridMatrix,
  type GridScales,
  gridDefaults,
} from '../../tiles/grids/grid-definition.ts';

/** Absent and null fields get their default. */
export interface GridSetDraft {
  readonly name?: string | null;
  readonly description?: string | null;
  /** The EPSG number. */
  readonly srs?: number | null;
  readonly extent?: Bounds | null;
  readonly alignTopLeft?: boolean | null;
  readonly resolutions?: readonly number[] | null;
  readonly scaleDenominators?: readonly number[] | null;
  readonly levels?: number | null;
  readonly metersPerUnit?: number | null;
  readonly pixelSize?: number | null;
  readonly scaleNames?: readonly string[] | null;
  readonly tileHeight?: number | null;
  readonly tileWidth?: number | null;
  readonly yCoordinateFirst?: boolean | null;
  readonly tileMatrices?: readonly GridMatrix[] | null;
}

/** Capabilities and lists contain it. */
const MAX_DESCRIPTION_LENGTH = 10_000;

/** Throws a Problem that names all invalid fields. */
export async function createGridDefinition(name: string, draft: GridSetDraft): Promise<GridDefinition> {
  const epsg = draft.srs ?? undefined;
  const extent = draft.extent ?? undefined;
  const scales = selectScales(draft);
  const crs = epsg === undefined ? undefined : await findGridCrs(epsg);
  const missing: GridFault[] = [];
  if (crs === undefined) {
    const message = epsg === undefined ? 'is required: the number of a CRS, such as 2056' : `unknown CRS EPSG:${epsg}`;
    missing.push({ field: 'srs', message });
  }
  if (extent === undefined) missing.push({ field: 'extent', message: 'is required' });
  if (typeof scales === 'string') missing.push({ field: 'resolutions', message: scales });
  if (epsg === undefined || crs === undefined || extent === undefined || typeof scales === 'string') {
    throw createFaultProblem(missing);
  }
  const definition = { name, epsg, extent, scales, ...completeFields(name, draft, crs) };
  const faults = findGridFaults(definition, crs.metresPerUnit);
  if (definition.description.length > MAX_DESCRIPTION_LENGTH) {
    throw createFaultProblem([{ field: 'description', message: `has more than ${MAX_DESCRIPTION_LENGTH} characters` }]);
  }
  if (faults.length > 0) throw createFaultProblem(faults);
  return definition;
}

function createFaultProblem(faults: readonly GridFault[]): Problem {
  const complaints = faults.map(({ field, message }) => ({ field: `gridSet.${field}`, message }));
  return problem('document-invalid', { complaints, field: complaints[0]?.field ?? 'gridSet' });
}

/** Returns the scales, or why they are invalid. */
function selectScales({ resolutions, scaleDenominators, levels }: GridSetDraft): GridScales | string {
  const sent: GridScales[] = [];
  if (resolutions != null) sent.push({ kind: 'resolutions', values: resolutions });
  if (scaleDenominators != null) sent.push({ kind: 'scaleDenominators', values: scaleDenominators });
  if (levels != null) sent.push({ kind: 'levels', count: levels });
  const [only, ...others] = sent;
  const needed = 'expected one of resolutions, scaleDenominators and levels';
  if (others.length > 0) return `${needed}, found ${sent.map(({ kind }) => kind).join(' and ')}`;
  return only ?? needed;
}

type OtherFields = Omit<GridDefinition, 'name' | 'epsg' | 'extent' | 'scales'>;

/** Fields that follow from the CRS are stored with their values, so that documents are complete. */
function completeFields(name: string, draft: GridSetDraft, crs: GridCrs): OtherFields {
  return {
    description: draft.description ?? gridDefaults.description,
    alignTopLeft: draft.alignTopLeft ?? gridDefaults.alignTopLeft,
    metersPerUnit: draft.metersPerUnit ?? crs.metresPerUnit,
    pixelSize: draft.pixelSize ?? gridDefaults.pixelSize,
    scaleNames: omitUsualNames(name, draft.scaleNames ?? []),
    tileWidth: draft.tileWidth ?? gridDefaults.tileWidth,
    tileHeight: draft.tileHeight ?? gridDefaults.tileHeight,
    yCoordinateFirst: draft.yCoordinateFirst ?? crs.isNorthFirst,
    matrices: draft.tileMatrices == null || draft.tileMatrices.length === 0 ? null : draft.tileMatrices,
  };
}

/** The usual names are not stored, so that they follow the number of levels. */
function omitUsualNames(name: string, names: readonly string[]): readonly string[] {
  return names.every((each, level) => each === formatLevelName(name, level)) ? [] : names;
}

export function formatLevelName(name: string, level: number): string {
  return `${name}:${level}`;
}
