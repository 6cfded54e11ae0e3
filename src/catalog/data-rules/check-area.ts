/** Validates the areas of data rules. Checking the rings of a large polygon takes a second, so that it runs in a thread. */
import { findCrs } from '../../crs/resolve-crs.ts';
import { findInvalidity } from '../../filter/predicate/topology.ts';
import { decodeWkt, WktError } from '../../geometry/wkt-decode.ts';
import { areShort } from '../../geometry/written-area.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { DataRuleArea } from '../../security/data-rules/data-rule.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { Task } from '../../workers/task.ts';

/** Clipping costs time for each vertex and feature. */
const MAX_VERTICES = 10_000;

export function createInvalidRuleProblem(field: string, reason: string): Problem {
  return problem('data-rule-invalid', { field: `dataRule.${field}`, reason });
}

export async function checkAreaCrs({ crs }: DataRuleArea): Promise<void> {
  if ((await findCrs(crs)) === undefined) {
    throw createInvalidRuleProblem('area.crs', `unknown coordinate reference system '${excerpt(crs)}'`);
  }
}

const checkingPolygon: Task<string, void> = { module: import.meta.url, name: 'checkPolygon', work: checkPolygon };

/** Throws a Problem for anything but a valid polygon or multipolygon. */
export async function checkAreaPolygon(area: DataRuleArea, workers: Pick<WorkerPool, 'run'>): Promise<void> {
  await (areShort([area]) ? checkPolygon(area.geometry) : workers.run(checkingPolygon, area.geometry));
}

export async function checkPolygon(text: string): Promise<void> {
  const geometry = readWkt(text);
  const { type, dimension, ordinates } = geometry;
  if ((type !== 'Polygon' && type !== 'MultiPolygon') || dimension !== 'XY' || ordinates.length === 0) {
    throw createInvalidRuleProblem('area.geometry', 'a polygon or multipolygon with x and y is required');
  }
  if (ordinates.length / 2 > MAX_VERTICES) {
    throw createInvalidRuleProblem('area.geometry', `the polygon has more than ${MAX_VERTICES} vertices`);
  }
  const reason = await findInvalidity(geometry);
  if (reason !== undefined) throw createInvalidRuleProblem('area.geometry', `the polygon is not valid: ${reason}`);
}

function readWkt(text: string): ReturnType<typeof decodeWkt> {
  try {
    return decodeWkt(text);
  } catch (error) {
    if (!(error instanceof WktError)) throw error;
    throw createInvalidRuleProblem('area.geometry', `position ${error.offset + 1}: ${error.message}`);
  }
}
