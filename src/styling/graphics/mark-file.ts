/** Marks from files: the name `file://symbols/tree.svg` means an external mark. */
import type { Mark } from '../model/paint.ts';
import { findMarkHref } from '../model/references.ts';

/** Replaces names of files by external marks. Returns the same object if it has none. */
export function resolveMarkFiles<T extends object>(part: T): T {
  return resolvePart(part) as T;
}

function resolvePart(part: object): object {
  if (Array.isArray(part)) {
    const items = part.map((item: unknown) => (typeof item === 'object' && item !== null ? resolvePart(item) : item));
    return items.every((item, index) => item === part[index]) ? part : items;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [key, inner] of Object.entries(part)) {
    if (typeof inner !== 'object' || inner === null) continue;
    const other = resolvePart(inner as object);
    if (other === inner) continue;
    changed ??= { ...part };
    changed[key] = other;
  }
  const resolved = changed ?? part;
  return 'kind' in resolved && resolved.kind === 'mark' ? resolveMark(resolved as Mark) : resolved;
}

function resolveMark(mark: Mark): Mark {
  const href = findMarkHref(mark.wellKnownName);
  if (href === undefined) return mark;
  return { ...mark, wellKnownName: undefined, externalMark: { source: { kind: 'online', href }, format: SVG_FORMAT } };
}

const SVG_FORMAT = 'image/svg+xml';
