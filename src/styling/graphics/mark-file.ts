/** Marks from files: the name `file://symbols/tree.svg` means an external mark. */
import { isExpression } from '../../filter/model/expression-contents.ts';
import { replaceInnerParts } from '../../filter/model/inner-parts.ts';
import type { Mark } from '../model/paint.ts';
import { findMarkHref } from '../model/references.ts';

/** Replaces names of files by external marks. Returns the same object if it has none. */
export function resolveMarkFiles<T extends object>(part: T): T {
  return resolvePart(part) as T;
}

function resolvePart(part: object): object {
  if (isExpression(part)) return part;
  const resolved = replaceInnerParts(part, resolvePart);
  return 'kind' in resolved && resolved.kind === 'mark' ? resolveMark(resolved as Mark) : resolved;
}

function resolveMark(mark: Mark): Mark {
  const href = findMarkHref(mark.wellKnownName);
  if (href === undefined) return mark;
  return { ...mark, wellKnownName: undefined, externalMark: { source: { kind: 'online', href }, format: SVG_FORMAT } };
}

const SVG_FORMAT = 'image/svg+xml';
