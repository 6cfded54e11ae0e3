/**
 * Visits the parts of a filter or a style model. Clients send styles with 100,000 parts, so that these functions allocate nothing
 * for a part.
 */

/** Returns whether the test is true for a part directly within this one. Literals contain no parts. */
export function hasInnerPart(part: object, test: (inner: object, key: string) => boolean): boolean {
  if ('kind' in part && part.kind === 'literal') return false;
  if (Array.isArray(part)) {
    for (const inner of part) if (typeof inner === 'object' && inner !== null && test(inner, '')) return true;
    return false;
  }
  for (const key in part) {
    const inner: unknown = part[key as keyof typeof part];
    if (typeof inner === 'object' && inner !== null && test(inner, key)) return true;
  }
  return false;
}

/**
 * Replaces the parts directly within this one; undefined removes them. Returns the same object if nothing changes.
 */
export function replaceInnerParts<T extends object>(
  part: T,
  replace: (inner: object, key: string) => object | undefined,
): T {
  if ('kind' in part && part.kind === 'literal') return part;
  if (Array.isArray(part)) {
    let items: unknown[] | undefined;
    for (let index = 0; index < part.length; index += 1) {
      const inner: unknown = part[index];
      const other = typeof inner === 'object' && inner !== null ? replace(inner, '') : inner;
      if (items === undefined && other !== inner) items = part.slice(0, index);
      if (items !== undefined && other !== undefined) items.push(other);
    }
    return (items ?? part) as T;
  }
  let changed: object | undefined;
  for (const key in part) {
    const inner: unknown = part[key];
    if (typeof inner !== 'object' || inner === null) continue;
    const other = replace(inner, key);
    if (other === inner) continue;
    changed = { ...(changed ?? part), [key]: other };
  }
  return (changed ?? part) as T;
}
