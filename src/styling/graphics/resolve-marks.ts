/** Completes marks before they are drawn: names of files become external marks, and defaults are added. */
import { isExpression } from '../../filter/model/expression-contents.ts';
import { replaceInnerParts } from '../../filter/model/inner-parts.ts';
import { addDefaultPaint } from '../model/default-paint.ts';
import type { Mark } from '../model/paint.ts';
import { findMarkHref } from '../model/references.ts';

/** Returns the same object if its marks are complete. */
export function resolveMarks<T extends object>(part: T): T {
  return resolvePart(part) as T;
}

function resolvePart(part: object): object {
  if (isExpression(part)) return part;
  // Filters have no marks, but can have a hundred thousand parts.
  const resolved = replaceInnerParts(part, (inner, key) => (key === 'filter' ? inner : resolvePart(inner)));
  return 'kind' in resolved && resolved.kind === 'mark' ? addDefaultPaint(resolveMarkFile(resolved as Mark)) : resolved;
}

/** The name `file://symbols/tree.svg` means an external mark. */
function resolveMarkFile(mark: Mark): Mark {
  const href = findMarkHref(mark.wellKnownName);
  if (href === undefined) return mark;
  return { ...mark, wellKnownName: undefined, externalMark: { source: { kind: 'online', href }, format: SVG_FORMAT } };
}

const SVG_FORMAT = 'image/svg+xml';
