/** The function `reproject`. Its conversions are created before it is evaluated, because that reads the CRS registry. */
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import type { Geometry } from '../../../geometry/geometry.ts';
import { createReprojection, type Reprojection } from '../../../geometry/reprojection.ts';
import type { FunctionCall } from '../../model/expression.ts';
import { hasInnerPart } from '../../model/inner-parts.ts';

/** By call, so that they are released with the filter or style. */
const reprojections = new WeakMap<FunctionCall, { readonly between: Reprojection | undefined }>();

export function isReprojection(part: object): boolean {
  const { kind, name } = part as Partial<FunctionCall>;
  return kind === 'function' && name?.toLowerCase() === 'reproject';
}

/** Lists all calls, also those within others. */
export function listReprojections(part: object): readonly FunctionCall[] {
  const calls: FunctionCall[] = [];
  collectReprojections(part, calls);
  return calls;
}

function collectReprojections(part: object, calls: FunctionCall[]): void {
  if (isReprojection(part)) calls.push(part as FunctionCall);
  hasInnerPart(part, (inner) => {
    collectReprojections(inner, calls);
    return false;
  });
}

/** Must be called before a part is evaluated. Throws a Problem if a conversion is not possible. */
export async function loadReprojections(part: object): Promise<void> {
  for (const call of listReprojections(part)) {
    const [, to, from] = call.arguments;
    if (reprojections.has(call) || to?.kind !== 'literal' || from?.kind !== 'literal') continue;
    reprojections.set(call, {
      between: await createReprojection(toCrsReference(from.value), toCrsReference(to.value)),
    });
  }
}

/** Data without a code has well-known text. */
function toCrsReference(text: string): CrsReference {
  return text.includes('[') ? { wkt: text } : { code: text };
}

/** Returns undefined if the conversion is not loaded, and null for a geometry outside the domain of the CRS. */
export function reprojectGeometry(geometry: Geometry, call: FunctionCall): Geometry | null | undefined {
  const found = reprojections.get(call);
  return found && (found.between === undefined ? geometry : found.between.reprojectGeometry(geometry));
}
